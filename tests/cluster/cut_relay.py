#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""cut_relay.py PORT up|down BYTES MARK: an ssh ProxyCommand that cuts a connection in the middle.

Connects standard input and output to this port of the loopback. After this many bytes in one direction it cuts the
connection once, as a network may do. The file MARK then exists, and later connections are not cut."""
import os
import selectors
import socket
import sys


def main():
    port, cut_at, mark = int(sys.argv[1]), int(sys.argv[3]), sys.argv[4]
    counted = "in" if sys.argv[2] == "up" else "out"
    left = None if os.path.exists(mark) else cut_at
    server = socket.create_connection(("127.0.0.1", port))
    waits = selectors.DefaultSelector()
    waits.register(0, selectors.EVENT_READ, "in")
    waits.register(server, selectors.EVENT_READ, "out")
    while True:
        for key, _ in waits.select():
            data = os.read(key.fd, 16384)
            if left is not None and key.data == counted:
                left -= len(data)
                if left < 0:
                    with open(mark, "w", encoding="ascii"):
                        return
            if not data:
                return
            if key.data == "in":
                server.sendall(data)
            else:
                view = memoryview(data)
                while view:
                    view = view[os.write(1, view):]


if __name__ == "__main__":
    main()
