"""Runs that cannot end: signals, full disks, input that disappears. Nothing is left behind."""

import os
import resource
import signal
import subprocess
import tempfile
import time
import unittest

import numpy as np

from support import InDirectory, LOOKBACK


def no_core_file():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Signals(InDirectory):
    def start(self, *arguments, **more):
        child = subprocess.Popen([LOOKBACK, *arguments], cwd=self.directory, stderr=subprocess.PIPE,
                                 **more)
        self.addCleanup(child.stderr.close)
        self.addCleanup(child.kill)
        return child

    def wait_for_temporary_file(self, child, files=1):
        while child.poll() is None:
            if sum(name.startswith(".lookback-") for name in os.listdir(self.directory)) == files:
                return
            time.sleep(0.001)
        self.fail("the program ended before it was interrupted")

    def put_zeros(self, size):
        with open(self.path("x.bin"), "wb") as file:
            file.truncate(size)

    def interrupt(self, signal_number, *arguments, files=1):
        """The message of the program if a signal comes as soon as it writes its files."""
        child = self.start(*arguments, preexec_fn=no_core_file)
        self.wait_for_temporary_file(child, files)
        child.send_signal(signal_number)
        message = child.stderr.read()
        self.assertEqual(child.wait(), -signal_number)
        return message

    def test_signals_remove_the_unfinished_file(self):
        self.put_zeros(1 << 30)
        self.put("y.npy", b"as it was")
        for signal_number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT,
                              signal.SIGXCPU, signal.SIGALRM, signal.SIGUSR1, signal.SIGUSR2,
                              signal.SIGPIPE, signal.SIGRTMIN):
            message = self.interrupt(signal_number, "scan", "x.bin", "--dtype", "u1", "-o", "y.npy",
                                     "--out-dtype", "u8", "--window", "1")
            self.assertEqual(message, b"lookback: interrupted; y.npy was not written\n")
            self.assertEqual(sorted(os.listdir(self.directory)), ["x.bin", "y.npy"])
            with open(self.path("y.npy"), "rb") as file:
                self.assertEqual(file.read(), b"as it was")

    def test_signals_remove_all_unfinished_files(self):
        self.put_zeros(1 << 30)
        self.put("v.bin", b"as it was")
        for command in (["rle", "x.bin", "--lengths", "l.bin"],
                        ["partition", "x.bin", "--where", "x == 0", "--rest", "l.bin"],
                        ["reduce-by-key", "x.bin", "x.bin", "--key-dtype", "u1", "--values", "l.bin"]):
            message = self.interrupt(signal.SIGINT, *command, "--dtype", "u1", "-o", "v.bin",
                                     "--window", "4096", files=2)
            self.assertEqual(message, b"lookback: interrupted; v.bin was not written, "
                                      b"l.bin was not written\n")
            self.assertEqual(sorted(os.listdir(self.directory)), ["v.bin", "x.bin"])
            with open(self.path("v.bin"), "rb") as file:
                self.assertEqual(file.read(), b"as it was")

    def test_a_reader_that_goes_away_leaves_no_second_file(self):
        self.put_zeros(1 << 26)
        child = self.start("rle", "x.bin", "--dtype", "u1", "-o", "/dev/stdout", "--lengths", "l.bin",
                           stdout=subprocess.PIPE, preexec_fn=no_core_file)
        child.stdout.close()  # before the one run is written, at the end
        self.assertEqual(child.stderr.read(),
                         b"lookback: interrupted; /dev/stdout is incomplete, l.bin was not written\n")
        self.assertEqual(child.wait(), -signal.SIGPIPE)
        self.assertEqual(os.listdir(self.directory), ["x.bin"])

    def test_signals_remove_a_file_that_grows(self):
        self.put_zeros(1 << 30)
        for command in (["select", "x.bin", "--where", "x == 0"], ["unique", "x.bin"],
                        ["scan", "x.bin", "--by-key", "x.bin", "--key-dtype", "u1"]):
            message = self.interrupt(signal.SIGINT, *command, "--dtype", "u1", "-o", "y.npy",
                                     "--window", "4096")
            self.assertEqual(message, b"lookback: interrupted; y.npy was not written\n")
            self.assertEqual(os.listdir(self.directory), ["x.bin"])

    def test_ignored_signals_stay_ignored(self):
        self.put("x.bin", b"\0" * (32 << 20))
        child = self.start("scan", "x.bin", "--dtype", "u1", "-o", "y.bin", "--window", "1",
                           preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        self.wait_for_temporary_file(child)
        child.send_signal(signal.SIGHUP)
        self.assertEqual((child.stderr.read(), child.wait()), (b"", 0))
        self.assertEqual(os.path.getsize(self.path("y.bin")), 32 << 20)

    def test_input_that_is_truncated_during_the_run(self):
        # All of the file is cut off, or less than a page; then its end reads as zeros.
        for left in 0, (64 << 20) - 1:
            self.check_truncated_input(left)

    def check_truncated_input(self, left):
        self.put_zeros(64 << 20)
        # The pipe makes the program wait in the middle.
        child = self.start("scan", "x.bin", "--dtype", "u1", "-o", "/dev/stdout",
                           stdout=subprocess.PIPE)
        self.addCleanup(child.stdout.close)
        child.stdout.read(1 << 20)
        os.truncate(self.path("x.bin"), left)
        child.stdout.read()
        self.assertEqual(child.stderr.read(),
                         b"lookback: x.bin: cannot read: it was truncated during the run, or its disk "
                         b"failed\n")
        self.assertEqual(child.wait(), 2)

    def test_offsets_that_change_during_the_run(self):
        size = 64 << 20
        self.put_zeros(size)
        np.linspace(0, size, 30_001).astype(np.int64).tofile(self.path("offsets.bin"))
        # Windows have 8192 offsets; only the first window is read before the pipe is full.
        child = self.start("scan", "x.bin", "--dtype", "u1", "-o", "/dev/stdout", "--segments",
                           "offsets.bin", "--key-dtype", "i8", "--window", "65536",
                           stdout=subprocess.PIPE)
        self.addCleanup(child.stdout.close)
        child.stdout.read(1 << 20)
        with open(self.path("offsets.bin"), "r+b") as file:
            file.seek(20_000 * 8)
            np.array([1]).tofile(file)
        child.stdout.read()
        self.assertEqual(child.stderr.read(),
                         b"lookback: --segments: offset 1 was not there before; the file has changed "
                         b"while it was read\n")
        self.assertEqual(child.wait(), 2)


class FullDisk(InDirectory):
    def test_device(self):
        self.put("x.npy", np.zeros(1_000_000))
        self.refused("/dev/full: cannot write: No space left on device",
                     "scan", "x.npy", "-o", "/dev/full")

    def test_standard_output(self):
        self.put("x.npy", np.zeros(1_000_000))
        with open("/dev/full", "wb") as full:
            done = subprocess.run([LOOKBACK, "scan", self.path("x.npy"), "-o", "-"], stdout=full,
                                  stderr=subprocess.PIPE)
        self.assertEqual((done.returncode, done.stderr), (
            2, b"lookback: standard output: cannot write: No space left on device\n"))

    def test_report_that_cannot_be_printed(self):
        self.put("x.npy", np.arange(5))
        for arguments in (["scan", "x.npy", "-o", "x.npy"],
                          ["select", "x.npy", "-o", "x.npy", "--where", "x > 1"],
                          ["sort", "x.npy", "-o", "x.npy", "--descending"],
                          ["reduce-by-key", "x.npy", "x.npy", "-o", "x.npy", "--values", "y.npy"]):
            before = self.tree()
            with open("/dev/full", "wb") as full:
                done = subprocess.run([LOOKBACK, *arguments, "--json"], cwd=self.directory,
                                      stdout=full, stderr=subprocess.PIPE)
            self.assertEqual((done.returncode, done.stderr), (
                2, b"lookback: standard output: cannot write: No space left on device\n"))
            self.assertEqual(self.tree(), before)

    def test_file_system(self):
        self.put("x.npy", np.zeros(1_000_000))
        with tempfile.TemporaryDirectory() as small:
            mount = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", small],
                                   capture_output=True)
            if mount.returncode != 0:
                self.skipTest("mounting a file system is not permitted")
            try:
                for flags in [], ["--backward"]:
                    self.refused(f"{small}/y.npy: cannot write: No space left on device",
                                 "scan", "x.npy", "-o", f"{small}/y.npy", *flags)
                    self.assertEqual(os.listdir(small), [])
            finally:
                subprocess.run(["umount", small], check=True)

    def test_file_size_limit(self):
        self.put("x.npy", np.zeros(1_000_000))
        self.refused("y.npy: cannot write: File too large", "scan", "x.npy", "-o", "y.npy",
                     preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20)))


class Unwritable(InDirectory):
    def setUp(self):
        super().setUp()
        self.put("x.npy", np.arange(3))

    def test_places(self):
        os.mkdir(self.path("d.npy"))
        self.refused("d.npy: is a directory; expected a file", "scan", "x.npy", "-o", "d.npy")
        self.refused("no/y.npy: cannot write: No such file or directory",
                     "scan", "x.npy", "-o", "no/y.npy")
        self.refused("x.npy/y.npy: cannot write: Not a directory",
                     "scan", "x.npy", "-o", "x.npy/y.npy")

    @unittest.skipIf(os.getuid() == 0, "root may write everything")
    def test_permissions(self):
        self.put("y.npy", b"as it was")
        os.chmod(self.path("y.npy"), 0o444)
        self.refused("y.npy: cannot write: Permission denied", "scan", "x.npy", "-o", "y.npy")
        os.chmod(self.path("y.npy"), 0o644)
        os.chmod(self.directory, 0o555)
        self.refused("y.npy: cannot replace: no new file can be written beside it, in the "
                     "directory .: Permission denied", "scan", "x.npy", "-o", "y.npy")
        self.refused("z.npy: cannot write: Permission denied", "scan", "x.npy", "-o", "z.npy")
        os.chmod(self.directory, 0o755)

    def test_reader_that_goes_away(self):
        self.put("big.npy", np.zeros(1_000_000))
        child = subprocess.Popen([LOOKBACK, "scan", self.path("big.npy"), "-o", "-"],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        child.stdout.readline()
        child.stdout.close()
        self.assertEqual(child.stderr.read(), b"")
        child.stderr.close()
        self.assertNotEqual(child.wait(), 0)


if __name__ == "__main__":
    unittest.main()
