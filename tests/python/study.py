# SPDX-License-Identifier: GPL-3.0-or-later
"""A program that uses resources/python/tasuki.py, as a user would write it. The first argument is the run."""
import concurrent.futures
import os
import sys
import time

import tasuki


class Wrong(Exception):
    pass


def square(number):
    return number * number


def refuse(number):
    raise Wrong(f"not {number}")


def die():
    os._exit(9)


def unpicklable():
    return lambda: None


def check(condition, what):
    if not condition:
        sys.exit(f"study: wrong: {what}")


def results(executor):
    futures = [executor.submit(square, number) for number in range(40)]
    check([each.result(60) for each in futures] == [number * number for number in range(40)], "results")
    check(list(executor.map(square, range(5))) == [0, 1, 4, 9, 16], "map")
    check(executor.command("echo hello").result(60) == 0, "a command")


def failures(executor):
    try:
        executor.submit(refuse, 7).result(60)
        check(False, "an exception")
    except Wrong as error:
        check(str(error) == "not 7", "the words of an exception")
    for future, code in [(executor.command("exit 3"), 3), (executor.submit(die), 9), (executor.command("kill -9 $$"), 137)]:
        try:
            future.result(60)
            check(False, "a failure")
        except tasuki.CommandFailed as error:
            check(error.exit_code == code and error.task == future.task, f"exit code {code}")
    try:
        executor.submit(unpicklable).result(60)
        check(False, "a result that cannot be pickled")
    except TypeError:
        pass
    for line in ["", "# no", "two\nlines", "echo 'open", "goes on \\"]:
        try:
            executor.command(line)
            check(False, f"refuses {line!r}")
        except ValueError:
            pass
    # What only the agent finds wrong fails alone; what was sent before and comes after does not.
    before = executor.command("sleep 1")
    bad = executor.command("echo `open")
    if isinstance(bad.exception(60), tasuki.RunGone):
        check(before.result(60) == 0, "before a refusal")
    check(executor.command("true").result(60) == 0, "after a refusal")


def cancelling(executor):
    running = executor.command("sleep 100")
    while running.task is None:
        time.sleep(0.05)
    time.sleep(0.5)
    check(running.cancel(), "a running task is cancelled")
    check(running.cancelled(), "is cancelled")
    done, _ = concurrent.futures.wait([running], 60)
    check(len(done) == 1, "a cancelled task is done")
    check(not executor.command("true").result(60), "goes on")


def main():
    run, count = sys.argv[1], int(sys.argv[2])
    with tasuki.Executor(run) as executor:
        results(executor)
        failures(executor)
        cancelling(executor)
        begin = time.monotonic()
        futures = [executor.command("true") for _ in range(count)]
        check(all(each.result(600) == 0 for each in futures), "many")
        seconds = time.monotonic() - begin
        check(len({each.task for each in futures}) == count, "each future has a task of its own")
    table = list(tasuki.rows(run))
    check([row["task"] for row in table] == list(range(len(table))), "rows")
    states = {row["task"]: row["state"] for row in table}
    check(all(states[each.task] == "succeeded" for each in futures), "states")
    leftover = [name for name in os.listdir(os.path.dirname(os.path.abspath(run))) if name.startswith("calls-")]
    check(not leftover, f"leaves {leftover} behind")
    print(f"study: {count} futures in {seconds:.1f} s, {count / seconds:.0f} a second; {len(table)} rows")


if __name__ == "__main__":
    main()
