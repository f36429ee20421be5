// SPDX-License-Identifier: GPL-3.0-or-later
// The official client of the Model Context Protocol against `rankscope-cli mcp`: node client.mjs RANKSCOPE_CLI RUN OTHER_RUN
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [program, run, other] = process.argv.slice(2);
const client = new Client({ name: "test", version: "1" });
await client.connect(new StdioClientTransport({ command: program, args: ["mcp", run, other], stderr: "ignore" }));


const { tools } = await client.listTools();
assert.equal(tools.length, 11);
const call = async (name, args = {}, options = undefined) =>
  (await client.callTool({ name, arguments: args }, undefined, options));
const text = async (name, args) => {
  const answer = await call(name, args);
  assert.ok(!answer.isError, `${name}: ${answer.content[0].text}`);
  return answer.content[0].text;
};

const overview = await text("overview");
assert.match(overview, /INPUT-BOUND/);
const finding = await text("finding", { number: 1 });
const id = Number(finding.match(/slice ids: (\d+)/)[1]);
assert.match(await text("slice", { id }), /as recorded/);
await text("check");
await text("tables", { pattern: "slice" });
assert.match(await text("query", { sql: "SELECT count(*) AS n FROM slice" }), /\d/);
await text("step", { rank: 2, step: 82 });
await text("rank", { rank: 2 });
const [a, b] = [...overview.matchAll(/run "([^"]+)"/g)].map((match) => match[1]);
await text("compare", { a, b });
assert.match(await text("what_if", { changes: "loader:ready; link:x2" }), /instead of/);
assert.match(await text("what_if"), /Each change alone/);

const long = await text("query", { sql: "SELECT * FROM slice", limit: 300 });
assert.match(long, /page 1 of/);
assert.notEqual(long, await text("query", { sql: "SELECT * FROM slice", limit: 300, page: 2 }));

const wrong = await call("query", { sql: "SELECT dur FROM slice" });
assert.ok(wrong.isError && /did you mean dur_ns/.test(wrong.content[0].text));
const outside = await call("compare", { a: "/etc", b });
assert.ok(outside.isError && /Only what was named/.test(outside.content[0].text));

const stop = new AbortController();
const endless = call(
  "query",
  { sql: "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n" },
  { signal: stop.signal },
);
setTimeout(() => stop.abort("enough"), 200);
await assert.rejects(endless);
const before = Date.now();
await text("query", { sql: "SELECT 1" });
assert.ok(Date.now() - before < 5000, "the cancelled call has ended");

assert.equal((await client.listPrompts()).prompts.length, 3);
const { resources } = await client.listResources();
assert.ok(resources.length > 20);
const { contents } = await client.readResource({ uri: "definition://gaps" });
assert.match(contents[0].text, /Why the GPU is idle/);
await assert.rejects(client.readResource({ uri: "file:///etc/passwd" }));
await client.getPrompt({ name: "why-slow" });
await client.close();
console.log("the official client gets what it asks for");
