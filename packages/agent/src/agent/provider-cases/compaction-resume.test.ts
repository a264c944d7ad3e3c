/** A process that dies at any point of a compacted session: the next one goes on from its log. */
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { call, modelServer, type RecordedRequest, say, think, workspace } from "@pi-ts/testkit";
import type { Session } from "../../session/session.ts";
import { SessionStore } from "../../session/session-store.ts";
import { found, tool, user } from "../test-support/bench.ts";
import { stopReason, WIRES, wired } from "../test-support/wired.ts";

const isSummary = (request: RecordedRequest) => request.system.includes("hand-over notes");
const look = tool("look", { run: () => Promise.resolve(found("word ".repeat(150))) });

/** A store whose clock moves a second with each look. */
function storeOf(root: string): SessionStore {
  let time = Date.UTC(2026, 0, 1);
  return new SessionStore({ root, now: () => (time += 1_000), onNotice: () => undefined });
}

test.each(WIRES)(
  "a session with a summary, its undoing and another summary goes on on %s after a kill behind any of its records [C07][C01]",
  async (wire) => {
    await using ws = await workspace({});
    await using server = await modelServer();
    let turn = 0;
    server.when(isSummary).reply(say("## Task\nTHE-SUMMARY"));
    server.otherwise((request) => {
      if (request.text.includes("AFTER-THE-KILL")) return [say("resumed")];
      turn++;
      if (turn % 3 === 0) return [think(`enough ${turn}`), say(`answer ${turn}`)];
      return [think(`turn ${turn}`), call("look", { x: turn })];
    });
    const on = (session: Session) => {
      const b = wired(server, wire, { tools: [look] });
      b.options.conversation = session;
      return b;
    };
    const session = storeOf(ws.path).create({ cwd: ws.path, mode: "print", model: "m", provider: "p" });
    const b = on(session);
    const compact = async () => {
      for await (const _ of b.runner.compact({ signal: b.stop.signal }));
    };
    const run = async (prompt: string) => {
      for await (const _ of b.runner.run(user(prompt), b.stop.signal));
    };
    await run("first");
    await run("second");
    await compact();
    await run("third");
    b.runner.undoCompaction();
    await run("fourth");
    await compact();
    await run("fifth");
    session.close();
    const path = join(session.folder!, "events.jsonl");
    const bytes = readFileSync(path);
    const lines = bytes.toString("utf8").split("\n").slice(0, -1);
    const kinds = lines.map((line) => (JSON.parse(line) as { type: string }).type);
    expect(kinds.filter((kind) => kind === "compaction" || kind === "undo")).toEqual([
      "compaction",
      "undo",
      "compaction",
    ]);
    for (let count = 2; count <= lines.length; count++) {
      writeFileSync(path, `${lines.slice(0, count).join("\n")}\n`);
      const again = storeOf(ws.path).open(session.id);
      const later = on(again);
      const events = [];
      for await (const event of later.runner.run(user("AFTER-THE-KILL"), later.stop.signal))
        events.push(event);
      expect([count, stopReason(events)]).toEqual([count, "end"]);
      again.close();
    }
  },
);
