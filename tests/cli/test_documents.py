"""The sessions in docs/command_line.md: each command, in the shell, prints what the page says."""

import os
import pathlib
import re
import subprocess
import sys
import unittest

from support import InDirectory, LOOKBACK

DOCUMENT = pathlib.Path(__file__).resolve().parents[2] / "docs" / "command_line.md"


class Sessions(InDirectory):
    def test_commands_print_what_the_page_says(self):
        os.mkdir(self.path("bin"))
        os.symlink(LOOKBACK, self.path("bin/lookback"))
        os.symlink(sys.executable, self.path("bin/python3"))
        environment = {**os.environ, "PATH": self.path("bin") + os.pathsep + os.environ["PATH"]}
        commands = 0
        for session in re.findall(r"^```console\n(.*?)^```$", DOCUMENT.read_text(),
                                  re.DOTALL | re.MULTILINE):
            for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", session,
                                                re.MULTILINE):
                done = subprocess.run(["sh", "-c", command], cwd=self.directory, env=environment,
                                      capture_output=True, text=True, timeout=300)
                self.assertEqual((done.stdout, done.stderr), (expected, ""), command)
                commands += 1
        self.assertGreater(commands, 20)


if __name__ == "__main__":
    unittest.main()
