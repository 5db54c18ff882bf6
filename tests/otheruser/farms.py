# SPDX-License-Identifier: GPL-3.0-or-later
"""Farms of one user, in a place that others may enter; what is where of them, and how they have ended."""
import glob
import json
import os
import pathlib
import re
import secrets
import shutil
import signal
import socket
import sqlite3
import subprocess
import tempfile
import time

import attacker
import sockets

OWNER, STRANGER, SHARED_GROUP = 61001, 61002, attacker.SHARED_GROUP
PROGRAMS = ["tasuki-agent", "tasuki-guardian", "tasuki-watcher", "tasuki"]
PUBLIC_PLACES = ["/tmp", "/var/tmp", "/dev/shm"]
TOPOLOGY = """[system]
policy = "continue"
[[subcluster]]
name = "all"
active = 2
standby = 1
io = 1
minimum = 1
restarts = { count = 100, within_s = 60 }
"""
QUICK, WAITING, LAST = 12, 2, 8
START_SECONDS = 40


def user_is_free(user):
    """Whether no process and no file in a public place is this user's."""
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                if os.stat(f"/proc/{entry}").st_uid == user:
                    return False
            except OSError:
                continue
    return not any(os.lstat(path).st_uid == user for place in PUBLIC_PLACES for path in glob.glob(place + "/*")
                   if os.path.lexists(path))


def processes(user):
    """Those of a user that are not zombies: {pid: name}"""
    found = {}
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            with open(f"/proc/{entry}/status") as file:
                status = dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)
            if status["Uid"].split()[0] == str(user) and not status["State"].startswith("Z"):
                found[int(entry)] = status["Name"]
        except (OSError, KeyError):
            continue
    return found


def remove_public(users):
    """What users have left in public places."""
    for place in PUBLIC_PLACES:
        for path in glob.glob(place + "/*") + glob.glob(place + "/.*"):
            try:
                if os.lstat(path).st_uid in users:
                    if os.path.isdir(path) and not os.path.islink(path):
                        shutil.rmtree(path, ignore_errors=True)
                    else:
                        os.unlink(path)
            except OSError:
                continue


class Place:
    """Programs and the owner's home, where everybody may enter. Nothing is left of it, nor of both users."""

    def __init__(self, build):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="tasuki-otheruser-", dir="/tmp"))
        self.root.chmod(0o755)
        self.programs = self.root / "bin"
        self.programs.mkdir()
        for name in PROGRAMS:
            if (build / "bin" / name).exists():
                shutil.copy2(build / "bin" / name, self.programs / name)
                (self.programs / name).chmod(0o755)
        self.agent = self.programs / "tasuki-agent"
        self.secret = "classified" + secrets.token_hex(8)
        self.home = self.directory("home", 0o755)
        # As desktops make it: libraries keep fonts and the like there, with whatever umask a program has.
        self.cache = self.directory("home/.cache", 0o700)
        # What planted links lead to.
        self.precious = self.home / "precious"
        self.precious.write_text("precious")
        os.chown(self.precious, OWNER, OWNER)
        self.precious.chmod(0o600)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for user in (OWNER, STRANGER):
            for _ in range(50):
                left = processes(user)
                for pid in left:
                    try:
                        os.kill(pid, signal.SIGKILL)
                    except ProcessLookupError:
                        continue
                if not left:
                    break
                time.sleep(0.05)
        remove_public({OWNER, STRANGER})
        shutil.rmtree(self.root, ignore_errors=True)

    def directory(self, name, mode, owner=OWNER, group=OWNER):
        path = self.root / name
        path.mkdir()
        os.chown(path, owner, group)
        path.chmod(mode)
        return path

    def environment(self, **more):
        kept = ("PATH", "LANG", "LD_LIBRARY_PATH", "ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS")
        return {**{name: os.environ[name] for name in kept if name in os.environ}, "HOME": str(self.home),
                "QT_QPA_PLATFORM": "offscreen", **more}


class Farm:
    """One run. Tasks in the middle of the list wait for a file, so that it lasts as long as it is attacked."""

    def __init__(self, place, directory, start, umask=0o022, topology=True, options=(), **environment):
        self.place, self.directory, self.start, self.umask = place, directory, start, umask
        self.environment = place.environment(**environment)
        self.record = directory / "tasks.tasuki"
        given = place.directory(directory.name + "-given", 0o755)
        self.go, self.waits = given / "go", given / "waits"
        say = f"echo {place.secret}"
        lines = [say] * QUICK + [f"head -c 3000000 /dev/zero | tr '\\0' x; {say}"]
        lines += [f"ulimit -c unlimited; sh -c 'kill -SEGV $$'; {say}"]
        lines += [f"touch {self.waits}; until [ -e {self.go} ]; do sleep 0.1; done; {say}"] * WAITING
        self.tasks = len(lines) + LAST
        lines += ["#TASUKI barrier"] + [say] * LAST
        (given / "tasks.sh").write_text("\n".join(lines) + "\n")
        (given / "system.toml").write_text(TOPOLOGY)
        self.command = [str(each) for each in start] + ["farm", str(given / "tasks.sh"), "--run", "tasks.tasuki"]
        if topology:
            self.command += ["--topology", str(given / "system.toml")]
        self.command += [str(each) for each in options]
        self.process = None

    def begin(self):
        self.log = tempfile.TemporaryFile(mode="w+")
        self.begun = time.time() - 1
        self.process = subprocess.Popen(self.command, cwd=self.directory, env=self.environment, user=OWNER, group=OWNER,
                                        extra_groups=[SHARED_GROUP], umask=self.umask, start_new_session=True,
                                        stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT)
        return self

    def words(self):
        self.log.flush()
        self.log.seek(0)
        return self.log.read()

    def wait_begun(self):
        """Until the tasks that wait are what runs, and a window may come."""
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end and self.process.poll() is None:
            if self.waits.exists() and self.access_files():
                time.sleep(0.5)
                return True
            time.sleep(0.05)
        return False

    def access_files(self):
        """The newest first: of earlier runs one may be left."""
        found = glob.glob(str(self.place.home / ".local/state/tasuki/agents/*.json"))
        return sorted((path for path in found if os.stat(path).st_mtime >= self.begun), key=os.path.getmtime,
                      reverse=True)

    def alive(self):
        return self.process.poll() is None

    def agents(self):
        return sorted(pid for pid, name in processes(OWNER).items() if name == "tasuki-agent")

    def ranks(self):
        """Agents that are processors of the launch, by their numbers."""
        found = {}
        for pid in self.agents():
            try:
                with open(f"/proc/{pid}/environ") as file:
                    own = dict(each.split("=", 1) for each in file.read().split("\0") if "=" in each)
                if "OMPI_COMM_WORLD_RANK" in own:
                    found[int(own["OMPI_COMM_WORLD_RANK"])] = pid
            except OSError:
                continue
        return found

    def paths(self):
        """All that is the owner's, but what was there before the run."""
        given = {self.place.home, self.place.cache, self.place.precious, self.directory}
        found = []
        roots = [self.directory, self.place.home]
        for public in PUBLIC_PLACES:
            roots += [pathlib.Path(path) for path in glob.glob(public + "/*") if path != str(self.place.root)]
        for root in roots:
            each = [root] + (sorted(root.rglob("*")) if root.is_dir() and not root.is_symlink() else [])
            for path in each:
                try:
                    if path.lstat().st_uid == OWNER and path not in given:
                        found.append(str(path))
                except OSError:
                    continue
        return found

    def window(self, over):
        files = self.access_files()
        if not files:
            return "no access file"
        return attacker.run(OWNER, OWNER, sockets.join, files[0], over)

    def finish(self, seconds=60):
        """Lets the rest run. @return what was wrong with the end; empty: nothing"""
        if self.process is None:
            return ["was not started"]
        self.go.touch()
        try:
            code = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            return ["hangs: " + self.words()[-2000:]]
        said = re.sub("x{100,}", "x...", self.words())[-1500:]
        wrong = [] if code == 0 else [f"exit code {code}: {said}"]
        return wrong + self.record_faults()

    def record_faults(self):
        with tempfile.TemporaryDirectory() as directory:
            copy = pathlib.Path(directory) / "copy"
            try:
                shutil.copy(self.record, copy)
                with sqlite3.connect(copy) as database:
                    states = dict(database.execute("SELECT state, count(*) FROM tasks GROUP BY 1").fetchall())
            except (OSError, sqlite3.Error) as error:
                return [f"record: {error}"]
        return [] if states == {"succeeded": self.tasks} else [f"tasks: {states}"]

    def alarms(self):
        shown = subprocess.run([str(self.place.agent), "show", str(self.record), "--alarms", "--format", "jsonl"],
                               env=self.environment, user=OWNER, group=OWNER, extra_groups=[], capture_output=True,
                               text=True, timeout=30)
        return [line for line in shown.stdout.splitlines() if line.strip()]

    def tokens(self):
        """Words that nobody else may know, as root finds them."""
        found = {}
        for path in self.access_files():
            with open(path) as file:
                found["token of windows"] = json.load(file)["token"]
        for pid in self.agents():
            try:
                with open(f"/proc/{pid}/environ") as file:
                    for each in file.read().split("\0"):
                        if each.startswith("TASUKI_LAUNCH_TOKEN="):
                            found["word of launch"] = each.split("=", 1)[1]
            except OSError:
                continue
        return found


def session_name():
    """What Open MPI 4.1 calls its directory of a user."""
    return f"/tmp/ompi.{socket.gethostname()}.{OWNER}"
