# SPDX-License-Identifier: GPL-3.0-or-later
"""Talks to `rankscope-cli mcp` as a client of the Model Context Protocol does, and checks the answers.

usage: check_mcp.py RANKSCOPE_CLI RUN_FOLDER OTHER_RUN_FOLDER
"""
import base64
import json
import re
import subprocess
import sys
from random import Random


class Client:
    """A server process of its own, and its messages."""

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


def broken(message, random):
    """A message with some of it taken out, doubled, or changed into something else, as one line."""
    text = json.dumps(message)
    for _ in range(random.randint(1, 4)):
        at = random.randrange(len(text) + 1)
        piece = random.choice(["", "{", "}", "[", "]", '"', ":", "null", "-1", "1e999", "\\u0000", "\\ud800", "é", text[:40]])
        text = text[:at] + piece + text[at + random.choice([0, 0, 1, 5]):]
    return text.replace("\n", " ")


def hold_against_broken_messages(client, count):
    """Whatever the server is sent, it answers what comes next, and every answer is one of the protocol."""
    random = Random(20261128)
    call = {"name": "query", "arguments": {"sql": "SELECT name FROM slice", "limit": 2, "page": 1}}
    messages = [
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call},
        {"jsonrpc": "2.0", "id": "a", "method": "tools/call", "params": {"name": "slice", "arguments": {"id": 3}}},
        {"jsonrpc": "2.0", "id": 2, "method": "resources/read", "params": {"uri": "definition://gaps"}},
        {"jsonrpc": "2.0", "id": 3, "method": "prompts/get", "params": {"name": "why-slow"}},
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}},
    ]
    for number in range(count):
        client.send(broken(random.choice(messages), random))
        mark = f"after {number}"
        client.send({"jsonrpc": "2.0", "id": mark, "method": "ping"})
        while True:
            answer = client.receive()
            assert answer["jsonrpc"] == "2.0" and ("result" in answer) != ("error" in answer), answer
            if answer["id"] == mark:
                break


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
        ["overview", "finding", "check", "tables", "query", "slice", "step", "rank", "picture", "compare",
         "what_if"]
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
    told(client, "what_if", "instead of", "assumes", changes="loader:workers=4; link:x2")
    told(client, "what_if", "Each change alone:", "loader:ready")
    refused(client, "what_if", "did you mean link:xF?", changes="linc:x2")

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
    refused(client, "query", "there is no function", sql="SELECT readfile('/etc/passwd')")
    refused(client, "query", "may only SELECT", sql="SELECT load_extension('/tmp/x.so')")
    refused(client, "compare", "Only what was named at the start is read", a="/etc", b=names[0])
    refused(client, "overvew", "did you mean")

    assert len(client.ask("prompts/list")["result"]["prompts"]) == 3
    assert client.ask("prompts/get", name="why-slow")["result"]["messages"][0]["role"] == "user"
    assert client.ask("prompts/get", name="none")["error"]["code"] == -32602
    pages = {page["name"]: page for page in client.ask("resources/list")["result"]["resources"]}
    assert pages["gaps"]["uri"] == "definition://gaps" and pages["gaps"]["title"] == "Why the GPU is idle", pages["gaps"]
    assert len(pages) > 20, sorted(pages)
    page = client.ask("resources/read", uri="definition://gaps")["result"]["contents"][0]
    assert page["mimeType"] == "text/markdown" and "releasing" in page["text"], page["text"][:200]
    assert client.ask("resources/templates/list")["result"]["resourceTemplates"][0]["uriTemplate"] == "definition://{name}"
    for uri in ["definition://nothing", "definition://../query", "file:///etc/passwd", f"file://{folder}", 7, None]:
        assert client.ask("resources/read", uri=uri)["error"]["code"] == -32002, uri
    assert client.ask("resources/nothing")["error"]["code"] == -32601

    client.last += 1
    span = {"from_ns": 0, "to_ns": 20_000_000}
    client.send({"jsonrpc": "2.0", "id": client.last, "method": "tools/call",
                 "params": {"name": "picture", "arguments": span}})
    drawn = client.receive()["result"]
    if drawn["isError"]:
        assert "needs the program rankscope" in drawn["content"][0]["text"], drawn
    else:
        assert base64.b64decode(drawn["content"][1]["data"]).startswith(b"\x89PNG"), drawn["content"][0]
    refused(client, "picture", "to_ns must be above from_ns", from_ns=5, to_ns=5)
    deep = "[" * 400_000 + "]" * 400_000
    for wrong, code in [
        ("{", -32700), ("[]", -32600), ("7", -32600), ('{"id": 1}', -32600), ("x" * 1_100_000, -32700),
        ('{"id": %s, "method": "ping"}' % deep, -32700), ('{"id": 1, "method": "ping", "params": %s}' % deep, -32700),
        ('{"id": [1], "method": "ping"}', -32600), ('{"id": null, "method": "ping"}', -32600),
    ]:
        client.send(wrong)
        assert client.receive()["error"]["code"] == code, wrong[:30]

    hold_against_broken_messages(client, count=400)

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
