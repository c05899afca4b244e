"""Files in and out: versions, layouts, raw numbers, and where the output goes."""

import io
import os
import stat
import struct
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
                    sums = np.cumsum(x, dtype=np.int64 if x.dtype == bool else x.dtype.newbyteorder("="))
                    np.testing.assert_array_equal(np.load(self.path("out.npy")), sums, strict=True)


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


class Pipes(InDirectory):
    def test_npy_and_raw(self):
        x = np.random.default_rng(3).integers(-9, 9, 100_000).astype(np.int32)
        files = {}
        for name, y in ("x", x), ("sums", np.cumsum(x, dtype=np.int32)), ("sorted", np.sort(x)), (
                "kept", x[x > 3]), ("mask", x > 3):
            self.put(name + ".npy", y)
            files[name] = self.tree()[name + ".npy"]
        for command, result in (["scan", "-"], "sums"), (["sort", "-"], "sorted"), (
                ["select", "-", "--where", "x > 3"], "kept"):
            out = self.lookback(*command, "--format", "npy", stdin=files["x"])
            self.assertEqual(out, files[result])
            out = self.lookback(*command, "--format", "raw", "--dtype", "i4", stdin=x.tobytes())
            self.assertEqual(out, np.load(self.path(result + ".npy")).tobytes())
        out = self.lookback("select", "x.npy", "--mask", "-", "--format", "npy", "-o", "-",
                            stdin=files["mask"])
        self.assertEqual(out, files["kept"])
        self.put("f.npy", np.asfortranarray(x.reshape(100, 1000).astype(">f2")))
        out = self.lookback("scan", "-", "--format", "npy", "--op", "max", stdin=self.tree()["f.npy"])
        np.testing.assert_array_equal(np.load(io.BytesIO(out)), np.maximum.accumulate(x.astype(np.float16)))

    def test_refused(self):
        self.refused("standard input: the file is empty; expected a NumPy array",
                     "scan", "-", "--format", "npy")
        self.refused("standard input: 3 bytes; expected a multiple of 4, the size of int32",
                     "scan", "-", "--format", "raw", "--dtype", "i4", stdin=b"123")
        self.refused("--format xml: unknown format; expected text, npy or raw", "scan", "-", "--format", "xml")


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

    def test_access_control_lists_and_attributes_stay(self):
        def entries(*of):
            everybody = 0xffffffff
            return struct.pack("<I", 2) + b"".join(
                struct.pack("<HHI", tag, rights, everybody if who is None else who)
                for tag, rights, who in of)
        # The owner rw, user 12345 r, the group nothing, the mask rw, others nothing.
        acl = entries((1, 6, None), (2, 4, 12345), (4, 0, None), (0x10, 6, None), (0x20, 0, None))
        inherited = entries((1, 6, None), (2, 6, 54321), (4, 6, None), (0x10, 6, None), (0x20, 6, None))
        self.put("x.npy", np.arange(3))
        self.put("plain.npy", np.arange(3))
        try:
            os.setxattr(self.path("x.npy"), "user.origin", b"a \0 b")
            os.setxattr(self.path("x.npy"), "system.posix_acl_access", acl)
            os.chmod(self.path("plain.npy"), 0o660)
            os.setxattr(self.directory, "system.posix_acl_default", inherited)
        except OSError as problem:
            self.skipTest(f"no attributes here: {problem}")
        for name in "x.npy", "plain.npy":
            self.lookback("scan", name, "-o", name)
        x = self.path("x.npy")
        self.assertEqual(os.getxattr(x, "system.posix_acl_access"), acl)
        self.assertEqual(os.getxattr(x, "user.origin"), b"a \0 b")
        self.assertEqual(stat.S_IMODE(os.stat(x).st_mode), 0o660)
        self.assertEqual(os.listxattr(self.path("plain.npy")), [])
        self.assertEqual(stat.S_IMODE(os.stat(self.path("plain.npy")).st_mode), 0o660)

    @unittest.skipUnless(os.getuid() == 0, "only root can give files away")
    def test_a_group_that_cannot_be_kept(self):
        # Others may read, the group may not. Afterwards, its members count as others.
        def leave_root():
            os.setgroups([])
            os.setgid(12345)
            os.setuid(12345)
        os.chmod(self.directory, 0o777)
        for mode, after in (0o606, 0o600), (0o646, 0o604), (0o666, 0o606):
            self.put("x.npy", np.arange(3))
            os.chown(self.path("x.npy"), 12345, 54321)
            os.chmod(self.path("x.npy"), mode)
            done = self.run_lookback("scan", "x.npy", "-o", "x.npy", preexec_fn=leave_root)
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            found = os.stat(self.path("x.npy"))
            self.assertEqual((found.st_gid, stat.S_IMODE(found.st_mode)), (12345, after))

    def test_hard_links_keep_the_old_data(self):
        self.put("x.npy", np.arange(3))
        os.link(self.path("x.npy"), self.path("other.npy"))
        self.lookback("scan", "x.npy", "-o", "x.npy")
        np.testing.assert_array_equal(np.load(self.path("x.npy")), [0, 1, 3])
        np.testing.assert_array_equal(np.load(self.path("other.npy")), [0, 1, 2])

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
