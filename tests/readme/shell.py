# SPDX-License-Identifier: GPL-3.0-or-later
"""One bash, into which commands are typed: what they set, where they go and what they leave running stays."""
import os
import pathlib
import select
import shlex
import signal
import subprocess
import time

from blocks import Failure

# As an interactive shell, each command is a job with a process group of its own.
READER = r"""
set -m
while IFS= read -r -d '' typed <&{commands}; do
    eval "$typed" < /dev/null >> "$TYPED_OUTPUT" 2>&1 {commands}<&- {answers}>&-
    printf '%s %s\n' "$?" "$PWD" >&{answers}
done
"""
END_SECONDS = 20


class Shell:
    """@param output   the file that gets what commands print, also those that go on in the background"""

    def __init__(self, directory, environment, output):
        self._directory = pathlib.Path(directory)
        self._output = output
        self._read = 0
        commands, self._typing = os.pipe()
        self._answers, answers = os.pipe()
        reader = READER.replace("{commands}", str(commands)).replace("{answers}", str(answers))
        self._process = subprocess.Popen(
            ["bash", "--norc", "-c", reader], cwd=directory, env=dict(environment, TYPED_OUTPUT=str(output)),
            stdin=subprocess.DEVNULL, pass_fds=(commands, answers), start_new_session=True)
        os.close(commands)
        os.close(answers)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self._typing)
        self._endSession()
        os.close(self._answers)

    def directory(self):
        return self._directory

    def lives(self):
        return self._process.poll() is None

    def type(self, command, seconds):
        """@return exit code, and what was printed since the command before; ends everything when it does not end in time"""
        os.write(self._typing, command.encode() + b"\0")
        answer = self._answer(seconds)
        output = self._output.read_bytes()
        printed = output[self._read:].decode(errors="replace")
        self._read = len(output)
        if answer is None:
            self._endSession()
            raise Failure(f"$ {command}\n{printed.rstrip()}\n^ does not end within {seconds} s")
        code, where = answer.split(" ", 1)
        self._directory = pathlib.Path(where)
        return int(code), printed

    def stopAfter(self, command, seconds):
        """@return 0 if it goes on until it is ended by SIGTERM, else its exit code; and its output"""
        last = f"timeout --kill-after={END_SECONDS} {seconds} bash -c {shlex.quote(command)}"
        code, printed = self.type(last, seconds + END_SECONDS + 10)
        return 0 if code == 124 else code, printed

    def _answer(self, seconds):
        answer = b""
        end = time.monotonic() + seconds
        while not answer.endswith(b"\n"):
            ready, _, _ = select.select([self._answers], [], [], max(0, end - time.monotonic()))
            more = os.read(self._answers, 4096) if ready else b""
            if not more:
                return None
            answer += more
        return answer.decode().rstrip("\n")

    def _endSession(self):
        """What a command has left running gets time to end; then it has to."""
        for end, sent in ((END_SECONDS, signal.SIGTERM), (END_SECONDS, signal.SIGKILL)):
            until = time.monotonic() + end
            for process in self._session():
                try:
                    os.kill(process, sent)
                except ProcessLookupError:
                    pass
            while self._session() and time.monotonic() < until:
                self._process.poll()
                time.sleep(0.05)
        self._process.wait(END_SECONDS)

    def _session(self):
        """Processes of the session that are not zombies."""
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            if int(fields[3]) == self._process.pid and fields[0] != "Z":
                found.append(int(entry.name))
        return found
