"""Arrays in NumPy's .npz files, read and written. NumPy reads the files too, with checksums."""

import io
import os
import struct
import unittest
import zipfile

import numpy as np

from support import InDirectory


def npy(x):
    file = io.BytesIO()
    np.save(file, x)
    return file.getvalue()


class Npz(InDirectory):
    random = np.random.default_rng(1)

    def put_npz(self, name, save=np.savez, **arrays):
        save(self.path(name), **arrays)

    def check(self, name, **arrays):
        """The file holds these arrays, in this order, and NumPy and zipfile find nothing wrong."""
        with zipfile.ZipFile(self.path(name)) as file:
            self.assertIsNone(file.testzip())
            self.assertEqual(file.namelist(), [key + ".npy" for key in arrays])
            offsets = [member.header_offset for member in file.infolist()]
        self.assertEqual(offsets[0], 0)
        with np.load(self.path(name)) as found:
            for key, x in arrays.items():
                np.testing.assert_array_equal(found[key], x, strict=True)

    def test_in(self):
        x = self.random.integers(-100, 100, 300_001).astype(np.int32)
        others = {"a": np.arange(5.0), "x": x, "z": np.zeros((3, 4), np.uint8)}
        self.put_npz("stored.npz", **others)
        self.put_npz("deflated.npz", np.savez_compressed, **others)
        self.put_npz("one.npz", only=x)
        self.put_npz("one_deflated.npz", np.savez_compressed, only=x)
        up, down = np.cumsum(x, dtype=np.int32), np.cumsum(x[::-1], dtype=np.int32)[::-1]
        for name in ("stored.npz:x", "deflated.npz:x", "stored.npz:x.npy", "one.npz", "one_deflated.npz",
                     "one.npz:only"):
            for more in [], ["--window", "1001"], ["--backward"]:
                with self.subTest(name, more=more):
                    self.lookback("scan", name, "-o", "y.npy", *more)
                    np.testing.assert_array_equal(np.load(self.path("y.npy")),
                                                  down if more == ["--backward"] else up, strict=True)
        for file in "stored.npz", "deflated.npz":
            self.lookback("scan", file + ":z", "-o", "y.npy", "--axis", "1")
            np.testing.assert_array_equal(np.load(self.path("y.npy")), others["z"])
            self.assertEqual(self.lookback("scan", file + ":a", "-o", "-"), b"0\n1\n3\n6\n10\n")
            self.lookback("sort", file + ":x", "-o", "y.npy")
            np.testing.assert_array_equal(np.load(self.path("y.npy")), np.sort(x), strict=True)

    def test_types_orders_and_empty_arrays(self):
        arrays = {"f": np.asfortranarray(self.random.random((7, 5))), "b": np.arange(9, dtype=">i4"),
                  "e": np.zeros(0, np.float32), "h": np.linspace(0, 1, 9, dtype=np.float16)}
        for save in np.savez, np.savez_compressed:
            self.put_npz("in.npz", save, **arrays)
            self.lookback("scan", "in.npz:f", "-o", "y.npy", "--axis", "0", "--op", "max")
            np.testing.assert_array_equal(np.load(self.path("y.npy")),
                                          np.maximum.accumulate(arrays["f"], 0))
            for key in "beh":
                self.lookback("scan", "in.npz:" + key, "-o", "y.npz:" + key, "--op", "min")
                self.check("y.npz", **{key: np.minimum.accumulate(arrays[key]).astype(
                    arrays[key].dtype.newbyteorder("="))})

    def test_archives_that_others_write(self):
        """Other fields, comments, two members of one name, a member that is not an array."""
        x = np.arange(1000)
        with zipfile.ZipFile(self.path("in.npz"), "w") as file:
            file.writestr("notes.txt", "no array")
            file.writestr("x.npy", npy(x[:3]))
            with self.assertWarns(UserWarning):
                file.writestr("x.npy", npy(x))  # the last one is the array, as for NumPy
            info = zipfile.ZipInfo("group/gr\u00f6\u00dfe:1.npy")
            info.extra, info.comment = struct.pack("<HH5s", 0xcafe, 5, b"extra"), b"PK\5\6"
            file.writestr(info, npy(-x), zipfile.ZIP_DEFLATED)
            file.comment = b"PK\5\6" + b" the comment of all" * 100
        for name, x_in in ("in.npz:x", x), ("in.npz:group/gr\u00f6\u00dfe:1", -x):
            self.lookback("scan", name, "-o", "y.npy")
            np.testing.assert_array_equal(np.load(self.path("y.npy")), np.cumsum(x_in))

    def test_a_name_that_is_another_with_its_suffix(self):
        names = {"v": np.arange(3), "v.npy": np.arange(5)}
        for order in names, reversed(names):
            with zipfile.ZipFile(self.path("in.npz"), "w") as file:
                for name in order:
                    file.writestr(name + ".npy", npy(names[name]))
            for name, x in ("v", names["v"]), ("v.npy", names["v"]), ("v.npy.npy", names["v.npy"]):
                self.lookback("scan", "in.npz:" + name, "-o", "y.npy")
                np.testing.assert_array_equal(np.load(self.path("y.npy")), np.cumsum(x))

    def test_numbers_of_64_bits(self):
        """ZIP64, which archives have from 4 GiB on, written by hand in a small file."""
        x, data = np.arange(99), npy(np.arange(99))
        with zipfile.ZipFile(self.path("plain.npz"), "w") as file:
            file.writestr("x.npy", data)
        plain = self.tree()["plain.npz"]
        at = plain.index(b"PK\1\2")
        entry = bytearray(plain[at:plain.index(b"PK\5\6")])
        size, = struct.unpack("<I", entry[24:28])
        entry[20:28] = entry[42:46] * 0 + b"\xff" * 8
        entry[42:46] = b"\xff" * 4
        field = struct.pack("<HHQQQ", 1, 24, size, size, 0)
        entry[30:32] = struct.pack("<H", 4 + len(field))
        entry += struct.pack("<HH", 0xcafe, 0) + field  # behind another field
        end = struct.pack("<4sQHHIIQQQQ", b"PK\6\6", 44, 45, 45, 0, 0, 1, 1, len(entry), at)
        locator = struct.pack("<4sIQI", b"PK\6\7", 0, at + len(entry), 1)
        last = struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, 0xffff, 0xffff, 0xffffffff, 0xffffffff, 0)
        self.put("wide.npz", plain[:at] + bytes(entry) + end + locator + last)
        np.testing.assert_array_equal(np.load(self.path("wide.npz"))["x"], x)
        self.lookback("scan", "wide.npz", "-o", "y.npy")
        np.testing.assert_array_equal(np.load(self.path("y.npy")), np.cumsum(x))

    @unittest.skipUnless("LOOKBACK_HUGE" in os.environ, "LOOKBACK_HUGE is not set: writes 9 GB")
    def test_more_than_4_gib(self):
        count = (1 << 32) + 5
        with open(self.path("x.bin"), "wb") as file:
            file.truncate(count)
        self.lookback("scan", "x.bin", "--dtype", "u1", "-o", "y.npz:big", "--init", "7")
        os.remove(self.path("x.bin"))
        with np.load(self.path("y.npz")) as found:
            self.assertEqual((found["big"].min(), found["big"].max()), (7, 7))
        self.assertEqual(self.lookback("reduce", "y.npz", "--op", "count"), f"{count}\n".encode())
        self.lookback("rle", "y.npz:big", "-o", "r.npz:values", "--lengths", "r.npz:lengths")
        self.check("r.npz", values=np.array([7], np.uint8), lengths=np.array([count]))

    def test_out(self):
        x = self.random.integers(0, 5, 500_001).astype(np.uint16)
        self.put("x.npy", x)
        up = np.cumsum(x, dtype=np.uint16)
        for more in [], ["--window", "1002"], ["--threads", "1"]:
            self.lookback("scan", "x.npy", "-o", "y.npz", *more)
            self.check("y.npz", arr_0=up)
            # Written from the end to the beginning, and of a length known only at the end.
            self.lookback("scan", "x.npy", "-o", "y.npz:sums", "--backward", *more)
            self.check("y.npz", sums=np.cumsum(x[::-1], dtype=np.uint16)[::-1])
            self.lookback("select", "x.npy", "-o", "y.npz", "--where", "x > 1", *more)
            self.check("y.npz", arr_0=x[x > 1])
        self.lookback("scan", "x.npy", "-o", "y.npz", "--axis", "0", "--backward")
        self.check("y.npz", arr_0=np.cumsum(x[::-1], dtype=np.uint16)[::-1])
        self.lookback("select", "-", "-o", "y.npz", "--where", "x > 9", stdin=b"1 2 3")
        self.check("y.npz", arr_0=np.zeros(0, np.int64))
        self.lookback("reduce", "x.npy", "-o", "y.npz:sum")
        self.check("y.npz", sum=np.array(up[-1]))

    def test_out_is_in(self):
        x = self.random.integers(0, 5, 100_001)
        self.put_npz("x.npz", x=x, y=-x)
        before = self.lookback("scan", "x.npz:y", "-o", "x.npz", "--json")
        self.assertIn(b'"n": 100001', before)
        self.check("x.npz", arr_0=np.cumsum(-x))

    def test_same_bytes_every_time(self):
        self.put("x.npy", np.arange(5000))
        self.lookback("scan", "x.npy", "-o", "y.npz")
        self.lookback("scan", "x.npy", "-o", "z.npz", "--window", "999")
        self.assertEqual(self.tree()["y.npz"], self.tree()["z.npz"])

    def test_several_results(self):
        x = np.repeat(np.arange(700), self.random.integers(1, 500, 700)).astype(np.int16)
        self.put("x.npy", x)
        values, lengths = np.unique(x, return_counts=True)
        for more in [], ["--window", "1000"]:
            self.lookback("rle", "x.npy", "-o", "r.npz", "--lengths", "r.npz", *more)
            self.check("r.npz", arr_0=values, arr_1=lengths)
            self.lookback("rle", "x.npy", "-o", "r.npz:values", "--lengths", "./r.npz:lengths", *more)
            self.check("r.npz", values=values, lengths=lengths)
            self.lookback("partition", "x.npy", "-o", "p.npz:low", "--rest", "p.npz:high", "--where",
                          "x < 99", *more)
            self.check("p.npz", low=x[x < 99], high=x[x >= 99])
        self.lookback("sort", "x.npy", "--by-key", "x.npy", "-o", "s.npz", "--keys", "s.npz:keys")
        self.check("s.npz", arr_0=x, keys=x)
        self.lookback("rle", "x.npy", "-o", "v.npz", "--lengths", "l.npz")  # two files
        self.check("v.npz", arr_0=values)
        self.check("l.npz", arr_0=lengths)
        self.lookback("reduce-by-key", "r.npz:values", "r.npz:lengths", "-o", "k.npz:k", "--values",
                      "k.npz:v")
        self.check("k.npz", k=values, v=lengths)

    def test_images(self):
        x = self.random.integers(0, 255, (30, 40), np.uint8)
        self.put_npz("x.npz", np.savez_compressed, image=x)
        self.lookback("sat", "x.npz", "-o", "t.npz:sums", "--squares", "t.npz:squares")
        self.check("t.npz", sums=x.cumsum(0, np.uint64).cumsum(1),
                   squares=(x.astype(np.uint64) ** 2).cumsum(0).cumsum(1))

    def test_refused(self):
        x = np.arange(10)
        self.put("x.npy", x)
        self.put_npz("two.npz", one=x, two=x)
        self.put_npz("many.npz", **{f"a{i:02}": x[:1] for i in range(23)})
        with zipfile.ZipFile(self.path("none.npz"), "w") as file:
            file.writestr("notes.txt", "no array")
        with zipfile.ZipFile(self.path("other.npz"), "w", zipfile.ZIP_BZIP2) as file:
            file.writestr("x.npy", npy(x))
        self.put("text.npz", b"1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16")
        self.put("short.npz", b"PK")
        whole = self.tree()["two.npz"]
        self.put("cut.npz", whole[:-30])
        names = ", ".join(f"'a{i:02}'" for i in range(20))
        for name, message in (
                ("two.npz", "two.npz: holds 2 arrays; expected two.npz:NAME with one of 'one', 'two'"),
                ("two.npz:three", "two.npz: holds no array 'three'; expected 'one', 'two'"),
                ("many.npz", f"many.npz: holds 23 arrays; expected many.npz:NAME with one of {names}, "
                             "3 more"),
                ("none.npz", "none.npz: holds no arrays"),
                ("none.npz:x", "none.npz: holds no arrays"),
                ("other.npz", "other.npz: 'x.npy' is packed by method 12; expected it stored or deflated"),
                ("text.npz", "text.npz: not a .npz file, or truncated: it has no directory"),
                ("short.npz", "short.npz: not a .npz file, or truncated: it has no directory"),
                ("cut.npz:one", "cut.npz: not a .npz file, or truncated: it has no directory"),
                ("gone.npz:x", "gone.npz: cannot read: No such file or directory")):
            with self.subTest(name):
                self.refused(message, "scan", name, "-o", "y.npy")
        self.refused("--dtype int64: is for raw numbers and text; two.npz:one names its own type", "scan",
                     "two.npz:one", "-o", "y.npy", "--dtype", "i8")
        for second in "r.npz:arr_0", "./r.npz:arr_0":
            self.refused(f"--lengths {second}: -o names this file, too; expected another file", "rle",
                         "x.npy", "-o", "r.npz", "--lengths", second)
        self.refused("long.npz: the name of an array of 70004 bytes; expected at most 65535", "scan",
                     "x.npy", "-o", "long.npz:" + "a" * 70000)
        self.refused("bytes.npz: the name of an array is not UTF-8; expected one that is", "scan",
                     "x.npy", "-o", "bytes.npz:\udcff")
        os.mkfifo(self.path("pipe.npz"))
        reader = os.open(self.path("pipe.npz"), os.O_RDONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, reader)
        self.refused("pipe.npz: .npz files are not written in order; expected a regular file", "scan",
                     "x.npy", "-o", "pipe.npz")

    def test_damaged(self):
        x = self.random.integers(0, 255, 30_000)
        for save, said in ((np.savez, ": 'x.npy' is damaged: its checksum does not match"),
                           (np.savez_compressed, ":x: damaged: ")):
            self.put_npz("good.npz", save, x=x, y=x)
            good = self.tree()["good.npz"]
            for at in 1000, 20_000:
                self.put("bad.npz", good[:at] + bytes([good[at] ^ 8]) + good[at + 1:])
                for command in (["scan", "bad.npz:x", "-o", "y.npy"], ["sort", "bad.npz:x", "-o", "y.npy"],
                                ["scan", "bad.npz:x", "-o", "y.npy", "--window", "1000"],
                                ["scan", "bad.npz:x", "-o", "y.npy", "--axis", "0"]):
                    done = self.run_lookback(*command)
                    self.assertEqual(done.returncode, 2, command)
                    self.assertIn("lookback: bad.npz" + said, done.stderr.decode())
                    self.assertNotIn("y.npy", self.tree())
        # Damages each byte of the records, except names, dates and fields that only unzip uses.
        self.put_npz("small.npz", x=np.arange(3))
        small = self.tree()["small.npz"]
        for at in range(len(small)):
            bad = bytearray(small)
            bad[at] ^= 0xff
            self.put("bad.npz", bytes(bad))
            done = self.run_lookback("scan", "bad.npz:x", "-o", "-")
            if done.returncode == 0:
                self.assertEqual(done.stdout, b"0\n1\n3\n", at)
            else:
                self.assertEqual(done.returncode, 2, (at, done.stderr))
                self.assertRegex(done.stderr.decode(), r"\Alookback: bad\.npz.*\n\Z")


if __name__ == "__main__":
    unittest.main()
