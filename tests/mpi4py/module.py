# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the tests of a module of mpi4py as one rank, and writes into FOLDER/RANK what becomes of each, line by line, so that it can
be seen where a rank hangs. Usage: module.py MODULE FOLDER LEFT_OUT; in FOLDER/done stand the names of those that are over."""

import os
import pathlib
import re
import sys
import unittest


class Recorder(unittest.TestResult):
    """A line for each test that begins or ends."""

    def __init__(self, file):
        super().__init__()
        self.file = file

    def write(self, what, test, text=""):
        # The line is in the file before the next call of MPI, which may be the last one.
        self.file.write(f"{what}\t{test.id()}\t{ascii(text)[1:-1][-3000:]}\n")
        self.file.flush()

    def startTest(self, test):
        super().startTest(test)
        self.write("begun", test)

    def addSuccess(self, test):
        self.write("passed", test)

    def addSkip(self, test, reason):
        self.write("skipped", test, reason)

    def addExpectedFailure(self, test, err):
        self.write("passed", test)

    def addUnexpectedSuccess(self, test):
        self.write("failed", test, "passes, which was not expected")

    def addError(self, test, err):
        self.write("failed", test, self._exc_info_to_string(err, test))

    addFailure = addError

    def addSubTest(self, test, subtest, err):
        if err is not None:
            self.write("failed", test, self._exc_info_to_string(err, test))


def single(suite):
    for one in suite:
        if isinstance(one, unittest.TestSuite):
            yield from single(one)
        else:
            yield one


def main():
    module, folder, left_out = sys.argv[1], pathlib.Path(sys.argv[2]), re.compile(sys.argv[3])
    sys.path.insert(0, os.getcwd())
    from mpi4py import MPI
    over = set((folder / "done").read_text().splitlines())
    suite = unittest.TestLoader().loadTestsFromName(module)
    with open(folder / str(MPI.COMM_WORLD.Get_rank()), "w", encoding="utf-8") as file:
        recorder = Recorder(file)
        for test in single(suite):
            if test.id() not in over and not left_out.match(test.id()):
                unittest.TestSuite([test])(recorder)


main()
