# SPDX-License-Identifier: GPL-3.0-or-later
"""What somebody tries on another one's files and processes. Called under another user id: attacker.run()."""
import ctypes
import errno
import fcntl
import os
import resource
import signal
import stat
import tempfile
import time

LIBC = ctypes.CDLL(None, use_errno=True)
PTRACE_ATTACH, PTRACE_SEIZE = 16, 0x4206
SYS_PROCESS_VM_READV, SYS_PIDFD_OPEN, SYS_PIDFD_GETFD, SYS_PIDFD_SEND_SIGNAL = 310, 434, 438, 424
WRITE_LOCK_OF_SQLITE = 120


def refused(error):
    return errno.errorcode.get(error.errno, str(error))


def tried(attempt, action):
    """@return (attempt, what it got, whether it succeeded)"""
    try:
        got = action()
        return attempt, "done" if got is None else str(got), True
    except OSError as error:
        return attempt, refused(error), False


def opened(path, flags):
    """A descriptor that nobody waits for, not through a link."""
    return os.open(path, flags | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)


def read(path):
    descriptor = opened(path, os.O_RDONLY)
    try:
        return repr(os.read(descriptor, 16))
    finally:
        os.close(descriptor)


def locked(path, lock):
    """Takes a lock with whatever right to open there is, and gives it back."""
    first = None
    for flags in (os.O_RDONLY, os.O_RDWR, os.O_WRONLY):
        try:
            descriptor = opened(path, flags)
        except OSError as error:
            first = first or error
            continue
        try:
            lock(descriptor, flags)
            return "may be held for ever"
        except OSError as error:
            if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
                return "may be asked for"
            first = first or error
        finally:
            os.close(descriptor)
    raise first


def record_lock(descriptor, flags):
    kind = fcntl.LOCK_SH if flags == os.O_RDONLY else fcntl.LOCK_EX
    fcntl.lockf(descriptor, kind | fcntl.LOCK_NB, 1, WRITE_LOCK_OF_SQLITE)


def hold_locks(paths, seconds):
    """All locks that can be had on files that may be read. @return on how many"""
    held = []
    for path in paths:
        try:
            descriptor = opened(path, os.O_RDONLY)
        except OSError:
            continue
        for lock in (lambda fd: fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB),
                     lambda fd: fcntl.lockf(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)):
            try:
                lock(descriptor)
            except OSError:
                continue
        held.append(descriptor)
    time.sleep(seconds)
    return len(held)


def written(path):
    os.close(opened(path, os.O_WRONLY))


def replaced(path):
    """Puts a file of one's own in the place of another one."""
    own = f"/tmp/otheruser-own.{os.getpid()}"
    beside = f"{path}.mine"
    try:
        os.close(os.open(beside, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o666))
        own = beside
    except OSError:
        os.close(os.open(own, os.O_CREAT | os.O_WRONLY, 0o666))
    try:
        os.rename(own, path)
    finally:
        if os.path.lexists(own):
            os.unlink(own)


def on_file(path):
    """Every attempt on one file."""
    return [tried("read", lambda: read(path)),
            tried("open for writing", lambda: written(path)),
            tried("flock", lambda: locked(path, lambda fd, _: fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB))),
            tried("lock byte 120", lambda: locked(path, record_lock)),
            tried("truncate", lambda: os.truncate(path, 0)),
            tried("chmod", lambda: os.chmod(path, 0o666)),
            tried("hard link", lambda: hard_link(path)),
            tried("rename away", lambda: os.rename(path, path + ".away")),
            tried("replace", lambda: replaced(path)),
            tried("delete", lambda: os.unlink(path))]


def hard_link(path):
    directory = tempfile.mkdtemp(prefix="otheruser-", dir="/tmp")
    link = os.path.join(directory, "link")
    try:
        os.link(path, link, follow_symlinks=False)
        os.unlink(link)
    finally:
        os.rmdir(directory)


def on_directory(path):
    return [tried("list", lambda: f"{len(os.listdir(path))} names"),
            tried("make a file in it", lambda: made_in(path)),
            tried("chmod", lambda: os.chmod(path, 0o777)),
            tried("rename away", lambda: os.rename(path, path + ".away"))]


def made_in(path):
    name = os.path.join(path, f"otheruser.{os.getpid()}")
    os.close(os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    os.unlink(name)


def on_path(path):
    mode = os.lstat(path).st_mode
    return on_directory(path) if stat.S_ISDIR(mode) else on_file(path)


def on_paths(paths):
    """@return [(path, attempt, got, succeeded)]"""
    found = []
    for path in paths:
        try:
            found += [(path, *each) for each in on_path(path)]
        except FileNotFoundError:
            continue  # it has ended meanwhile
        except OSError as error:
            found.append((path, "find", refused(error), False))
    return found


def called(number, *arguments):
    """A system call; raises what it fails with."""
    if LIBC.syscall(ctypes.c_long(number), *[ctypes.c_long(each) for each in arguments]) < 0:
        raise OSError(ctypes.get_errno(), "")


def traced(request, pid):
    LIBC.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    if LIBC.ptrace(request, pid, None, None) != 0:
        raise OSError(ctypes.get_errno(), "")


class Vector(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]


def memory_read(pid):
    buffer = ctypes.create_string_buffer(8)
    own = Vector(ctypes.cast(buffer, ctypes.c_void_p), 8)
    other = Vector(ctypes.c_void_p(0x400000), 8)
    if LIBC.syscall(ctypes.c_long(SYS_PROCESS_VM_READV), ctypes.c_long(pid), ctypes.byref(own), ctypes.c_ulong(1),
                    ctypes.byref(other), ctypes.c_ulong(1), ctypes.c_ulong(0)) < 0:
        raise OSError(ctypes.get_errno(), "")


def descriptor_taken(pid):
    descriptor = os.pidfd_open(pid)
    try:
        called(SYS_PIDFD_GETFD, descriptor, 0, 0)
    finally:
        os.close(descriptor)


def signalled_by_pidfd(pid):
    descriptor = os.pidfd_open(pid)
    try:
        called(SYS_PIDFD_SEND_SIGNAL, descriptor, signal.SIGSTOP, 0, 0)
    finally:
        os.close(descriptor)


def of_process(pid, name):
    with open(f"/proc/{pid}/{name}", "rb") as file:
        return repr(file.read(16))


def on_process(pid):
    found = [tried(f"/proc/PID/{name}", lambda name=name: of_process(pid, name))
             for name in ("environ", "mem", "maps", "smaps", "auxv", "io", "syscall", "stack", "personality", "pagemap")]
    found += [tried("list /proc/PID/fd", lambda: os.listdir(f"/proc/{pid}/fd")),
              tried("list /proc/PID/map_files", lambda: os.listdir(f"/proc/{pid}/map_files"))]
    found += [tried(f"/proc/PID/{name}", lambda name=name: os.readlink(f"/proc/{pid}/{name}"))
              for name in ("cwd", "exe", "root", "fd/0")]
    found += [tried("open /proc/PID/root/", lambda: os.listdir(f"/proc/{pid}/root/")),
              tried("write /proc/PID/oom_score_adj", lambda: written(f"/proc/{pid}/oom_score_adj")),
              tried("ptrace attach", lambda: traced(PTRACE_ATTACH, pid)),
              tried("ptrace seize", lambda: traced(PTRACE_SEIZE, pid)),
              tried("process_vm_readv", lambda: memory_read(pid)),
              tried("pidfd_getfd", lambda: descriptor_taken(pid)),
              tried("pidfd_send_signal", lambda: signalled_by_pidfd(pid)),
              tried("SIGSTOP", lambda: os.kill(pid, signal.SIGSTOP)),
              tried("SIGINT", lambda: os.kill(pid, signal.SIGINT)),
              tried("SIGCONT", lambda: os.kill(pid, signal.SIGCONT)),
              tried("SIGKILL", lambda: os.kill(pid, signal.SIGKILL)),
              tried("SIGSTOP to its group", lambda: os.killpg(os.getpgid(pid), signal.SIGSTOP)),
              tried("prlimit", lambda: resource.prlimit(pid, resource.RLIMIT_NOFILE, (3, 3))),
              tried("setpriority", lambda: os.setpriority(os.PRIO_PROCESS, pid, 19)),
              tried("sched_setaffinity", lambda: os.sched_setaffinity(pid, {0}))]
    return found


def on_processes(pids):
    """@return [(pid, attempt, got, succeeded)]"""
    found = []
    for pid in pids:
        found += [(pid, *each) for each in on_process(pid) if each[1] != "ESRCH" and each[1] != "ENOENT"]
    return found


def command_lines(pids):
    """What ps shows."""
    found = {}
    for pid in pids:
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                found[pid] = file.read().replace(b"\0", b" ").decode(errors="replace").strip()
        except OSError:
            continue
    return found


def shared_memory(owner):
    """System V segments, semaphores and queues of a user, and POSIX queues, as anybody sees them."""
    found = []
    for kind in ("shm", "sem", "msg"):
        try:
            with open(f"/proc/sysvipc/{kind}") as file:
                lines = [line.split() for line in file]
            column = lines[0].index("uid")
            found += [f"{kind} {line[1]}" for line in lines[1:] if line[column] == str(owner)]
        except (OSError, ValueError):
            continue
    try:
        found += [f"queue {name}" for name in os.listdir("/dev/mqueue")
                  if os.lstat(f"/dev/mqueue/{name}").st_uid == owner]
    except OSError:
        pass
    return found


def hammer(names, end):
    """Tries to get hold of names as soon as they are free, and to lock and read what is under them."""
    got = {}
    while time.monotonic() < end:
        for name in names:
            try:
                os.close(os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
                os.chmod(name, 0o666)
                got[name] = "taken"
            except OSError:
                pass
            try:
                if os.lstat(name).st_uid != os.getuid():
                    got[name] = "read: " + read(name)
            except OSError:
                pass
    return got
