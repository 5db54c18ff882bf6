# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said to listening sockets: nonsense, hellos without the token, forged words, nothing at all; and the word of
who has the token. Frames and messages: shared/wire/PROTOCOL.md, agent/control/streamhandshake.h."""
import hashlib
import hmac
import json
import os
import resource
import socket
import struct
import time

PROTOCOL = (1, 2)
GREETING_BYTES = 1 + 4 + 2 + 4 * 4 + 32
NONSENSE = {"random bytes": lambda: os.urandom(65536), "zeros": lambda: bytes(4096),
            "the largest length": lambda: b"\xff" * 64, "HTTP": lambda: b"GET / HTTP/1.0\r\n\r\n",
            "one byte": lambda: b"\x01"}


def listening(pids):
    """TCP and UDP ports and Unix sockets of processes, as root sees them.
    @return [(kind, address, port or name, process name)]"""
    inodes = {}
    for pid in pids:
        try:
            with open(f"/proc/{pid}/comm") as file:
                name = file.read().strip()
            for entry in os.listdir(f"/proc/{pid}/fd"):
                target = os.readlink(f"/proc/{pid}/fd/{entry}")
                if target.startswith("socket:["):
                    inodes.setdefault(target[8:-1], name)
        except OSError:
            continue
    found = []
    for kind, table, state in (("tcp", "tcp", "0A"), ("tcp6", "tcp6", "0A"), ("udp", "udp", None),
                               ("udp6", "udp6", None)):
        with open(f"/proc/net/{table}") as file:
            for words in (line.split() for line in list(file)[1:]):
                if words[9] in inodes and state in (None, words[3]):
                    address, port = words[1].split(":")
                    everywhere = set(address) == {"0"}
                    found.append((kind, "all interfaces" if everywhere else "this host", int(port, 16),
                                  inodes[words[9]]))
    with open("/proc/net/unix") as file:
        for words in (line.split() for line in list(file)[1:]):
            if len(words) > 7 and words[6] in inodes:
                found.append(("unix", "abstract" if words[7].startswith("@") else "file", words[7],
                              inodes[words[6]]))
    return found


def connected(place, seconds=2.0):
    kind, _, where, _ = place
    if kind == "unix":
        client = socket.socket(socket.AF_UNIX)
        client.settimeout(seconds)
        client.connect("\0" + where[1:] if where.startswith("@") else where)
        return client
    client = socket.socket(socket.AF_INET6 if kind.endswith("6") else socket.AF_INET)
    client.settimeout(seconds)
    client.connect(("::1" if kind.endswith("6") else "127.0.0.1", where))
    return client


def answer(client, seconds):
    client.settimeout(seconds)
    try:
        got = client.recv(4096)
        return f"{len(got)} bytes: {got[:40]!r}" if got else "closed"
    except socket.timeout:
        return "nothing"
    except OSError:
        return "closed"


def said(place, words, seconds=0.3):
    try:
        with connected(place) as client:
            try:
                client.sendall(words)
            except OSError:
                return "closed"
            return answer(client, seconds)
    except OSError as error:
        return f"not connected: {error.strerror or error}"


def framed(payload):
    return struct.pack("<I", len(payload)) + payload


def varint(number):
    out = b""
    while number > 0x7F:
        out += bytes([number & 0x7F | 0x80])
        number >>= 7
    return out + bytes([number])


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def client_hello(nonce, name=b"0", operator=b"somebody"):
    hello = (field(1, PROTOCOL[0]) + field(2, PROTOCOL[1]) + field(3, nonce) + field(4, name) + field(5, operator))
    return framed(field(1, hello))


def control_hello(sender, receiver):
    """A dialer's greeting under a key of one's own, of the right length."""
    greeting = b"\x01TSKC" + struct.pack("<H4I", 2, 1, sender, receiver, 0) + os.urandom(32)
    return framed(greeting[:GREETING_BYTES] + os.urandom(32))


def beat(sender, receiver, number):
    """A datagram as of a processor, with a tag of one's own."""
    return b"TSKB" + struct.pack("<HHIIIIQ", 1, 0, 1, sender, receiver, 0, number) + os.urandom(40) + os.urandom(32)


def speak(places):
    """All that is tried at all places. @return [(place, attempt, got)]"""
    found = []
    for place in places:
        if place[0].startswith("udp"):
            found.append((place, "2,000 forged datagrams", datagrams(place)))
            continue
        for name, words in NONSENSE.items():
            found.append((place, name, said(place, words())))
        found.append((place, "hello of a window without the token",
                      said(place, client_hello(os.urandom(32)) + framed(field(2, field(1, os.urandom(32)))), 0.6)))
        found.append((place, "command without a handshake", said(place, framed(field(4, field(1, 1))))))
        for sender in (0, 1, 3):
            found.append((place, f"greeting as processor {sender}", said(place, control_hello(sender, 0))))
    return found


def datagrams(place):
    family = socket.AF_INET6 if place[0].endswith("6") else socket.AF_INET
    target = ("::1" if place[0].endswith("6") else "127.0.0.1", place[2])
    with socket.socket(family, socket.SOCK_DGRAM) as client:
        client.setblocking(False)
        for number in range(2000):
            try:
                client.sendto(beat(number % 4, (number + 1) % 4, number + 1) if number % 2 else os.urandom(200), target)
            except OSError:
                continue
        time.sleep(0.2)
        try:
            return f"{len(client.recv(4096))} bytes"
        except OSError:
            return "nothing"


def hold(places, each, seconds):
    """Silent connections to all places, opened anew as they are closed. @return how many there were"""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    end = time.monotonic() + seconds
    held = {i: [] for i in range(len(places))}
    count = 0
    while time.monotonic() < end:
        for i, place in enumerate(places):
            while len(held[i]) < each:
                try:
                    client = connected(place, 1.0)
                except OSError:
                    break
                client.setblocking(False)
                held[i].append(client)
                count += 1
            for client in list(held[i]):
                try:
                    if client.recv(4096) == b"":
                        client.close()
                        held[i].remove(client)
                except BlockingIOError:
                    continue
                except OSError:
                    client.close()
                    held[i].remove(client)
        time.sleep(0.2)
    return count


def read_varint(data, at):
    number = shift = 0
    while True:
        byte = data[at]
        number |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return number, at


def fields(data):
    found, at = {}, 0
    while at < len(data):
        key, at = read_varint(data, at)
        if key & 7 == 2:
            length, at = read_varint(data, at)
            found[key >> 3] = data[at:at + length]
            at += length
        elif key & 7 == 0:
            found[key >> 3], at = read_varint(data, at)
        else:
            raise ValueError("no message")
    return found


def message(client):
    data = b""
    while len(data) < 4 or len(data) < 4 + struct.unpack("<I", data[:4])[0]:
        more = client.recv(4 if len(data) < 4 else 4 + struct.unpack("<I", data[:4])[0] - len(data))
        if not more:
            raise OSError("closed")
        data += more
    return fields(data[4:])


def join(access_file, over):
    """A window of the owner. @return "Welcome", or what came instead"""
    with open(access_file) as file:
        access = json.load(file)
    token = bytes.fromhex(access["token"])
    place = ("unix", "file", access["socket"], "") if over == "unix" else ("tcp", "", access["tcp_port"], "")
    nonce = os.urandom(32)

    def text(data):
        return struct.pack("<Q", len(data)) + data

    def number(value):
        return struct.pack("<Q", value)

    try:
        with connected(place, 5.0) as client:
            client.sendall(client_hello(nonce))
            hello = fields(message(client)[1])
            said_by_both = (number(PROTOCOL[0]) + number(PROTOCOL[1]) + nonce + text(b"0") + text(b"somebody") + text(b"")
                            + number(hello.get(1, 0)) + number(hello.get(2, 0)) + hello[3] + text(hello.get(4, b"")))
            digest = hashlib.sha256(said_by_both).digest()

            def proof(role):
                return hmac.new(token, role + b"\0" + digest, hashlib.sha256).digest()

            if proof(b"tasuki agent") != hello[5]:
                return "another one's proof"
            client.sendall(framed(field(2, field(1, proof(b"tasuki client")))))
            kind = next(iter(message(client)))
            return "Welcome" if kind == 3 else f"message {kind}"
    except (OSError, KeyError, ValueError, IndexError) as error:
        return f"{type(error).__name__}: {error}"
