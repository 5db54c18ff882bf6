# SPDX-License-Identifier: GPL-3.0-or-later
"""The fenced blocks of a document, what the comment before each says, and what its commands should print."""
import re

NUMBER = r"\d+(?:[.,]\d+)*"
KINDS = re.compile(r"(file)\s+\S+|(run)(?: \d+| exactly| unseen| if \S+)*|(stop) after \d+|(not run): .+")


class Failure(Exception):
    """What a block should do and does not."""


def blocks(text):
    """Each block as (line, comment, content); the comment is None where there is none."""
    comment, begin, content = None, None, []
    for number, line in enumerate(text.splitlines(), 1):
        if begin is not None:
            if line.startswith("```"):
                yield begin, comment, content
                begin, comment, content = None, None, []
            else:
                content.append(line)
        elif line.startswith("```"):
            begin = number
        elif match := re.fullmatch(r"<!-- (.*) -->", line):
            comment = match.group(1)
        elif line.strip():
            comment = None


def kindOf(comment):
    match = KINDS.fullmatch(comment or "")
    if not match:
        raise Failure("no comment before this block says what it is")
    return next(kind for kind in match.groups() if kind)


def namedBefore(text, line, name):
    """Whether the reader is told the name of a file: between this block and the one before."""
    before = text.splitlines()[:line - 1]
    fences = [number for number, each in enumerate(before) if each.startswith("```")]
    return f"`{name}`" in "\n".join(before[fences[-1] + 1 if fences else 0:])


def commands(content):
    """Each command of a block with the lines that are shown below it. Lines behind "> " go on with a command."""
    found = []
    for line in content:
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif not found:
            raise Failure("the block begins with no command ('$ ...')")
        elif line.startswith("> ") and not found[-1][1]:
            found[-1] = (f"{found[-1][0]}\n{line[2:]}", [])
        else:
            found[-1][1].append(line)
    return found


def pattern(line):
    """What a shown line stands for: numbers, and how columns are filled, may differ."""
    parts = re.split(rf"({NUMBER}|\s+)", line.strip())
    return "".join(NUMBER if part[:1].isdigit() else r"\s+" if part.isspace() else re.escape(part)
                   for part in parts if part)


def compare(shown, printed, exactly):
    """@param exactly  numbers must not differ"""
    rest = [line.strip() for line in re.split(r"[\r\n]+", printed)]
    for line in shown:
        if line.strip() in ("...", ""):
            continue
        wanted = re.compile(re.escape(line.strip()) if exactly else pattern(line))
        place = next((i for i, each in enumerate(rest) if wanted.fullmatch(each)), None)
        if place is None:
            raise Failure(f"was not printed, or not in this order: {line}")
        rest = rest[place + 1:]
