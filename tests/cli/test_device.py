"""--device without a GPU, in builds with and without CUDA. (With a GPU: gpu_test.py,
gpu_compaction_test.py, gpu_images_test.py.)"""

import json
import re
import unittest

import numpy as np

from png_files import write_png
from support import InDirectory, expected


class Device(InDirectory):
    def setUp(self):
        super().setUp()
        self.x = np.arange(6, dtype=np.int32).reshape(2, 3)
        self.put("x.npy", self.x)

    def scan_refused(self, message, *arguments):
        self.refused(message, "scan", "x.npy", "-o", "o.npy", *arguments)

    # Each command, with everything that it needs.
    COMMANDS = (["scan", "k.npy", "-o", "o.npy", "--by-key", "k.npy"],
                ["scan", "k.npy", "-o", "o.npy", "--segments", "offsets.npy"],
                ["select", "k.npy", "-o", "o.npy", "--where", "x > 2"],
                ["partition", "k.npy", "-o", "o.npy", "--where", "x > 2"],
                ["unique", "k.npy", "-o", "o.npy"],
                ["rle", "k.npy", "-o", "o.npy", "--lengths", "l.npy"],
                ["reduce-by-key", "k.npy", "k.npy", "-o", "o.npy", "--values", "v.npy"],
                ["sort", "k.npy", "-o", "o.npy"],
                ["sort", "k.npy", "-o", "o.npy", "--by-key", "k.npy"],
                ["sat", "x.npy", "-o", "o.npy"])
    OF_PICTURES = (["blur", "x.png", "-o", "o.png", "--radius", "1"],
                   ["dof", "x.png", "x.png", "-o", "o.png", "--focus", ".2", "--aperture", "9"])

    def put_lines(self):
        self.put("x.png", write_png(np.arange(30, dtype=np.uint8).reshape(5, 6)))
        self.put("k.npy", np.arange(6))
        self.put("offsets.npy", np.array([0, 2, 6]))

    def test_auto_and_cpu_need_no_gpu(self):
        for arguments in [], ["--device", "auto"], ["--device", "cpu"]:
            np.testing.assert_array_equal(self.scan(self.x, *arguments),
                                          expected(self.x.ravel(), "sum"), strict=True)

    def test_every_command_has_a_device(self):
        self.put_lines()
        for command in self.COMMANDS + self.OF_PICTURES:
            written = []
            for device in [], ["--device", "auto"], ["--device", "cpu"]:
                done = json.loads(self.lookback(*command, *device, "--json"))
                self.assertEqual(done["device"], "cpu")
                written.append(self.tree())
            self.assertEqual(written[1:], written[:1] * 2)
            self.refused("--device gpu: unknown device; expected auto, cpu or cuda", *command,
                         "--device", "gpu")

    def test_unknown(self):
        self.scan_refused("--device gpu: unknown device; expected auto, cpu or cuda",
                          "--device", "gpu")

    def test_cuda_without_a_gpu_says_why_as_info_does(self):
        self.put_lines()
        why = re.search(r"GPUs +none: (.*)", self.lookback("info").decode())
        if not why:
            self.skipTest("there is a GPU")
        self.assertRegex(why[1], "^this build has no CUDA support; expected one made with "
                         "-DLOOKBACK_CUDA=ON, which needs nvcc$|"
                         "^no NVIDIA driver is installed$|^the NVIDIA driver ")
        self.scan_refused(f"--device cuda: {why[1]}", "--device", "cuda")
        self.refused(f"--device cuda: {why[1]}", "scan", "-", "--device", "cuda", stdin=b"1 2")
        for command in self.COMMANDS + self.OF_PICTURES:
            self.refused(f"--device cuda: {why[1]}", *command, "--device", "cuda")

    def test_cuda_is_for_one_line(self):
        self.scan_refused("--device cuda: scans one line of numbers; expected --device cpu with "
                          "--axis 0", "--device", "cuda", "--axis", "0")
        self.scan_refused("--device cuda: scans one line of numbers; expected --device cpu with "
                          "--axis -1", "--device", "cuda", "--axis", "-1")

    def test_cuda_has_windows_of_its_own(self):
        self.put_lines()
        for command in (["scan", "x.npy", "-o", "o.npy"], *self.COMMANDS):
            self.refused("--window: is for the CPU; with --device cuda, windows have a size of "
                         "their own",
                         *command, "--device", "cuda", "--window", "1000000")


if __name__ == "__main__":
    unittest.main()
