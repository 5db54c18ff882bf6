# SPDX-License-Identifier: GPL-3.0-or-later
"""A Slurm of its own on this machine: munged, slurmctld and slurmd in a private directory."""
import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time

PROGRAMS = ["munged", "slurmctld", "slurmd", "sbatch", "scontrol", "scancel", "squeue"]
START_SECONDS = 20


def program(name):
    return shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/sbin")


def missing():
    """The programs that are not installed."""
    return [name for name in PROGRAMS if program(name) is None]


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


class Cluster:
    """One node, this host, with as many CPUs as told, two partitions: jobs of "high" preempt those of "low"."""

    def __init__(self, cpus=2, grace_seconds=0, proctrack="linuxproc"):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="tasuki-slurm-"))
        self.daemons = []
        self.cpus = cpus
        self.environment = {name: value for name, value in os.environ.items()
                            if not name.startswith(("SLURM_", "SBATCH_", "OMPI_", "PMIX_"))}
        self.environment["SLURM_CONF"] = str(self.directory / "slurm.conf")
        for name in ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"):
            self.environment[name] = "1"
        self._configure(grace_seconds, proctrack)

    def __enter__(self):
        try:
            self._start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        subprocess.run([program("scancel"), "--user", pwd.getpwuid(os.getuid()).pw_name, "--signal=KILL", "--full"],
                       env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60)
        self._end_daemons()
        self._end_remains()
        shutil.rmtree(self.directory, ignore_errors=True)

    def _configure(self, grace_seconds, proctrack):
        for name in ("ctld", "d"):
            (self.directory / name).mkdir()
        os.chmod(self.directory, 0o755)  # munged wants to be found
        controller, daemon = free_ports(2)
        host = socket.gethostname().split(".")[0]
        user = pwd.getpwuid(os.getuid()).pw_name
        d = self.directory
        (d / "slurm.conf").write_text(f"""
ClusterName=tasuki
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
SlurmctldPort={controller}
SlurmdPort={daemon}
AuthType=auth/munge
CredType=cred/munge
# A requeued job waits for as long as the credential of its last start is good.
AuthInfo=socket={d}/munge.socket,cred_expire=5
StateSaveLocation={d}/ctld
SlurmdSpoolDir={d}/d
SlurmctldPidFile={d}/slurmctld.pid
SlurmdPidFile={d}/slurmd.pid
SlurmctldLogFile={d}/slurmctld.log
SlurmdLogFile={d}/slurmd.log
ProctrackType=proctrack/{proctrack}
TaskPlugin=task/none
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=100000
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
ReturnToService=2
OverTimeLimit=0
KillWait=5
MinJobAge=300
InactiveLimit=0
JobRequeue=1
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
NodeName={host} NodeAddr=127.0.0.1 CPUs={self.cpus} State=UNKNOWN
PartitionName=low Nodes={host} Default=YES MaxTime=INFINITE State=UP PriorityTier=1 PreemptMode=REQUEUE GraceTime={grace_seconds}
PartitionName=high Nodes={host} MaxTime=INFINITE State=UP PriorityTier=2 PreemptMode=OFF
""".lstrip())
        key = d / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)

    def _start(self):
        d = self.directory
        self._daemon("munged", "--foreground", "--force", f"--socket={d}/munge.socket", f"--key-file={d}/munge.key",
                     f"--pid-file={d}/munged.pid", f"--log-file={d}/munged.log", f"--seed-file={d}/munged.seed")
        self._wait(lambda: (d / "munge.socket").exists(), "munged does not serve")
        self._daemon("slurmctld", "-D", "-i", "-f", str(d / "slurm.conf"))
        self._daemon("slurmd", "-D", "-f", str(d / "slurm.conf"))
        self._wait(lambda: "idle" in self.run("sinfo", "-h", "-o", "%T", check=False), "the node does not come up")

    def _daemon(self, name, *arguments):
        with open(self.directory / f"{name}.out", "wb") as out:
            self.daemons.append(subprocess.Popen([program(name), *arguments], env=self.environment, stdout=out,
                                                 stderr=out, stdin=subprocess.DEVNULL))

    def _wait(self, condition, complaint):
        end = time.monotonic() + START_SECONDS
        while not condition():
            dead = [each.args[0] for each in self.daemons if each.poll() is not None]
            if dead or time.monotonic() > end:
                raise RuntimeError(f"{complaint} {dead or ''}\n{self.logs()}")
            time.sleep(0.1)

    def logs(self):
        text = ""
        for name in ("munged.out", "slurmctld.out", "slurmctld.log", "slurmd.out", "slurmd.log"):
            path = self.directory / name
            if path.exists():
                text += f"--- {name}\n" + "\n".join(path.read_text(errors="replace").splitlines()[-15:]) + "\n"
        return text

    def _end_daemons(self):
        for daemon in reversed(self.daemons):
            if daemon.poll() is None:
                daemon.send_signal(signal.SIGTERM)
        for daemon in reversed(self.daemons):
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()

    def _end_remains(self):
        """Whatever was started with this cluster's configuration, slurmstepd and jobs included."""
        mark = f"SLURM_CONF={self.directory}/slurm.conf".encode()
        spool = str(self.directory).encode()
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit() or int(entry.name) in (1, os.getpid(), os.getppid()):
                continue
            try:
                own = mark in (entry / "environ").read_bytes().split(b"\0") or spool in (entry / "cmdline").read_bytes()
                if own:
                    os.kill(int(entry.name), signal.SIGKILL)
            except OSError:
                pass

    def run(self, name, *arguments, check=True):
        """The output of one of Slurm's commands."""
        done = subprocess.run([program(name), *arguments], env=self.environment, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, timeout=60)
        if check and done.returncode != 0:
            raise RuntimeError(f"{name} {' '.join(arguments)}: {done.stderr.strip()}")
        return done.stdout

    def submit(self, directory, script, *options):
        """The number of a batch job whose script runs in a directory and whose output goes to job.out there."""
        path = pathlib.Path(directory) / "job.sh"
        path.write_text("#!/bin/bash\n" + script)
        out = self.run("sbatch", "--parsable", "--open-mode=append", "-o", str(pathlib.Path(directory) / "job.out"),
                       "-D", str(directory), *options, str(path))
        return out.strip().split(";")[0]

    def job(self, number):
        """What scontrol says of a job, by name; empty: it is not known any more."""
        words = self.run("scontrol", "-o", "show", "job", number, check=False).split()
        return dict(word.split("=", 1) for word in words if "=" in word)

    def state(self, number):
        """The state of a job; COMPLETING as long as something of it may live."""
        queued = self.run("squeue", "-h", "-j", number, "-o", "%T", check=False).strip()
        return queued or self.job(number).get("JobState", "GONE")

    def wait_for(self, number, states, seconds):
        """Waits until a job is in one of some states. Returns it, or the last one seen."""
        end = time.monotonic() + seconds
        while (state := self.state(number)) not in states and time.monotonic() < end:
            time.sleep(0.1)
        return state
