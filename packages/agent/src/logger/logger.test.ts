import { expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { canary, type Workspace, workspace } from "@pi-ts/testkit";
import { createLogger } from "./logger.ts";

const START = Date.UTC(2026, 6, 4, 9, 5, 7);

function loggerOf(ws: Workspace, secrets: string[] = []) {
  const notices: string[] = [];
  const folder = ws.at("log");
  const options = { sessionId: "s1", model: "m", mode: "print", secrets };
  const logger = createLogger({
    folder,
    now: () => START,
    onNotice: (text) => notices.push(text),
    ...options,
  });
  const entries = (file = "session-09-05-07.log") =>
    readFileSync(join(folder, "2026-07-04", file), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { logger, notices, entries, folder };
}

test("the log lies under its day and time (UTC), private, and begins with session, model and mode [A-LOG-01][A-LOG-02][C13]", async () => {
  await using ws = await workspace({});
  const { logger, entries, folder } = loggerOf(ws);
  logger.close();
  const time = new Date(START).toISOString();
  expect(entries()).toEqual([{ time, type: "session_start", session: "s1", model: "m", mode: "print" }]);
  if (process.platform === "win32") return;
  const modes = ["", "2026-07-04", "2026-07-04/session-09-05-07.log"].map(
    (path) => statSync(join(folder, path)).mode & 0o777,
  );
  expect(modes).toEqual([0o700, 0o700, 0o600]);
});

test("two sessions that begin in one second have a log each [A-LOG-01]", async () => {
  await using ws = await workspace({});
  const first = loggerOf(ws);
  const second = loggerOf(ws);
  first.logger.log({ type: "user", content: "1" });
  second.logger.log({ type: "user", content: "2" });
  first.logger.close();
  second.logger.close();
  expect(first.entries().map((entry) => entry["content"])).toEqual([undefined, "1"]);
  expect(second.entries("session-09-05-07-2.log").map((entry) => entry["content"])).toEqual([undefined, "2"]);
});

test("every type of entry is a line, also with line breaks of every kind in it [A-LOG-01][H01]", async () => {
  await using ws = await workspace({});
  const { logger, entries } = loggerOf(ws);
  const types = ["user", "llm_text", "tool_call", "tool_result", "error", "info"] as const;
  for (const type of types) logger.log({ type, content: "a\nb\u2028c\u0085d", args: { x: [1] } });
  logger.close();
  expect(entries().slice(1)).toEqual(
    types.map((type) => ({
      time: expect.any(String),
      type,
      content: "a\nb\u2028c\u0085d",
      args: { x: [1] },
    })),
  );
});

test("streamed text of one agent is one entry, in its place [A-LOG-01]", async () => {
  await using ws = await workspace({});
  const { logger, entries } = loggerOf(ws);
  for (const content of ["one ", "two ", "three"]) logger.log({ type: "llm_text", agent: "a", content });
  logger.log({ type: "llm_text", agent: "b", content: "other" });
  logger.log({ type: "tool_call", tool: "read" });
  logger.log({ type: "llm_text", agent: "a", content: "last" });
  logger.close();
  expect(
    entries()
      .slice(1)
      .map((entry) => [entry["type"], entry["content"]]),
  ).toEqual([
    ["llm_text", "one two three"],
    ["llm_text", "other"],
    ["tool_call", undefined],
    ["llm_text", "last"],
  ]);
});

test("no secret reaches the log: nested, in JSON text, cut over streamed pieces, or a key in use [X05]", async () => {
  await using ws = await workspace({});
  const own = canary("own-key-in-use");
  const secret = `gh${"p_"}${"a1b2".repeat(9)}`;
  const { logger, folder, notices } = loggerOf(ws, [own.word]);
  logger.log({
    type: "tool_call",
    args: { command: `curl -H 'x: ${own.word}'`, deep: [{ env: { T: secret } }] },
  });
  logger.log({ type: "tool_result", content: JSON.stringify({ out: secret, more: own.word }) });
  for (const content of ["the key is ", secret.slice(0, 9), secret.slice(9), "."])
    logger.log({ type: "llm_text", content });
  logger.log({ type: "error", content: `401: bad key ${own.word}` });
  logger.close();
  own.absentFrom(folder);
  const text = readFileSync(join(folder, "2026-07-04", "session-09-05-07.log"), "utf8");
  expect(text).not.toContain("a1b2a1b2");
  expect(text.match(/\[redacted\]/g)).toHaveLength(6);
  expect(notices).toEqual([]);
});

test("a huge text is cut in the log, well-formed and with its length [C13][F19]", async () => {
  await using ws = await workspace({});
  const { logger, entries } = loggerOf(ws);
  logger.log({ type: "tool_result", content: `${"x ".repeat(16_383)}y😀${"z ".repeat(50_000)}` });
  logger.close();
  const content = entries()[1]!["content"] as string;
  expect(content.length).toBeLessThan(33_000);
  expect(content).toContain("more characters)");
  expect(content.isWellFormed()).toBe(true);
});

test("a disk that refuses turns the log off with one notice, and nothing is thrown [B10]", async () => {
  await using ws = await workspace({ log: "a file in the folder's place" });
  const notices: string[] = [];
  const options = { folder: ws.at("log"), now: () => START, sessionId: "s", model: "m", mode: "print" };
  const logger = createLogger({ ...options, onNotice: (text) => notices.push(text) });
  logger.log({ type: "user", content: "x" });
  logger.log({ type: "user", content: "y" });
  logger.close();
  logger.log({ type: "user", content: "z" });
  expect(notices).toHaveLength(1);
  expect(notices[0]).toContain("logging is off");
});

test("an entry that JSON cannot hold is dropped and said so, and the log goes on", async () => {
  await using ws = await workspace({});
  const { logger, notices, entries } = loggerOf(ws);
  const circle: Record<string, unknown> = {};
  circle["self"] = circle;
  logger.log({ type: "info", circle });
  logger.log({ type: "info", big: 1n });
  logger.log({ type: "user", content: "after" });
  logger.close();
  expect(notices).toEqual([]);
  expect(entries().at(-2)).toMatchObject({
    type: "error",
    content: expect.stringContaining("could not be logged"),
  });
  expect(entries().at(-1)).toMatchObject({ type: "user", content: "after" });
});
