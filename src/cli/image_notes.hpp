/// \file
/// The text below the options in the help of the commands on images.
#pragma once

namespace lookback::cli {

inline constexpr const char* sat_notes = R"(
Images:
  A .npy or .npz array of any type is H x W; with --channels H x W x C, with --stack N x H x W, with
  both N x H x W x C. A file of any other name is a PNG file of 8 or 16 bits, which says itself
  whether it has channels: 2 for grey and alpha, 3 for RGB, 4 for RGBA. OUT is *.npy, *.npz, *.bin,
  or - for text, and may be IN. The table has the shape of IN; with --exclusive it has one row and
  one column more, as OpenCV's integral, so that the sum of rows [a, b) and columns [c, d) is
  t[b,d] - t[a,d] - t[b,c] + t[a,c].

Numbers:
  Sums are int64, uint64 or float64, depending on IN's type: wide enough for any image, as NumPy's
  sum. For float32 they are wider than NumPy's, because areas are differences of sums. --out-dtype
  takes these types and int32, uint32 and float32; sums of integers wrap around. SQUARES has the
  same type.

Memory:
  Two windows of each table, for a .npy file of any size; but at least two rows of a table, and 128
  rows for floats. Large images are summed in strips (of 64 rows or more for floats), with the bits
  of one table of the whole image. A PNG file is held in memory.

GPU:
  As for lookback scan: auto is the CPU. Tables of integers are the same. Floats are added in
  another order, the same in every run, and a window has at least 512 rows of each table.

Examples:
  lookback sat image.npy -o table.npy
  lookback sat photo.png -o integral.npy --exclusive --squares squares.npy
  lookback sat video.npy -o tables.npy --stack --out-dtype uint32 --json)";

inline constexpr const char* picture_notes = R"(
Images:
  PNG files of 8 or 16 bits, grey or RGB, with alpha or without. OUT has the bits and channels of
  IN; palettes become RGB, less than 8 bits become 8. Each channel is blurred separately, alpha too,
  as the numbers in the file; gamma, colour profiles and other metadata are not kept. OUT may be IN:
  it is replaced at the end, and not at all after an error.
  The images, and a table of 4 or 8 bytes for each channel of a pixel, are held in memory.

GPU:
  As for lookback scan: auto is the CPU. The results are the same. One channel of an image at a
  time has to fit in the GPU's memory, with its table.
)";

inline constexpr const char* blur_notes = R"(
Radius:
  A pixel becomes the mean of the (2R + 1) x (2R + 1) pixels around it, rounded to the nearest
  integer. The time does not depend on R, 0 to 8388607. radii.npy holds integers, in the shape
  H x W.
  Beyond its border, the image continues with its last pixel (clamp), with zeros, or mirrored
  (reflect: c b a | a b c).

Examples:
  lookback blur photo.png -o soft.png --radius 12
  lookback blur photo.png -o photo.png --radius radii.npy --border reflect)";

inline constexpr const char* dof_notes = R"(
Depth:
  A pixel becomes the mean of a square of 2R + 1 pixels a side, where R is A * |depth - F| rounded
  to the nearest integer. DEPTH has the size of IN; black in a PNG file is 0, white is 1. With the
  depth of a z-buffer, 1 - near / z, the squares have the size of a lens's circles of confusion.
  A square takes in pixels of any depth. So an object in focus spreads into a blurred background
  beside it (unless --keep-sharp-apart), and a blurred object before a sharp one ends at its edge.

Examples:
  lookback dof scene.png depth.png -o photo.png --focus .3 --aperture 8
  lookback dof scene.png metres.npy -o photo.png --focus 2.5 --aperture 3)";

}  // namespace lookback::cli
