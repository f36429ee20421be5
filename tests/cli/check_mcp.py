# SPDX-License-Identifier: GPL-3.0-or-later
"""Talks to `rankscope-cli mcp` as a client of the Model Context Protocol does, and holds what it answers.

usage: check_mcp.py RANKSCOPE_CLI RUN_FOLDER OTHER_RUN_FOLDER
"""
import json
import re
import subprocess
import sys


class Client:
    """A server of its own, and its messages."""

    def __init__(self, program, *paths):
        self.process = subprocess.Popen(
            [program, "mcp", *paths], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.last = 0

    def send(self, message):
        self.process.stdin.write(message if isinstance(message, str) else json.dumps(message))
        self.process.stdin.write("\n")
        self.process.stdin.flush()

    def receive(self):
        return json.loads(self.process.stdout.readline())

    def ask(self, method, **params):
        self.last += 1
        self.send({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params})
        answer = self.receive()
        assert answer["jsonrpc"] == "2.0" and answer["id"] == self.last, answer
        return answer

    def call(self, tool, **arguments):
        result = self.ask("tools/call", name=tool, arguments=arguments)["result"]
        text = result["content"][0]["text"]
        assert len(text) < 4200, f"{tool}: {len(text)} bytes"
        return text, result["isError"]

    def end(self):
        self.process.stdin.close()
        return self.process.wait(timeout=20)


def told(client, tool, *words, **arguments):
    text, is_error = client.call(tool, **arguments)
    assert not is_error, f"{tool}: {text}"
    for word in words:
        assert word in text, f"{tool}: no {word!r} in\n{text}"
    return text


def refused(client, tool, word, **arguments):
    text, is_error = client.call(tool, **arguments)
    assert is_error and word in text, f"{tool}: {text}"


def main():
    program, folder, other = sys.argv[1:]
    client = Client(program, folder, other)
    started = client.ask("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "test"})
    assert started["result"]["protocolVersion"] == "2025-06-18", started
    assert started["result"]["serverInfo"]["name"] == "rankscope"
    client.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
    assert client.ask("ping")["result"] == {}
    tools = {tool["name"]: tool for tool in client.ask("tools/list")["result"]["tools"]}
    assert sorted(tools) == sorted(
        ["overview", "finding", "check", "tables", "query", "slice", "step", "rank", "compare"]
    ), tools
    assert tools["finding"]["inputSchema"]["required"] == ["number"]

    told(client, "overview", "INPUT-BOUND", "num_workers=4", "finding(number)")
    found = told(client, "finding", "GPU waits for input data", "evidence, slice ids: ", number=1)
    evidence = int(re.search(r"slice ids: (\d+)", found).group(1))
    told(client, "slice", f"id: {evidence}", "dur_ns: ", "as recorded:", id=evidence)
    told(client, "check", "look")
    told(client, "tables", "slice: ", "findings: ")
    told(client, "tables", "dur_ns: ", pattern="slice")
    answer = told(client, "query", "the first 2 rows", sql="SELECT name, dur_ns FROM slice", limit=2)
    assert len(answer.splitlines()) == 4, answer
    told(client, "step", "duration_ns: ", "idle by cause:", "dataloader", rank=2, step=82)
    told(client, "rank", "median_step_ns: ", rank=2)
    names = re.findall(r'run "([^"]+)"', told(client, "overview"))
    told(client, "compare", "less per step", a=names[0], b=names[1])

    first = told(client, "query", "page 1 of", sql="SELECT * FROM slice", limit=300)
    second = told(client, "query", sql="SELECT * FROM slice", limit=300, page=2)
    assert first != second
    refused(client, "query", "there is no page 99", sql="SELECT 1", page=99)
    refused(client, "query", "did you mean dur_ns?", sql="SELECT dur FROM slice")
    refused(client, "query", "may only SELECT", sql="ATTACH '/etc/passwd' AS x")
    refused(client, "finding", "there is no finding 999", number=999)
    refused(client, "finding", "must be a whole number", number="one")
    refused(client, "finding", "is missing")
    refused(client, "slice", "there is no slice", id=10**12)
    refused(client, "compare", "Only what was named at the start is read", a="/etc", b=names[0])
    refused(client, "overvew", "did you mean")

    assert len(client.ask("prompts/list")["result"]["prompts"]) == 3
    assert client.ask("prompts/get", name="why-slow")["result"]["messages"][0]["role"] == "user"
    assert client.ask("prompts/get", name="none")["error"]["code"] == -32602
    assert client.ask("resources/nothing")["error"]["code"] == -32601
    for broken, code in [("{", -32700), ("[]", -32600), ("7", -32600), ('{"id": 1}', -32600), ("x" * 1_100_000, -32600)]:
        client.send(broken)
        assert client.receive()["error"]["code"] == code, broken[:20]

    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
    client.send({"jsonrpc": "2.0", "id": 1000, "method": "tools/call",
                 "params": {"name": "query", "arguments": {"sql": endless}}})
    client.send({"jsonrpc": "2.0", "id": 1001, "method": "ping"})
    client.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1000}})
    cancelled = client.receive()
    while cancelled["id"] != 1000:
        cancelled = client.receive()
    assert cancelled["result"]["isError"], cancelled
    assert client.receive()["id"] == 1001
    assert client.end() == 0
    print("the server answers as the protocol has it")


main()
