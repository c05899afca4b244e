"""Standard input, output and error that are closed, full, or named by a path."""

import json
import os
import resource
import subprocess
import unittest

import numpy as np

from support import InDirectory, LOOKBACK

SUMS = np.array([0, 1, 3])


class Descriptors(InDirectory):
    def setUp(self):
        super().setUp()
        self.put("x.npy", np.arange(3))

    def shell(self, redirection, *arguments):
        """Runs the program with a redirection in the shell's syntax."""
        return subprocess.run(["/bin/sh", "-c", f'"$0" "$@" {redirection}', LOOKBACK, *arguments],
                              cwd=self.directory, capture_output=True)


class Closed(Descriptors):
    def test_output_goes_to_its_file(self):
        for redirection in ">&-", "2>&-", "<&-", "<&- >&- 2>&-":
            with self.subTest(redirection):
                done = self.shell(redirection, "scan", "x.npy", "-o", "y.npy")
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))
                np.testing.assert_array_equal(np.load(self.path("y.npy")), SUMS)
                os.remove(self.path("y.npy"))

    def test_use_is_an_error(self):
        for redirection, source, target, message in (
                (">&-", "x.npy", "-", "standard output: cannot write"),
                ("<&-", "-", "y.npy", "standard input: cannot read")):
            done = self.shell(redirection, "scan", source, "-o", target)
            self.assertEqual((done.returncode, done.stderr.decode()),
                             (2, f"lookback: {message}: Bad file descriptor\n"))

    def test_messages_stay_out_of_files(self):
        done = self.shell("2>&-", "scan", "no.npy", "-o", "y.npy")
        self.assertEqual((done.returncode, sorted(self.tree())), (2, ["x.npy"]))


class StandardErrorThatIsFull(Descriptors):
    def test_exit_code(self):
        for arguments in ["scan", "no.npy", "-o", "y.npy"], ["sort"], []:
            self.assertEqual(self.shell("2>/dev/full", *arguments).returncode, 2)


class NamedByAPath(Descriptors):
    def scan_to_log(self, stream, name, *arguments):
        """Scans to the file `name`, with one of the standard streams appended to a log."""
        with open(self.path("log"), "ab") as log:
            streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, stream: log}
            return subprocess.run([LOOKBACK, "scan", "x.npy", "-o", name, *arguments],
                                  cwd=self.directory, **streams)

    def test_files_are_appended_to(self):
        os.symlink("/dev/stdout", self.path("link.bin"))
        for name, stream in (("/dev/stdout", "stdout"), ("/dev/stderr", "stderr"),
                             ("/dev/fd/1", "stdout"), ("/proc/self/fd/2", "stderr"),
                             ("link.bin", "stdout")):
            for flags in [], ["--backward"]:
                with self.subTest(name):
                    self.put("log", b"as it was\n")
                    before = os.stat(self.path("log")).st_ino
                    self.assertEqual(self.scan_to_log(stream, name, *flags).returncode, 0)
                    sums = np.array([3, 3, 2]) if flags else SUMS
                    self.assertEqual(self.tree()["log"], b"as it was\n" + sums.tobytes())
                    self.assertEqual(os.stat(self.path("log")).st_ino, before)

    def test_files_are_written_from_where_they_stand(self):
        with open(self.path("log"), "wb", buffering=0) as log:
            log.write(b"before")
            subprocess.run([LOOKBACK, "scan", "x.npy", "-o", "/dev/stdout"], cwd=self.directory,
                           stdout=log, check=True)
            log.write(b"after")
        self.assertEqual(self.tree()["log"], b"before" + SUMS.tobytes() + b"after")

    def test_report_goes_elsewhere(self):
        done = self.scan_to_log("stdout", "/dev/stdout", "--json")
        self.assertEqual(json.loads(done.stderr)["n"], 3)
        self.assertEqual(self.tree()["log"], SUMS.tobytes())

    def test_what_is_not_open_is_refused(self):
        self.refused("/dev/fd/99: cannot write: Bad file descriptor",
                     "scan", "x.npy", "-o", "/dev/fd/99")

    def test_init_is_checked_before_anything_is_written(self):
        os.symlink("/dev/stdout", self.path("y.npy"))
        self.refused("--init: 'five' is not a number",
                     "scan", "x.npy", "-o", "y.npy", "--init", "five")


class Threads(Descriptors):
    @unittest.skipIf("LOOKBACK_THREAD_SANITIZER" in os.environ,
                     "the thread sanitizer itself does not start where stacks may be so large")
    def test_none_to_be_had(self):
        # There is no room for stacks of this size.
        def ask_for_huge_stacks():
            resource.setrlimit(resource.RLIMIT_STACK, (1 << 50, resource.RLIM_INFINITY))
        self.put("many.npy", np.zeros(100_000))
        self.refused("cannot start a thread: Resource temporarily unavailable",
                     "scan", "many.npy", "-o", "y.npy", preexec_fn=ask_for_huge_stacks)
        # A few numbers need no thread.
        done = self.run_lookback("scan", "x.npy", "-o", "y.npy", preexec_fn=ask_for_huge_stacks)
        self.assertEqual((done.returncode, done.stderr), (0, b""))


if __name__ == "__main__":
    unittest.main()
