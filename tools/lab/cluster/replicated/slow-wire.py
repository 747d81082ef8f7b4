"""A slow and lossy network between hosts, in user space: many kernels lack netem.

slow-wire.py DELAY_MS LOSS BRIDGE NAMESPACE=ADDRESS/BITS ...

Moves each host's address from eth0 to a TAP device of its own and carries the frames between that and a second TAP on
the bridge. What a host sends is delayed and, with probability LOSS, lost; what it receives is not, so that a packet
between two hosts is delayed once. Prints a line when it is ready, and puts everything back when its input ends.
"""
import fcntl
import heapq
import os
import random
import select
import struct
import subprocess
import sys
import time

DELAY, LOSS, BRIDGE = float(sys.argv[1]) / 1000, float(sys.argv[2]), sys.argv[3]
HOSTS = [argument.split("=") for argument in sys.argv[4:]]
TUNSETIFF, IFF_TAP, IFF_NO_PI = 0x400454CA, 0x0002, 0x1000
BURST = 64


def run(*command):
    subprocess.run(command, check=True)


def tap(name):
    descriptor = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(descriptor, TUNSETIFF, struct.pack("16sH", name.encode(), IFF_TAP | IFF_NO_PI))
    return descriptor


partner, outgoing = {}, set()
for number, (namespace, address) in enumerate(HOSTS):
    inner, outer = tap(f"ti{number}"), tap(f"to{number}")
    partner[inner], partner[outer] = outer, inner
    outgoing.add(inner)
    run("ip", "link", "set", f"to{number}", "master", BRIDGE, "up")
    # The same hardware address as before, so that nobody has to ask for it again.
    link = subprocess.run(
        ["ip", "-n", namespace, "-o", "link", "show", "eth0"], check=True, capture_output=True, text=True
    ).stdout
    mac = link.split("link/ether ")[1].split()[0]
    run("ip", "link", "set", f"ti{number}", "netns", namespace)
    run("ip", "-n", namespace, "link", "set", "eth0", "down")
    run("ip", "-n", namespace, "addr", "del", address, "dev", "eth0")
    run("ip", "-n", namespace, "link", "set", f"ti{number}", "address", mac)
    run("ip", "-n", namespace, "addr", "add", address, "dev", f"ti{number}")
    run("ip", "-n", namespace, "link", "set", f"ti{number}", "up")

print("ready", flush=True)
waiting, count, going = [], 0, True
while going:
    now = time.monotonic()
    while waiting and waiting[0][0] <= now:
        _, _, descriptor, frame = heapq.heappop(waiting)
        try:
            os.write(descriptor, frame)
        except OSError:
            pass
    timeout = min(0.05, waiting[0][0] - now) if waiting else 0.05
    for descriptor in select.select([*partner, sys.stdin.fileno()], [], [], timeout)[0]:
        if descriptor == sys.stdin.fileno():
            going = os.read(descriptor, 1) != b""
            continue
        for _ in range(BURST):
            try:
                frame = os.read(descriptor, 65536)
            except BlockingIOError:
                break
            if descriptor in outgoing:
                if random.random() < LOSS:
                    continue
                count += 1
                heapq.heappush(waiting, (time.monotonic() + DELAY, count, partner[descriptor], frame))
            else:
                try:
                    os.write(partner[descriptor], frame)
                except OSError:
                    pass

for number, (namespace, address) in enumerate(HOSTS):
    run("ip", "-n", namespace, "link", "del", f"ti{number}")
    run("ip", "link", "del", f"to{number}")
    run("ip", "-n", namespace, "addr", "add", address, "dev", "eth0")
    run("ip", "-n", namespace, "link", "set", "eth0", "up")
