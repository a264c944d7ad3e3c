/** Notes of another branch before the strictest service of every wire: now, after a resume, an undo, a repair, an export and an import. */
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { call, modelServer, type RecordedRequest, say, think, workspace } from "@pi-ts/testkit";
import { exportSession } from "../../export/export-session.ts";
import { readForeignSession } from "../../session/import/read-session.ts";
import { leftBehind } from "../../session/left-behind.ts";
import type { Session } from "../../session/session.ts";
import { SessionStore } from "../../session/session-store.ts";
import type { BranchSummary } from "../compaction/branch-summary.ts";
import { found, tool, user } from "../test-support/bench.ts";
import { stopReason, WIRES, wired } from "../test-support/wired.ts";

const isNotes = (request: RecordedRequest) => request.system.includes("branch notes");
const isSummary = (request: RecordedRequest) => request.system.includes("hand-over notes");
const look = tool("look", { run: () => Promise.resolve(found("word ".repeat(150))) });
const NEW = { mode: "print", model: "m", provider: "p" };

function storeOf(root: string): SessionStore {
  let time = Date.UTC(2026, 0, 1);
  return new SessionStore({ root, now: () => (time += 1_000), onNotice: () => undefined });
}

test.each(WIRES)(
  "on %s a summary of another branch goes before the model, survives a kill behind any record, an undone compaction, an export and an import [A-SESS-02][C01][C07]",
  async (wire) => {
    await using ws = await workspace({});
    await using server = await modelServer();
    let turn = 0;
    server.when(isNotes).reply(say("THE-NOTES of the idea"));
    server.when(isSummary).reply(say("## Task\nTHE-SUMMARY"));
    server.otherwise((request) => {
      if (request.text.includes("AFTER-THE-KILL")) return [say("resumed")];
      turn++;
      return turn % 2 === 1
        ? [think(`turn ${turn}`), call("look", { x: turn })]
        : [think(`enough ${turn}`), say(`answer ${turn}`)];
    });
    const on = (session: Session) => {
      const b = wired(server, wire, { tools: [look] });
      b.options.conversation = session;
      const run = async (prompt: string) => {
        const events = [];
        for await (const event of b.runner.run(user(prompt), b.stop.signal)) events.push(event);
        return stopReason(events);
      };
      return { ...b, run };
    };
    const store = storeOf(join(ws.path, "sessions"));
    const session = store.create({ cwd: ws.path, ...NEW });
    const b = on(session);
    await b.run("common ground");
    session.createBranch("idea");
    session.switchBranch("idea");
    await b.run("wild idea");
    const { to } = session.branchEnd("main");
    let notes: BranchSummary | undefined;
    const left = { branch: session.branch, messages: leftBehind(session, to) };
    for await (const _ of b.runner.summariseBranch(left, b.stop.signal, (end) => {
      notes = end;
    }));
    const told = notes as BranchSummary | undefined;
    if (told?.state !== "done") throw new Error("there is no summary");
    session.switchBranch("main");
    session.append(told.message);
    expect(await b.run("sober plan")).toBe("end");
    const sent = server.requests.at(-1)!.text;
    expect(sent).toContain("THE-NOTES of the idea");
    expect(sent).not.toContain("wild idea");
    for await (const _ of b.runner.compact({ signal: b.stop.signal }));
    b.runner.undoCompaction();
    expect(await b.run("and on")).toBe("end");
    expect(server.requests.at(-1)!.text).toContain("THE-NOTES of the idea");
    const exported = [...exportSession(session.transcript(), { format: "json", redact: null, now: 0 })].join(
      "",
    );
    session.close();

    const path = join(session.folder!, "events.jsonl");
    const lines = readFileSync(path, "utf8").split("\n").slice(0, -1);
    const noted = lines.findIndex((line) => line.includes('"origin":"branch_summary"'));
    for (let count = 2; count <= lines.length; count++) {
      writeFileSync(path, `${lines.slice(0, count).join("\n")}\n`);
      const again = storeOf(join(ws.path, "sessions")).open(session.id);
      expect([count, await on(again).run("AFTER-THE-KILL")]).toEqual([count, "end"]);
      const known = server.requests.at(-1)!.text.includes("THE-NOTES of the idea");
      // Where the compaction counts, its summary tells of them.
      const compacted = lines[count - 1]!.includes('"type":"compaction"');
      expect([count, known]).toEqual([count, count > noted && !compacted]);
      again.close();
    }

    writeFileSync(join(ws.path, "exported.json"), exported);
    const imported = store.adopt(readForeignSession(join(ws.path, "exported.json")));
    const opened = store.open(imported.id);
    expect(opened.messages().map((each) => (each.role === "user" ? each.origin : each.role))).toContain(
      "branch_summary",
    );
    expect(await on(opened).run("AFTER-THE-KILL")).toBe("end");
    expect(server.requests.at(-1)!.text).toContain("THE-NOTES of the idea");
    opened.close();
  },
);
