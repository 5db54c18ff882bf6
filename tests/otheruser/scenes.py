# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs that are attacked while they go on. Each scene adds rows to the table: what was tried, what it got, and whether
that is as it should be."""
import os
import signal
import subprocess
import time

import attacker
import attempts
import farms
import sockets

OWNER, STRANGER = farms.OWNER, farms.STRANGER
KINDS = [("-wal", "log of the record"), ("-shm", "index of the log"), (".lock", "lock file"), (".owner", "claim"),
         (".sign", "sign"), (".draft", "draft"), ("cps.log", "cps.log"), (".socket", "socket of windows"),
         (".sock", "socket of windows"), (".out", "output files"), (".err", "output files"),
         (".part", "output files"), ("/out", "output directory")]


def kind_of(path, farm):
    name = os.path.basename(path)
    if "/vader_segment" in path or "/sm_segment" in path:
        return "Open MPI's shared memory"
    if "/ompi." in path or "/prte." in path or "/pmix" in path:
        return "Open MPI's session directory"
    if "/tasuki/agents" in path:
        return "access file" if name.endswith(".json") else "directory of access files"
    if "/health" in path:
        return "health log"
    if "/core" in path:
        return "core dump"
    place = "" if path.startswith(str(farm.place.root)) else "of the node, "
    if name.endswith(".tasuki"):
        return place + ("live record" if place else "run file")
    for end, kind in KINDS:
        if name.endswith(end):
            return place + kind
    if os.path.isdir(path):
        return place + "directory"
    return place + name.rstrip("0123456789abcdef")[:20] if place else name


class Table:
    """Rows: scene, what was tried, what it got, verdict; some verdict is wrong."""

    def __init__(self):
        self.rows, self.wrong = [], 0

    def add(self, scene, attempt, got, verdict, right=True):
        self.rows.append((scene, attempt, got, verdict if right else "WRONG: " + verdict))
        self.wrong += not right

    def print(self):
        widths = [max((len(row[i]) for row in self.rows), default=0) for i in range(3)]
        for row in [("run", "attempt", "what it got", "verdict")] + self.rows:
            print(" | ".join([*(row[i].ljust(min(widths[i], 60)) for i in range(3)), row[3]]))


def gathered(found, kind_of_thing):
    """Attempts on things of one kind that got the same, as one row: {(kind, got, succeeded): [attempts]}"""
    per_attempt = {}
    for thing, attempt, got, succeeded in found:
        key = (kind_of_thing(thing), attempt)
        per_attempt.setdefault(key, set()).add((got, succeeded))
    rows = {}
    for (kind, attempt), results in per_attempt.items():
        won = any(succeeded for _, succeeded in results)
        got = ", ".join(sorted({got for got, succeeded in results if succeeded == won}))
        rows.setdefault((kind, got, won), []).append(attempt)
    return rows


def attack_files(farm, table, scene, allowed=()):
    found = attacker.run(STRANGER, STRANGER, attempts.on_paths, farm.paths())
    for (kind, got, won), names in gathered(found, lambda path: kind_of(path, farm)).items():
        shown = all((kind, name) in allowed for name in names)
        table.add(scene, f"{kind}: {', '.join(names)}", got[:100],
                  "open, as the owner wants" if won and shown else "open to others" if won else "refused", not won or shown)


def attack_processes(farm, table, scene):
    running = farms.processes(OWNER)
    found = attacker.run(STRANGER, STRANGER, attempts.on_processes, list(running))
    names = sorted(set(running.values()))
    for (_, got, won), tried in gathered(found, lambda _: "").items():
        table.add(scene, f"{len(running)} processes ({', '.join(names)}): {', '.join(tried)}", got[:100],
                  "open to others" if won else "refused", not won)
    lines = attacker.run(STRANGER, STRANGER, attempts.command_lines, list(running))
    told = [name for name, word in farm.tokens().items() if any(word in line for line in lines.values())]
    commands = any(farm.place.secret in line for line in lines.values())
    table.add(scene, "/proc/PID/cmdline (ps)",
              f"{len(lines)} lines; secret words: {', '.join(told) or 'none'}; commands of tasks: "
              + ("yes" if commands else "no"), "the kernel's: documented" if not told else "a secret is shown", not told)
    shared = attempts.shared_memory(OWNER)
    table.add(scene, "System V memory, semaphores, queues; POSIX queues", ", ".join(shared) or "there are none",
              "nothing to open" if not shared else "look", not shared)


def name_of(place):
    return f"{place[0]} port of {place[3]} ({place[1]})" if place[0] != "unix" else f"{place[1]} socket of {place[3]}"


def attack_ports(farm, table, scene, each=100, seconds=6.0):
    places = sockets.listening(list(farms.processes(OWNER)))
    if farm.start and "launch" in map(str, farm.start):
        wide = sorted({place[3] for place in places if place[1] == "all interfaces"})
        own = [name for name in wide if name.startswith("tasuki")]
        table.add(scene, "ports on all interfaces", ", ".join(wide) or "none",
                  "Open MPI's: documented" if not own else "reached from other hosts", not own)
    found = attacker.run(STRANGER, STRANGER, sockets.speak, places)
    rows = {}
    for place, attempt, got in found:
        rows.setdefault((name_of(place), got if len(got) < 30 else got[:60]), set()).add(attempt)
    for (name, got), tried in sorted(rows.items()):
        alive = farm.alive()
        table.add(scene, f"{name}: {', '.join(sorted(tried))}", got, "heard, not believed" if alive else "ENDS THE RUN",
                  alive)
    reachable = [place for place in places if not place[0].startswith("udp")]
    crowd = attacker.Child(STRANGER, STRANGER, sockets.hold, reachable, each, seconds)
    time.sleep(seconds / 2)
    for over in ("unix", "tcp"):
        came = farm.window(over)
        table.add(scene, f"{each} silent connections to each of {len(reachable)} ports: the owner's window over {over}",
                  came, "served", came == "Welcome")
    table.add(scene, "silent connections in all", str(crowd.value()), "held" if farm.alive() else "END THE RUN",
              farm.alive())


def check_end(farm, table, scene):
    wrong = farm.finish()
    table.add(scene, "the run ends", "; ".join(wrong) or f"exit code 0, {farm.tasks} of {farm.tasks} tasks",
              "complete" if not wrong else "hindered", not wrong)


def live(place, table, scene, start, ports=True, **how):
    """A farm in a directory that others may enter, under every attempt."""
    farm = farms.Farm(place, place.directory(scene.replace(" ", "-").replace(",", ""), 0o755), start, **how)
    farm.begin()
    if not farm.wait_begun():
        table.add(scene, "the run begins", farm.words()[-600:], "does not", False)
        farm.finish(5)
        return
    attack_files(farm, table, scene)
    attack_processes(farm, table, scene)
    if ports:
        attack_ports(farm, table, scene)
    alarms = farm.alarms()
    table.add(scene, "alarms of the run", "; ".join(alarms) or "none", "not hindered" if not alarms else "hindered",
              not alarms)
    check_end(farm, table, scene)
    attack_files(farm, table, scene + ", after")


def killed(pid):
    """@return false: there was no such process any more"""
    try:
        os.kill(pid, signal.SIGKILL)
    except (ProcessLookupError, TypeError):
        return False
    return True


WITH_UMASK = ("read", "hard link", "flock", "lock byte 120", "open for writing", "truncate")
READABLE = {(kind, attempt) for kind in ("run file", "cps.log", "claim", "health log")
            for attempt in ("read", "flock", "lock byte 120")}


def readers(place, table, scene, start):
    """A run that everybody may read, and somebody locks all that can be opened."""
    farm = farms.Farm(place, place.directory(scene, 0o755), start, TASUKI_READERS="all")
    farm.begin()
    if not farm.wait_begun():
        table.add(scene, "the run begins", farm.words()[-600:], "does not", False)
        farm.finish(5)
        return
    attack_files(farm, table, scene, READABLE)
    holder = attacker.Child(STRANGER, STRANGER, attempts.hold_locks, farm.paths(), 4.0)
    time.sleep(0.5)
    check_end(farm, table, scene + ", locked")
    table.add(scene, "holds flock and record locks of all that may be read", f"{holder.value()} files", "held in vain")
    attack_files(farm, table, scene + ", after", READABLE)


def merged(place, table, scene, start):
    """A merge with a record. What it makes for its user is as the umask says."""
    directory = place.directory(scene, 0o755)
    for name in ("a.tsv", "b.tsv"):
        (directory / name).write_text("".join(f"{i}\t{place.secret}\n" for i in range(20000)))
    process = subprocess.run([*map(str, start), "merge", "a.tsv", "b.tsv", "-o", "all.tsv", "--run", "merge.tasuki"],
                             cwd=directory, env=place.environment(), user=OWNER, group=OWNER, extra_groups=[], umask=0o022,
                             capture_output=True, text=True, timeout=60)
    table.add(scene, "the merge ends", f"exit code {process.returncode}", "complete", process.returncode == 0)
    farm = farms.Farm(place, directory, start)
    attack_files(farm, table, scene + ", after",
                 {("all.tsv", attempt) for attempt in ("read", "flock", "lock byte 120")})


def window(place, table, scene):
    """What a window leaves behind of what it has seen, with an umask that forbids nobody anything."""
    if not (place.programs / "tasuki").exists():
        table.add(scene, "a window", "is not built", "skipped")
        return
    directory = place.directory(scene, 0o755)
    farm = farms.Farm(place, directory, [place.agent], umask=0, topology=False)
    farm.begin()
    if farm.wait_begun():
        shown = subprocess.run([str(place.programs / "tasuki"), "tasks.tasuki", "--screenshot", "window.png"],
                               cwd=directory, env=place.environment(), user=OWNER, group=OWNER, extra_groups=[], umask=0,
                               capture_output=True, text=True, timeout=60)
        table.add(scene, "a window of the owner shows the run", f"exit code {shown.returncode}",
                  "served", shown.returncode == 0)
        attack_files(farm, table, scene, {("window.png", attempt) for attempt in WITH_UMASK})
    check_end(farm, table, scene)


def hammered(place, table, scene, start, **how):
    """A farm in a directory where everybody may make files; somebody grabs every name that is free while its master is
    killed and another one opens the record."""
    directory = place.directory(scene.replace(" ", "-").replace(",", ""), 0o1777, 0, farms.SHARED_GROUP)
    directory.chmod(0o3777)
    farm = farms.Farm(place, directory, start, **how)
    farm.begin()
    if not farm.wait_begun():
        table.add(scene, "the run begins", farm.words()[-600:], "does not", False)
        farm.finish(5)
        return
    attack_files(farm, table, scene)
    names = [str(farm.record) + end for end in (".lock", ".owner", ".owner.away", "-wal", "-shm", "-journal", ".sign",
                                                ".new", ".saving", ".draft")]
    names += [str(directory / name) for name in ("cps.log", "cps.log.part", "tasks.saved.tasuki")]
    seconds = 6.0
    child = attacker.Child(STRANGER, STRANGER, attempts.hammer, names, time.monotonic() + seconds)
    ranks = farm.ranks()
    time.sleep(2)
    ended = not killed(ranks.get(0)) or not farm.alive()
    got = child.value()
    if ended:
        table.add(scene, "the same, before the master is killed", farm.words()[-400:], "ENDS THE RUN", False)
    read = {name: what for name, what in got.items() if what.startswith("read")}
    taken = sorted(os.path.basename(name) for name, what in got.items() if what == "taken")
    table.add(scene, "grabs names in a directory of all, while the master is killed", f"names: {', '.join(taken)}; "
              f"read: {', '.join(map(os.path.basename, read)) or 'nothing'}",
              "nothing is read" if not read else "read", not read)
    came = farm.window("unix")
    table.add(scene, "the owner's window after that", came, "served", came == "Welcome")
    wrong = farm.finish()
    table.add(scene, "the run ends", "; ".join(wrong) or f"exit code 0, {farm.tasks} of {farm.tasks} tasks",
              "complete" if not wrong else "hindered", not wrong)
    owners = {name for name in os.listdir(directory)
              if place.secret.encode() in content(directory / name) and (directory / name).stat().st_uid != OWNER}
    table.add(scene, "what stands in the stranger's own files", ", ".join(owners) or "nothing of the run",
              "nothing is told" if not owners else "told", not owners)


def content(path):
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
        with os.fdopen(descriptor, "rb") as file:
            return file.read()
    except OSError:
        return b""
