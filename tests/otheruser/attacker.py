# SPDX-License-Identifier: GPL-3.0-or-later
"""Functions that run as another user, in a process of its own."""
import json
import os
import signal
import traceback


# Found on demand otherwise, perhaps where another user may not look.
"".encode("idna")
b"".decode("latin-1")


SHARED_GROUP = 61003


def become(user, group, mask=0o022):
    """For good: no capability stays. All users are of one group, too."""
    os.setgroups([SHARED_GROUP])
    os.setresgid(group, group, group)
    os.setresuid(user, user, user)
    os.umask(mask)
    os.environ["HOME"] = "/"
    os.chdir("/")


class Child:
    """A function that runs as a user; its value comes back as JSON."""

    def __init__(self, user, group, function, *arguments):
        ours, its = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            status = 1
            try:
                os.setsid()
                os.close(ours)
                become(user, group)
                with os.fdopen(its, "w") as out:
                    json.dump(function(*arguments), out)
                status = 0
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(status)
        os.close(its)
        self.pipe = os.fdopen(ours)

    def value(self):
        text = self.pipe.read()
        self.pipe.close()
        os.waitpid(self.pid, 0)
        self.pid = None
        if not text:
            raise RuntimeError("an attacker has died")
        return json.loads(text)

    def end(self):
        if self.pid is not None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            self.pid = None
            self.pipe.close()


def run(user, group, function, *arguments):
    child = Child(user, group, function, *arguments)
    try:
        return child.value()
    finally:
        child.end()
