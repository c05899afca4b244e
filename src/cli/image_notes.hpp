/// \file
/// The text below the options in the help of the commands on images.
#pragma once

namespace lookback::cli {

inline constexpr const char* sat_notes = R"(
Images:
  A .npy or .npz array of any type is H x W; with --channels H x W x C, with --stack N x H x W, with
  both N x H x W x C. Any other name is a PNG file, of 8 or 16 bits, which says itself whether it
  has channels: 2 for grey and alpha, 3 for RGB, 4 for RGBA. OUT is *.npy, *.npz, *.bin, or - for
  text, and may be IN. The table has the shape of IN; with --exclusive one row and one column more,
  as OpenCV's integral, so that the sum of rows [a, b) and columns [c, d) is
  t[b,d] - t[a,d] - t[b,c] + t[a,c].

Numbers:
  Sums are int64, uint64 or float64, after IN's type: wide enough for any image, as in NumPy's sum,
  and of float32 wider than there, because areas are differences of sums. --out-dtype takes these
  and int32, uint32 and float32; sums of integers wrap around. SQUARES has the same type.

Memory:
  Two windows of each table, whatever the size of a .npy file, but at least two rows of a table, and
  of floats 128: large images are summed in strips of 64 rows or more, with the bits of one table of
  the whole. A PNG file is held in memory.

GPU:
  As for lookback scan: auto is the CPU. Tables of integers are the same; of floats a window has at
  least 512 rows of each table, which are added in another order, the same in every run.

Examples:
  lookback sat image.npy -o table.npy
  lookback sat photo.png -o integral.npy --exclusive --squares squares.npy
  lookback sat video.npy -o tables.npy --stack --out-dtype uint32 --json)";

inline constexpr const char* picture_notes = R"(
Images:
  PNG files of 8 or 16 bits, grey or RGB, with alpha or without. OUT has the bits and channels of
  IN; palettes become RGB, less than 8 bits become 8. Each channel is blurred by itself, alpha too,
  as the numbers that the file holds; gamma, profiles of colours and other notes are not kept. OUT
  may be IN: it is replaced at the end, or after an error not at all.
  The images and a table of 4 or 8 bytes a channel are held in memory.

GPU:
  As for lookback scan: auto is the CPU. The results are the same. An image has to fit into the
  GPU's memory, one channel at a time, with its table.
)";

inline constexpr const char* blur_notes = R"(
Radius:
  A pixel becomes the mean of the (2R + 1) x (2R + 1) pixels around it, to the nearest integer. It
  takes the same time however large R is, 0 to 8388607. radii.npy holds integers, in the shape
  H x W.
  Beyond its border the image goes on with its last pixel (clamp), with zeros, or as in a mirror
  behind that pixel (reflect: c b a | a b c).

Examples:
  lookback blur photo.png -o soft.png --radius 12
  lookback blur photo.png -o photo.png --radius radii.npy --border reflect)";

inline constexpr const char* dof_notes = R"(
Depth:
  A pixel becomes the mean of a square of 2R + 1 pixels a side, where R is A * |depth - F|, to the
  nearest integer. DEPTH has the size of IN; black in a PNG file is 0, white is 1. By the depth of a
  z-buffer, 1 - near / z, these are the circles of confusion of a lens.
  A square takes in what lies around it, whatever its depth: what is in focus shines into a blurred
  background beside it, but for --keep-sharp-apart; and what is blurred in front of something sharp
  ends at its own edge.

Examples:
  lookback dof scene.png depth.png -o photo.png --focus .3 --aperture 8
  lookback dof scene.png metres.npy -o photo.png --focus 2.5 --aperture 3)";

}  // namespace lookback::cli
