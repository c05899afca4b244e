"""The progress bar: only on a terminal, only after a second, and gone at the end."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
import time
import unittest


from support import InDirectory, LOOKBACK

BAR = re.compile(rb"\[#*\.*\] +\d+ %  \d+\.\d\d GB/s  \d+:\d\d left")


class Terminal(InDirectory):
    def run_on_terminal(self, *arguments, seconds, columns=80):
        """Runs with standard error on a terminal; reads the output so slowly that it takes `seconds`."""
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        child = subprocess.Popen([LOOKBACK, *arguments], cwd=self.directory, stderr=slave,
                                 stdout=subprocess.PIPE)
        os.close(slave)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            child.stdout.read(1 << 20)
            time.sleep(0.05)
        while child.stdout.read(1 << 20):
            pass
        child.stdout.close()
        self.assertEqual(child.wait(), 0)
        shown = b""
        try:
            while more := os.read(master, 1 << 16):
                shown += more
        except OSError:  # Linux's way to say that the other side is closed
            pass
        os.close(master)
        return shown

    def setUp(self):
        super().setUp()
        self.put("x.bin", b"\0" * (64 << 20))

    def test_long_job(self):
        self.check_long_job("scan")

    def test_long_jobs_of_other_commands(self):
        self.check_long_job("select", "--where", "x == 0")
        self.check_long_job("partition", "--where", "x != 0")  # reads its input twice
        self.check_long_job("scan", "--by-key", "x.bin", "--key-dtype", "u1")

    def check_long_job(self, command, *options):
        shown = self.run_on_terminal(command, "x.bin", "--dtype", "u1", "-o", "/dev/stdout",
                                     *options, seconds=1.8)
        lines = [line for line in shown.split(b"\r") if line]
        self.assertGreaterEqual(len(lines), 3, shown)
        for line in lines[:-1]:
            self.assertRegex(line, rb"^" + BAR.pattern + rb"\x1b\[K$")
        self.assertEqual(lines[-1], b"\x1b[K")
        percents = [int(re.search(rb"(\d+) %", line)[1]) for line in lines[:-1]]
        self.assertEqual(percents, sorted(percents))
        self.assertLessEqual(percents[-1], 100)

    def test_short_job(self):
        self.put("x.bin", b"\0" * (4 << 20))  # short on a slow machine too
        self.assertEqual(self.run_on_terminal("scan", "x.bin", "--dtype", "u1", "-o", "/dev/stdout",
                                              "--window", "1", seconds=0), b"")

    def test_not_among_results_on_the_terminal(self):
        master, slave = pty.openpty()
        child = subprocess.Popen([LOOKBACK, "scan", "x.bin", "--dtype", "u1", "-o", "/dev/stdout",
                                  "--window", "1"], cwd=self.directory, stderr=slave, stdout=slave)
        os.close(slave)
        shown = b""
        end = time.monotonic() + 1.8
        while time.monotonic() < end:  # so slowly that the job does not end earlier
            for _ in range(32):
                shown += os.read(master, 1 << 12)
            time.sleep(0.02)
        child.kill()
        child.wait()
        os.close(master)
        self.assertEqual(set(shown), {0})

    def test_narrow_terminal(self):
        for columns in 30, 10:
            shown = self.run_on_terminal("scan", "x.bin", "--dtype", "u1", "-o", "/dev/stdout",
                                         seconds=1.6, columns=columns)
            lines = [line.removesuffix(b"\x1b[K") for line in shown.split(b"\r") if line]
            self.assertGreaterEqual(len(lines), 2, shown)
            self.assertLess(max(map(len, lines)), columns)

    def test_no_terminal(self):
        child = subprocess.Popen([LOOKBACK, "scan", "x.bin", "--dtype", "u1", "-o", "/dev/stdout"],
                                 cwd=self.directory, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(1.2)
        child.stdout.read()
        self.assertEqual(child.stderr.read(), b"")
        child.stdout.close()
        child.stderr.close()
        self.assertEqual(child.wait(), 0)


if __name__ == "__main__":
    unittest.main()
