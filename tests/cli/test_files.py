"""Files in and out: versions, layouts, raw numbers, and where the output goes."""

import os
import stat
import unittest

import numpy as np

from support import CORPUS, InDirectory


class Npy(InDirectory):
    def test_versions(self):
        x = np.arange(1000, dtype=np.int32)
        for version in (1, 0), (2, 0), (3, 0):
            with open(self.path("in.npy"), "wb") as file:
                np.lib.format.write_array(file, x, version)
            self.lookback("scan", "in.npy", "-o", "out.npy")
            np.testing.assert_array_equal(np.load(self.path("out.npy")), np.cumsum(x, dtype=x.dtype))

    def test_numbers_anywhere(self):
        # The numbers of these files begin at every remainder of 8.
        x = np.arange(100_000, dtype=np.float64)
        for length in range(80, 88):
            text = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {x.shape}}}".ljust(length)
            self.put("in.npy", np.lib.format.magic(1, 0) + length.to_bytes(2, "little") +
                     text.encode() + x.tobytes())
            for flags in [], ["--backward"]:
                self.lookback("scan", "in.npy", "-o", "out.npy", *flags)
                x_scanned = x[::-1] if flags else x
                np.testing.assert_array_equal(np.load(self.path("out.npy")),
                                              np.cumsum(x_scanned)[::-1 if flags else 1])

    def test_written_files_are_numpys(self):
        x = np.arange(10, dtype=np.int16)
        self.scan(x)
        np.save(self.path("numpy.npy"), np.cumsum(x, dtype=np.int16))
        tree = self.tree()
        self.assertEqual(tree["out.npy"], tree["numpy.npy"])

    def test_corpus(self):
        folder = os.path.join(CORPUS, "npy")
        for name in sorted(os.listdir(folder)):
            if name.startswith("good_"):
                with self.subTest(name):
                    self.lookback("scan", os.path.join(folder, name), "-o", "out.npy")
                    x = np.load(os.path.join(folder, name))
                    np.testing.assert_array_equal(np.load(self.path("out.npy")),
                                                  np.cumsum(x, dtype=x.dtype), strict=True)


class Raw(InDirectory):
    def test_raw_numbers(self):
        x = np.arange(1000, dtype=np.uint16)
        sums = np.cumsum(x, dtype=np.uint16).tobytes()
        for source, target in ("x.bin", "y.bin"), ("x.dat", "y.dat"), ("x", "y"):
            self.put(source, x)
            self.lookback("scan", source, "--dtype", "uint16", "-o", target)
            self.assertEqual(self.tree()[target], sums)

    def test_to_and_from_npy(self):
        x = np.arange(1000, dtype=np.float32)
        self.put("x.bin", x)
        self.lookback("scan", "x.bin", "--dtype", "f4", "-o", "y.npy")
        np.testing.assert_array_equal(np.load(self.path("y.npy")), np.cumsum(x), strict=True)
        self.lookback("scan", "y.npy", "-o", "z.bin", "--op", "max")
        self.assertEqual(self.tree()["z.bin"], np.cumsum(x).tobytes())

    def test_empty(self):
        self.put("x.bin", b"")
        self.lookback("scan", "x.bin", "--dtype", "i4", "-o", "y.npy")
        np.testing.assert_array_equal(np.load(self.path("y.npy")), np.zeros(0, np.int32), strict=True)


class Targets(InDirectory):
    def test_output_may_be_the_input(self):
        x = np.random.default_rng(1).integers(0, 9, 500_000)
        for flags in [], ["--backward", "--window", "1"]:
            self.put("x.npy", x)
            self.lookback("scan", "x.npy", "-o", "x.npy", *flags)
            self.assertEqual(list(self.tree()), ["x.npy"])
            y = np.load(self.path("x.npy"))
            np.testing.assert_array_equal(y, np.cumsum(x[::-1])[::-1] if flags else np.cumsum(x))

    def test_permissions_and_links_stay(self):
        self.put("x.npy", np.arange(3))
        os.chmod(self.path("x.npy"), 0o604)
        os.symlink("x.npy", self.path("link.npy"))
        self.lookback("scan", "link.npy", "-o", "link.npy")
        self.assertTrue(os.path.islink(self.path("link.npy")))
        self.assertEqual(stat.S_IMODE(os.stat(self.path("x.npy")).st_mode), 0o604)
        np.testing.assert_array_equal(np.load(self.path("x.npy")), [0, 1, 3])

    def test_device(self):
        self.put("x.npy", np.arange(3))
        self.lookback("scan", "x.npy", "-o", "/dev/null")
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))

    def test_standard_output_by_its_device_name(self):
        self.put("x.npy", np.arange(3))
        for flags in [], ["--backward"]:
            out = self.lookback("scan", "x.npy", "-o", "/dev/stdout", *flags)
            self.assertEqual(out, np.array([3, 3, 2] if flags else [0, 1, 3]).tobytes())


if __name__ == "__main__":
    unittest.main()
