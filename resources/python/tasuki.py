# SPDX-License-Identifier: GPL-3.0-or-later
"""Tasks of a living run of Tasuki as futures, and the record of a run as rows.

    import tasuki

    with tasuki.Executor("work.tasuki") as executor:      # a run that somebody serves on this host
        code = executor.command("./fit input.dat")         # a future of a command
        square = executor.submit(pow, 7, 2)                # a future of a function, which some rank calls
        print(square.result(), code.result())

    for row in tasuki.rows("work.tasuki"):
        print(row["task"], row["state"], row["command"])

Needs Python 3.8 or newer and the program tasuki-agent, and nothing else. Functions and their arguments go
to the ranks as files, so ranks must see the directory of these files, and this one.
"""

import collections
import concurrent.futures
import json
import os
import pathlib
import pickle
import runpy
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import traceback
import types

# What ranks call the program that the caller runs: what they pickle of it is found by this name.
CALLERS_PROGRAM = "__tasuki_main__"

__all__ = ["CommandFailed", "Executor", "RunGone", "rows"]


class CommandFailed(Exception):
    """A task has ended without success."""

    def __init__(self, task, state, exit_code, command):
        super().__init__(f"task {task} {state}, exit code {exit_code}: {command}")
        self.task, self.state, self.exit_code, self.command = task, state, exit_code, command

    def __reduce__(self):
        return CommandFailed, (self.task, self.state, self.exit_code, self.command)


class RunGone(Exception):
    """The run cannot be steered: it has ended, is on another host, or refused a task. Says why."""


class TaskFuture(concurrent.futures.Future):
    """A task of the run. `task` is its number, as `tasuki-agent show` has it; None until it is known."""

    def __init__(self, executor, command, call=None):
        super().__init__()
        self.task = None
        self.command = command
        self._executor = executor
        self._call = call  # path of the call's file; None: the command is what was asked for

    def cancel(self):
        """Cancels the task, also while it runs. Returns False when it has ended."""
        if self.done():
            return self.cancelled()
        return self._executor._cancel([self]) and super().cancel()


class Executor(concurrent.futures.Executor):
    """Runs commands and functions as tasks of a living run.

    run        a run file, or the access file of an agent of this host
    agent      the program tasuki-agent
    directory  where functions, arguments and results lie as files; ranks must see it. Default: a new directory beside
               the run file, which goes with the executor
    """

    def __init__(self, run, agent="tasuki-agent", directory=None):
        self._run, self._agent = os.fspath(run), os.fspath(agent)
        sys.modules.setdefault(CALLERS_PROGRAM, sys.modules["__main__"])
        self._own_directory = directory is None
        place = pathlib.Path(self._run).resolve().parent
        self._directory = pathlib.Path(tempfile.mkdtemp(prefix="calls-", dir=place) if directory is None else directory)
        self._directory.mkdir(parents=True, exist_ok=True)
        self._lock = threading.Lock()
        self._sent = collections.deque()  # futures whose numbers are not known yet, in their order
        self._open = {}  # futures by number
        self._calls = 0
        self._closed = False
        self._channel = None
        self._followers = []

    # What callers use.

    def command(self, line):
        """A future of a command line for the shell; its result is the exit code, 0. Others raise CommandFailed."""
        if not line.strip() or line.lstrip().startswith("#") or "\n" in line or "\0" in line or line.endswith("\\"):
            raise ValueError(f"not one line of a command: {line!r}")
        try:
            shlex.split(line)
        except ValueError as problem:
            raise ValueError(f"{problem}: {line!r}") from None
        return self._send(TaskFuture(self, line))

    def submit(self, fn, /, *args, **kwargs):
        """A future of fn(*args, **kwargs), called by Python on a rank. What it raises is raised by result()."""
        with self._lock:
            number = self._calls
            self._calls += 1
        call = self._directory / f"{number}.call"
        main = getattr(sys.modules["__main__"], "__file__", None)
        content = pickle.dumps({"main": os.path.abspath(main) if main else None, "path": list(sys.path),
                                "call": pickle.dumps((fn, args, kwargs))})
        write_whole(call, content)
        module = pathlib.Path(__file__).resolve()
        line = " ".join(["PYTHONPATH=" + shlex.quote(str(module.parent)) + "${PYTHONPATH:+:$PYTHONPATH}",
                         shlex.quote(sys.executable), "-m", module.stem, "call", shlex.quote(str(call))])
        return self._send(TaskFuture(self, line, call))

    def shutdown(self, wait=True, *, cancel_futures=False):
        """No new tasks; waits for those that there are, or cancels them."""
        with self._lock:
            self._closed = True
            channel, followers = self._channel, list(self._followers)
            if channel is not None and not channel.stdin.closed:
                channel.stdin.close()
        if cancel_futures:
            with self._lock:
                futures = list(self._sent) + list(self._open.values())
            for future in futures:
                future.cancel()
        if wait:
            for follower in followers:
                follower.join()
            if self._own_directory:
                shutil.rmtree(self._directory, ignore_errors=True)

    # How it goes on.

    def _send(self, future):
        with self._lock:
            if self._closed:
                raise RuntimeError("cannot schedule new futures after shutdown")
            if self._channel is None:
                self._connect()
            self._sent.append(future)
            try:
                self._channel.stdin.write(future.command.encode() + b"\n")
                self._channel.stdin.flush()
            except OSError:
                pass  # its reader says why it ended
        return future

    def _connect(self):
        self._channel = subprocess.Popen([self._agent, "add", self._run, "--ends"], stdin=subprocess.PIPE,
                                         stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        follower = threading.Thread(target=self._follow, args=(self._channel, self._sent), daemon=True)
        self._followers.append(follower)
        follower.start()

    def _follow(self, channel, sent):
        """What a channel has added is followed to its end, also when the channel itself ends early."""
        mine = set()
        reason = self._read(channel, sent, mine)
        with self._lock:
            lost = list(sent)
            if self._channel is channel:
                self._channel, self._sent = None, collections.deque()
        if channel.returncode in (1, 2):  # something was refused; the run is there
            self._send_apart(lost, mine)
            lost = []
            with self._lock:
                left = sorted(task for task in mine if task in self._open)
            if left:
                waiter = subprocess.Popen([self._agent, "wait", self._run, "--ends"] + [str(task) for task in left],
                                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                reason = self._read(waiter, collections.deque(), mine)
        with self._lock:
            lost += [self._open.pop(task) for task in mine if task in self._open]
        for future in lost:
            settle(future, error=RunGone(reason or "the run cannot be followed any longer"))

    def _read(self, process, sent, mine):
        """Takes what a process says, to its end. Returns why it has ended, in its own words."""
        errors = []
        reader = threading.Thread(target=lambda: errors.append(process.stderr.read()), daemon=True)
        reader.start()
        for line in process.stdout:
            self._take(json.loads(line), sent, mine)
        process.wait()
        reader.join()
        return words_of(b"".join(errors))

    def _take(self, said, sent, mine):
        if "added" in said:
            with self._lock:
                for first, last in said["ranges"]:
                    for task in range(first, last + 1):
                        self._note(sent.popleft(), task, mine)
        elif "task" in said:
            with self._lock:
                future = self._open.pop(said["task"], None)
            if future is not None:
                resolve(future, said)

    def _note(self, future, task, mine):
        future.task = task
        self._open[task] = future
        mine.add(task)

    def _send_apart(self, futures, mine):
        """What came together with a line that was refused was not added either."""
        for future in futures:
            done = subprocess.run([self._agent, "add", self._run, "--json", future.command], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, check=False)
            if done.returncode != 0:
                settle(future, error=RunGone(words_of(done.stderr)))
                continue
            with self._lock:
                self._note(future, json.loads(done.stdout)["ranges"][0][0], mine)

    def _cancel(self, futures):
        numbers = [str(future.task) for future in futures if future.task is not None]
        if not numbers:
            return False
        done = subprocess.run([self._agent, "cancel", self._run] + numbers, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, check=False)
        return done.returncode == 0


def words_of(errors):
    return errors.decode(errors="replace").strip().replace("tasuki-agent: error: ", "")


def settle(future, result=None, error=None):
    """Gives a future its result, unless somebody has cancelled it."""
    if not future.set_running_or_notify_cancel():
        return
    if error is not None:
        future.set_exception(error)
    else:
        future.set_result(result)


def resolve(future, said):
    if future.done():
        if future.cancelled():
            future.set_running_or_notify_cancel()
        return
    answer = future._call.with_suffix(".result") if future._call is not None else None
    if answer is not None and answer.exists():
        try:
            value, error = pickle.loads(answer.read_bytes())
        except Exception as problem:  # of a class that is not here, for example
            value, error = None, problem
        answer.unlink()
        future._call.unlink(missing_ok=True)
        settle(future, value, error)
    elif said["state"] == "cancelled":
        concurrent.futures.Future.cancel(future)
        future.set_running_or_notify_cancel()
    elif said["state"] == "succeeded" and answer is None:
        settle(future, 0)
    else:
        settle(future, error=CommandFailed(said["task"], said["state"], said["exit_code"], future.command))


def rows(run, agent="tasuki-agent"):
    """Yields the tasks of a run as dictionaries, in the order of their numbers, also while it goes on."""
    with subprocess.Popen([os.fspath(agent), "show", os.fspath(run), "--format", "jsonl"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as process:
        for line in process.stdout:
            yield json.loads(line)
        reason = process.stderr.read()
        if process.wait() != 0:
            raise RunGone(words_of(reason))


def write_whole(path, content):
    new = path.with_name(path.name + ".new")
    new.write_bytes(content)
    os.replace(new, path)


def call(path):
    """Calls what a file says, and writes the result beside it: as a rank does."""
    path = pathlib.Path(path)
    try:
        wanted = pickle.loads(path.read_bytes())
        sys.path.extend(each for each in wanted["path"] if each not in sys.path)
        if wanted["main"] is not None:
            # Functions of the caller's program are found in it; what it does only as a program is not done.
            main = types.ModuleType("__main__")
            vars(main).update(runpy.run_path(wanted["main"], run_name=CALLERS_PROGRAM))
            sys.modules["__main__"] = sys.modules[CALLERS_PROGRAM] = main
        fn, args, kwargs = pickle.loads(wanted["call"])
        answer = (fn(*args, **kwargs), None)
    except BaseException as error:
        traceback.print_exc()
        answer = (None, error)
    try:
        content = pickle.dumps(answer)
    except Exception as problem:
        content = pickle.dumps((None, TypeError(f"the result cannot be pickled: {problem}")))
    write_whole(path.with_suffix(".result"), content)
    return 0 if answer[1] is None else 1


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] != "call":
        sys.exit("usage: python3 -m tasuki call FILE")
    sys.exit(call(sys.argv[2]))
