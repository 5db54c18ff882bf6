# SPDX-License-Identifier: GPL-3.0-or-later
"""What checks need that run programs in a world on this host and under mpirun."""
import os
import pathlib
import signal
import subprocess
import sys


def call(command, folder, environment=None, timeout_s=600):
    """Exit code and output of a command; -1 if it took too long: then all that it started is killed."""
    with subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, start_new_session=True) as process:
        try:
            output = process.communicate(timeout=timeout_s)[0]
            code = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output = process.communicate()[0]
            code = -1
        return code, output.decode(errors="replace")


def unpack_sources(package, work, folder):
    """Sources of a Debian package. @return whether they are there; else it is said why not"""
    code, output = call(["apt-get", "source", "--download-only", package], work)
    packed = sorted(work.glob(f"{package}_*.orig.tar.*"))
    if code != 0 or not packed:
        print(f"run: apt-get source {package}: " + (output.strip().splitlines() or ["?"])[-1])
        return False
    folder.mkdir()
    subprocess.run(["tar", "-xf", packed[0], "-C", folder, "--strip-components=1"], check=True)
    return True


def ways_of(build):
    """What a number of ranks and a program are put behind, by name. What is not built ends the check."""
    build = pathlib.Path(build).resolve()
    world = [str(build / "tests/worldrun"), str(build / "lib/libtasuki-world.so")]
    for file in world:
        if not os.path.exists(file):
            sys.exit(f"run: error: {file} is missing: build it")
    return {"world": world, "Open MPI": ["mpirun", "--oversubscribe", "-n"]}


def environment_of_ranks():
    environment = dict(os.environ)
    if os.geteuid() == 0:
        environment["OMPI_ALLOW_RUN_AS_ROOT"] = environment["OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] = "1"
    return environment
