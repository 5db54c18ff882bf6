# SPDX-License-Identifier: GPL-3.0-or-later
"""What somebody puts under names of a run before it begins: it may be refused in words, or go on; nothing of it may
get into what others own or have chosen, and it may not hang."""
import fcntl
import os
import signal
import subprocess
import time

import attacker
import farms
import scenes

OWNER, STRANGER = farms.OWNER, farms.STRANGER
NAMES = ["tasks.tasuki.new", "tasks.tasuki.lock", "tasks.tasuki.owner", "tasks.tasuki-wal", "tasks.tasuki-shm",
         "tasks.tasuki-journal", "tasks.tasuki.new-journal", "tasks.tasuki.new-wal", "tasks.tasuki.sign", "tasks.tasuki",
         "cps.log", "health.0", "out", "out/0.out.part", "out/0.out", "out/0.err.part"]
KINDS = ["link", "file", "locked file", "FIFO", "directory"]
SHORT = [("tasks.tasuki.new", "file"), ("tasks.tasuki.lock", "locked file"), ("tasks.tasuki.owner", "file"),
         ("tasks.tasuki-wal", "file"), ("tasks.tasuki.sign", "FIFO"), ("health.0", "link"), ("out/0.out.part", "link"),
         ("out/0.out.part", "file"), ("cps.log", "link")]
SECONDS = 30
REFUSALS = {2: "refused beforehand", 3: "refused beforehand", 7: "told"}


def plant(path, kind, target):
    """As the stranger."""
    if kind == "link":
        os.symlink(target, path)
    elif kind == "FIFO":
        os.mkfifo(path)
        os.chmod(path, 0o666)
    elif kind == "directory":
        os.mkdir(path)
        os.chmod(path, 0o777)
    else:
        with open(path, "w") as file:
            os.fchmod(file.fileno(), 0o666)
    return True


def hold(path):
    """As the stranger: keeps a lock for as long as it lives."""
    descriptor = os.open(path, os.O_RDWR)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    fcntl.lockf(descriptor, fcntl.LOCK_EX)
    time.sleep(SECONDS + 10)
    return True


def seen_by(path):
    """What the stranger reads of a file of the run; empty: nothing."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        return os.read(descriptor, 1 << 20).decode("latin-1")
    except OSError:
        return ""


def every_name(directory):
    return [os.path.join(where, name) for where, folders, files in os.walk(directory) for name in folders + files]


def one(place, table, number, name, kind):
    scene = "planted"
    directory = place.directory(f"planted{number}", 0o1777, 0)
    if name.startswith("out/"):
        out = place.directory(f"planted{number}/out", 0o1777, 0)
        assert out.exists()
    path = str(directory / name)
    attacker.run(STRANGER, STRANGER, plant, path, kind, str(place.precious))
    holder = attacker.Child(STRANGER, STRANGER, hold, path) if kind == "locked file" else None
    given = place.directory(f"planted{number}-given", 0o755)
    (given / "tasks.sh").write_text(f"echo {place.secret}\n" * 3)
    process = subprocess.Popen(
        [str(place.agent), "farm", str(given / "tasks.sh"), "--run", "tasks.tasuki", "--output-dir", "out",
         "--health-log", "health", "--quiet"], cwd=directory, env=place.environment(), user=OWNER, group=OWNER,
        extra_groups=[], umask=0o022, start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True)
    try:
        said, code = process.communicate(timeout=SECONDS)[0], process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        said, code = process.communicate()[0], "hangs"
    if holder:
        holder.end()
    # The window's and the task's own words are not the run's files.
    seen = [os.path.relpath(each, directory) for each in every_name(directory)
            if place.secret in attacker.run(STRANGER, STRANGER, seen_by, each)]
    untouched = place.precious.read_text() == "precious" and place.precious.stat().st_mode & 0o777 == 0o600
    refused = code in REFUSALS
    got = (f"exit code {code}" + (": " + " ".join(said.split())[-150:] if code != 0 else "")
           + (f"; reads {', '.join(seen)}" if seen else "") + ("" if untouched else "; a link was followed"))
    right = (code == 0 or refused) and not seen and untouched
    table.add(scene, f"{kind} {name}", got, REFUSALS.get(code, "not used") if right else "open", right)
    if not untouched:
        place.precious.write_text("precious")
        place.precious.chmod(0o600)


def all_planted(place, table, short):
    cases = SHORT if short else [(name, kind) for name in NAMES for kind in KINDS if (name, kind) != ("out", "directory")]
    for number, (name, kind) in enumerate(cases):
        one(place, table, number, name, kind)


def take_public(names):
    """As the stranger: directories under the names that the owner's would have."""
    for name in names:
        os.mkdir(name)
        os.chmod(name, 0o755)
    return names


def squatted(place, table, start, **how):
    """A run whose usual directories in public places somebody else has taken."""
    scene = "squatted"
    farms.remove_public({OWNER})
    names = [f"{public}/tasuki-{OWNER}" for public in farms.PUBLIC_PLACES]
    if "mpirun" in map(str, start) or "launch" in map(str, start):
        names.append(farms.session_name())
    attacker.run(STRANGER, STRANGER, take_public, names)
    try:
        farm = farms.Farm(place, place.directory("squatted" + start[-1].strip("-") + how.get("TASUKI_RECORD", ""), 0o755),
                          start, **how)
        farm.begin()
        begun = farm.wait_begun()
        what = f"directories {', '.join(names)}"
        if not begun:
            table.add(scene, what, " ".join(farm.words().split())[-300:], "the run does not begin", False)
        else:
            came = farm.window("unix")
            table.add(scene, what + ": the owner's window", came, "served", came == "Welcome")
            scenes.attack_files(farm, table, scene)
        scenes.check_end(farm, table, scene)
    finally:
        for name in names:
            try:
                os.rmdir(name)
            except OSError:
                continue
