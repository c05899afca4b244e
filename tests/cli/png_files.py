"""PNG files of every kind, written and read by a few lines of Python, without libpng."""

import struct
import zlib

import numpy as np

SIGNATURE = b"\x89PNG\r\n\x1a\n"
CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}  # of each colour type
COLOUR_TYPE = {1: 0, 2: 4, 3: 2, 4: 6}
ADAM7 = [(0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2),
         (1, 0, 2, 1)]  # first row, first column, step of rows, step of columns


def chunk(kind, data=b""):
    return (struct.pack(">I", len(data)) + kind + data +
            struct.pack(">I", zlib.crc32(kind + data)))


def header(height, width, depth, colour_type, interlaced=False):
    return chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour_type, 0, 0,
                                      interlaced))


def rows_of(samples, depth):
    """The bytes of an image's rows, each after a filter byte of 0; samples are H x W x C."""
    flat = samples.reshape(len(samples), -1)
    if depth < 8:
        bits = (flat[..., None] >> np.arange(depth - 1, -1, -1)) & 1
        flat = np.packbits(bits.reshape(len(flat), -1).astype(np.uint8), axis=1)
    return b"".join(b"\0" + row.astype(">u2" if depth == 16 else "u1").tobytes() for row in flat)


def write_png(samples, depth=None, colour_type=None, interlaced=False, more=b""):
    """A file of the samples, H x W or H x W x C; `more` are chunks before those of the image."""
    depth = depth or samples.dtype.itemsize * 8
    planes = samples if samples.ndim == 3 else samples[..., None]
    if colour_type is None:
        colour_type = COLOUR_TYPE[planes.shape[2]]
    parts = [planes[y::dy, x::dx] for y, x, dy, dx in ADAM7] if interlaced else [planes]
    data = b"".join(rows_of(part, depth) for part in parts if part.size)
    return (SIGNATURE + header(*samples.shape[:2], depth, colour_type, interlaced) + more +
            chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND"))


def chunks_of(file):
    assert file[:8] == SIGNATURE
    at = 8
    while at < len(file):
        size, = struct.unpack(">I", file[at:at + 4])
        data = file[at + 8:at + 8 + size]
        assert struct.unpack(">I", file[at + 8 + size:at + 12 + size])[0] == zlib.crc32(
            file[at + 4:at + 8 + size])
        yield file[at + 4:at + 8], data
        at += 12 + size


def unfiltered(data, height, row_bytes, pixel_bytes):
    rows = np.zeros((height + 1, pixel_bytes + row_bytes), np.uint8)  # a border of zeros
    for y in range(1, height + 1):
        kind, line = data[0], np.frombuffer(data[1:1 + row_bytes], np.uint8).astype(int)
        data = data[1 + row_bytes:]
        row, above = rows[y].astype(int), rows[y - 1].astype(int)
        for i in range(pixel_bytes, pixel_bytes + row_bytes):
            a, b, c = row[i - pixel_bytes], above[i], above[i - pixel_bytes]
            p = a + b - c
            nearest = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            row[i] = (line[i - pixel_bytes] + (0, a, b, (a + b) // 2, nearest)[kind]) % 256
        rows[y] = row
    assert data == b""
    return rows[1:, pixel_bytes:].tobytes()


def read_png(file):
    """The samples of a file as lookback writes it: 8 or 16 bits, without a palette."""
    found = list(chunks_of(file))
    width, height, depth, colour_type, *rest = struct.unpack(">IIBBBBB", found[0][1])
    assert found[0][0] == b"IHDR" and found[-1] == (b"IEND", b"") and rest == [0, 0, 0]
    channels = CHANNELS[colour_type]
    pixel_bytes = channels * depth // 8
    data = zlib.decompress(b"".join(data for kind, data in found if kind == b"IDAT"))
    samples = np.frombuffer(unfiltered(data, height, width * pixel_bytes, pixel_bytes),
                            ">u2" if depth == 16 else "u1")
    shape = (height, width) if channels == 1 else (height, width, channels)
    return samples.astype(np.uint16 if depth == 16 else np.uint8).reshape(shape)
