# SPDX-License-Identifier: GPL-3.0-or-later
"""A launch of worlds whose processes are found, killed and stopped."""
import os
import pathlib
import re
import signal
import sqlite3
import subprocess
import threading
import time

LIMIT_S = 120
RUN_OUT_S = 5
MARK = "TASUKI_TAKEOVER_MARK"
# What is said when a rank cannot go on as it should.
FAULTS = ["goes back to its start", "cannot go on where it was lost", "takes the world back to its start",
          "is another one than before"]


def read(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


def variables(pid):
    return dict(one.split(b"=", 1) for one in read(f"/proc/{pid}/environ").split(b"\0") if b"=" in one)


def stat(pid):
    """@return name, state, parent; None: there is no such process"""
    text = read(f"/proc/{pid}/stat").decode(errors="replace")
    found = re.match(r"\d+ \((.*)\) (\S) (\d+) ", text, re.DOTALL)
    return (found[1], found[2], int(found[3])) if found else None


def strike(pid, number):
    """@return whether it was there"""
    try:
        os.kill(pid, number)
        return True
    except ProcessLookupError:
        return False


class Run:
    """A launch of worlds, and all that is known of its processes."""

    def __init__(self, place, topology, processors, left_ranks=0):
        place.runs += 1
        self.left_ranks = left_ranks  # of the first of two worlds
        self.folder = place.scratch / str(place.runs)
        self.folder.mkdir()
        self.place = place
        self.mark = f"{os.getpid()}-{place.runs}"
        (self.folder / "t.toml").write_text(topology)
        environment = dict(os.environ, **{MARK: self.mark}, OMPI_MCA_rmaps_base_oversubscribe="1", TASUKI_RESTART_SECONDS=place.restart_seconds,
                           TASUKI_ACCESS_DIR=str(self.folder / "access"), TASUKI_SOCKET_DIR=str(self.folder / "sockets"))
        if os.geteuid() == 0:
            environment |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        with open(self.folder / "out", "wb") as out, open(self.folder / "err", "wb") as err:
            self.process = subprocess.Popen(
                [str(place.agent), "launch", "-n", str(processors), "--", "world", "t.toml", "--run", "run.tasuki"],
                cwd=self.folder, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True)
        self.begun = time.monotonic()
        self.agents = {}        # processor -> process
        self.lives = {}         # task -> its processes, in their order
        self.killed = set()     # processes of ranks
        self.affected = {}      # task -> how often it was struck
        self.struck = set()     # processors
        self.events = []
        self.strangers = set()
        self.lock = threading.Lock()

    def say(self, what):
        self.events.append(f"{time.monotonic() - self.begun:8.3f} {what}")

    def look(self):
        """Finds processes that are new."""
        with self.lock:
            known = {pid for pids in self.lives.values() for pid in pids} | set(self.agents.values())
            for name in os.listdir("/proc"):
                if not name.isdigit() or int(name) in known or name in self.strangers:
                    continue
                of = variables(name)
                if of.get(MARK.encode()) != self.mark.encode():
                    if of and int(name) < self.process.pid:
                        self.strangers.add(name)
                    continue
                executable = ""
                try:
                    executable = os.readlink(f"/proc/{name}/exe")
                except OSError:
                    pass
                if b"TASUKI_WORLD_RANK" in of and pathlib.Path(executable) in self.place.programs.values():
                    self.lives.setdefault(int(of[b"TASUKI_TASK"]), []).append(int(name))
                elif pathlib.Path(executable) == self.place.agent and b"OMPI_COMM_WORLD_RANK" in of:
                    self.agents[int(of[b"OMPI_COMM_WORLD_RANK"])] = int(name)

    def all(self):
        """Numbers of all of its processes."""
        return [int(name) for name in os.listdir("/proc")
                if name.isdigit() and variables(name).get(MARK.encode()) == self.mark.encode()
                and (stat(name) or "?Z")[1] != "Z"]

    def runs(self):
        return self.process.poll() is None

    def wait(self, seconds, holds=lambda: False):
        """Looks on. @return whether it holds within that time; not, when the run ends"""
        end = time.monotonic() + seconds
        while self.runs():
            self.look()
            if holds():
                return True
            left = end - time.monotonic()
            if left <= 0:
                return False
            time.sleep(min(left, 0.03))
        return False

    def begins(self, ranks):
        """Waits until the programs of all ranks are there, and a little more."""
        return self.wait(30, lambda: len(self.lives) == ranks) and not self.wait(0.2) and self.runs()

    def current(self, task):
        """The process that is the rank now; None: there is none."""
        for pid in reversed(self.lives.get(task, [])):
            if (stat(pid) or "?Z")[1] != "Z":
                return pid
        return None

    def memory(self):
        for pids in self.lives.values():
            for pid in pids:
                path = variables(pid).get(b"TASUKI_WORLD")
                if path:
                    return path.decode()
        return None

    def kill_program(self, task):
        """@return when; None: nobody was the rank"""
        self.look()
        pid = self.current(task)
        if pid is None:
            return None
        at = time.monotonic_ns()
        if not strike(pid, signal.SIGKILL):
            return None
        self.killed.add(pid)
        self.affected[task] = self.affected.get(task, 0) + 1
        self.say(f"killed program {pid} of task {task}")
        return at

    def strike_agent(self, processor, number):
        """@return when"""
        self.look()
        agent = self.agents[processor]
        for task in list(self.lives):
            pid = self.current(task)
            above = pid
            while above and above != agent:
                of = stat(above)
                above = of[2] if of else None
            if above == agent:
                self.killed.add(pid)
                self.affected[task] = self.affected.get(task, 0) + 1
        self.struck.add(processor)
        at = time.monotonic_ns()
        strike(agent, number)
        self.say(f"{signal.Signals(number).name} to processor {processor}, process {agent}")
        return at

    def disturbed(self):
        """Whether anybody was killed or stopped."""
        return bool(self.killed or self.struck)

    def finish(self):
        """Waits for its end. @return problems"""
        self.wait(LIMIT_S)
        problems = []
        if self.runs():
            self.say(f"has no end after {LIMIT_S} s")
            problems.append("hangs")
            self.tell_hang()
            self.end()
        elif self.process.returncode != 0:
            problems.append(f"exit code {self.process.returncode}")
        until = time.monotonic() + RUN_OUT_S
        while (left := self.all()) and time.monotonic() < until:
            time.sleep(0.05)
        if left:
            problems.append("left over: " + ", ".join(f"{pid} {stat(pid)}" for pid in left))
            self.end()
        return problems

    def tell_hang(self):
        with open(self.folder / "hang", "w", encoding="utf-8") as file:
            for view in ["--worlds", "--events"]:
                file.write(subprocess.run([str(self.place.agent), "show", "run.tasuki", view], cwd=self.folder, timeout=20, check=False,
                                          capture_output=True, text=True, stdin=subprocess.DEVNULL,
                                          env=dict(os.environ, TASUKI_ACCESS_DIR=str(self.folder / "access"),
                                                   TASUKI_SOCKET_DIR=str(self.folder / "sockets"))).stdout)
            for pid in self.all():
                words = read(f"/proc/{pid}/cmdline").replace(b"\0", b" ").decode(errors="replace")
                of = variables(pid)
                file.write(f"{pid} {stat(pid)} task {of.get(b'TASUKI_TASK')} life {of.get(b'TASUKI_WORLD_LIFE')} {words}\n")

    def end(self):
        for _ in range(50):
            left = self.all()
            if not left:
                break
            for pid in left:
                strike(pid, signal.SIGKILL)
            time.sleep(0.05)
        self.process.wait()

    def output(self):
        return (self.folder / "out").read_text(encoding="utf-8", errors="replace")

    def errors(self):
        return (self.folder / "err").read_text(encoding="utf-8", errors="replace")

    def problems_of_record(self):
        problems = []
        errors = self.errors()
        try:
            record = sqlite3.connect(f"file:{self.folder / 'run.tasuki'}?mode=ro", uri=True)
            texts = [row[0] for row in record.execute("SELECT CAST(value AS TEXT) FROM detail WHERE name = 'text'")]
            attempts = record.execute("SELECT task, attempt, outcome, CAST(stderr AS TEXT) FROM attempts ORDER BY 1, 2").fetchall()
            taken = record.execute("SELECT place, from_processor FROM failovers").fetchall()
        except sqlite3.Error as error:
            return [f"the record: {error}"]
        said = "\n".join([errors, *texts, *(row[3] or "" for row in attempts)])
        for fault in FAULTS:
            count = len({line for line in said.splitlines() if fault in line})
            if count:
                problems.append(f"'{fault}', {count} times")
        affected = dict(self.affected)
        for place, processor in taken:
            rank = re.fullmatch(r"(?:(\w+) )?rank (\d+)", place or "")
            if processor in self.struck and rank:
                affected.setdefault(int(rank[2]) + (self.left_ranks if rank[1] == "right" else 0), 1)
        for task in sorted({row[0] for row in attempts}):
            outcomes = [row[2] for row in attempts if row[0] == task]
            if outcomes[-1] != "succeeded" or any(one != "lost" for one in outcomes[:-1]):
                problems.append(f"task {task}: attempts are {', '.join(map(str, outcomes))}")
            if len(outcomes) - 1 > affected.get(task, 0):
                problems.append(f"task {task} was struck {affected.get(task, 0)} times and has {len(outcomes)} attempts")
            for pid in self.lives.get(task, [])[:-1]:
                if pid not in self.killed and affected.get(task, 0) == 0:
                    problems.append(f"task {task}: process {pid} is gone, and nobody has killed it")
        return problems
