import { expect, test } from "bun:test";
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { runProcess, type Workspace, workspace } from "@pi-ts/testkit";
import type { PiError } from "../contract/errors.ts";
import { openPromptHistory, type PromptHistory } from "./prompt-history.ts";

const NOON = Date.UTC(2026, 0, 2, 12);
const fileOf = (ws: Workspace) => join(ws.home, ".pi-go", "history.jsonl");

function historyOf(ws: Workspace, cwd = "/project", problems: PiError[] = []): PromptHistory {
  return openPromptHistory({
    file: fileOf(ws),
    cwd,
    now: () => NOON,
    onProblem: (problem) => problems.push(problem),
  });
}

test("prompts are kept for the next process, each once, the latest last [A-TUI-03]", async () => {
  await using ws = await workspace({});
  const history = historyOf(ws);
  expect(history.entries()).toEqual([]);
  for (const text of ["one", "two\nlines", "one", "  three  ", "   "]) history.add(text);
  expect(history.entries()).toEqual(["two\nlines", "one", "three"]);
  expect(historyOf(ws).entries()).toEqual(["two\nlines", "one", "three"]);
  expect(readFileSync(fileOf(ws), "utf8").split("\n")[0]).toBe(
    '{"cwd":"/project","text":"one","time":"2026-01-02T12:00:00.000Z"}',
  );
});

test("this project's prompts are nearest, those of others behind them", async () => {
  await using ws = await workspace({});
  historyOf(ws).add("mine old");
  historyOf(ws, "/other").add("theirs");
  historyOf(ws, "/other").add("both");
  const history = historyOf(ws);
  history.add("both");
  historyOf(ws, "/other").add("theirs new");
  expect(history.entries()).toEqual(["theirs", "theirs new", "mine old", "both"]);
});

test("the search finds prompts with every word, the latest first, in this project or in all", async () => {
  await using ws = await workspace({});
  historyOf(ws, "/other").add("fix the other tests");
  const history = historyOf(ws);
  for (const text of ["Fix the tests", "write docs", "tests: fix"]) history.add(text);
  expect(history.search("FIX tests")).toEqual(["tests: fix", "Fix the tests"]);
  expect(history.search("fix tests", true)).toEqual(["tests: fix", "Fix the tests", "fix the other tests"]);
  expect(history.search("nowhere")).toEqual([]);
});

test("the file and its folder are for the user alone, also when the file was open to others [X05]", async () => {
  if (process.platform === "win32") return;
  await using ws = await workspace({});
  historyOf(ws).add("one");
  expect(statSync(fileOf(ws)).mode & 0o777).toBe(0o600);
  expect(statSync(join(ws.home, ".pi-go")).mode & 0o777).toBe(0o700);
  chmodSync(fileOf(ws), 0o644);
  historyOf(ws).add("two");
  expect(statSync(fileOf(ws)).mode & 0o777).toBe(0o600);
});

test("no secret comes into the file, neither by its form nor a known one [X05]", async () => {
  await using ws = await workspace({});
  const secret = "correct-horse-battery";
  const history = openPromptHistory({
    file: fileOf(ws),
    cwd: "/project",
    now: () => NOON,
    secrets: [secret],
  });
  history.add(`use ${secret} and ghp_16C7e42F292c6912E7710c838347Ae178B4a`);
  expect(history.entries()).toEqual(["use [redacted] and [redacted]"]);
  expect(readFileSync(fileOf(ws), "utf8")).not.toContain(secret);
});

test("torn and foreign lines are passed over, and the line after a torn one is whole", async () => {
  await using ws = await workspace({});
  historyOf(ws).add("one");
  appendFileSync(
    fileOf(ws),
    '\n\0\0\nnull\n[1]\n{"cwd":1,"text":"x"}\n{"cwd":"/project","text":""}\n{"cwd":"/project","te',
  );
  const history = historyOf(ws);
  expect(history.entries()).toEqual(["one"]);
  history.add("two");
  expect(history.entries()).toEqual(["one", "two"]);
  expect(historyOf(ws).entries()).toEqual(["one", "two"]);
});

test("prompts of another process show up, and a line that is still being written comes when it is whole", async () => {
  await using ws = await workspace({});
  const [mine, theirs] = [historyOf(ws), historyOf(ws)];
  mine.add("one");
  expect(theirs.entries()).toEqual(["one"]);
  mine.add("two");
  appendFileSync(fileOf(ws), '{"cwd":"/project","text":"thr');
  expect(theirs.entries()).toEqual(["one", "two"]);
  appendFileSync(fileOf(ws), 'ee","time":""}\n');
  expect(theirs.entries()).toEqual(["one", "two", "three"]);
});

test("a file that was emptied, removed or replaced is read anew", async () => {
  await using ws = await workspace({});
  const history = historyOf(ws);
  history.add("one");
  expect(history.entries()).toEqual(["one"]);
  truncateSync(fileOf(ws));
  expect(history.entries()).toEqual([]);
  history.add("two");
  rmSync(fileOf(ws));
  expect(history.entries()).toEqual([]);
  history.add("three");
  expect(history.entries()).toEqual(["three"]);
});

test("many processes at once lose nothing and mix nothing", async () => {
  await using ws = await workspace({});
  const script = (name: string) => `
    import { openPromptHistory } from ${JSON.stringify(join(import.meta.dir, "prompt-history.ts"))};
    const history = openPromptHistory({ file: ${JSON.stringify(fileOf(ws))}, cwd: "/project", now: () => 0 });
    for (let i = 0; i < 100; i++) history.add("${name} " + i + " " + "x".repeat(5000));
  `;
  const runs = ["a", "b", "c"].map((name) =>
    runProcess([process.execPath, "--no-env-file", "-e", script(name)], { cwd: ws.path, env: ws.env() }),
  );
  for (const run of await Promise.all(runs)) expect([run.stderr, run.code]).toEqual(["", 0]);
  const texts = readFileSync(fileOf(ws), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line).text as string);
  expect(new Set(texts).size).toBe(300);
  for (const name of ["a", "b", "c"])
    expect(
      texts.filter((text) => text.startsWith(`${name} `)).map((text) => Number(text.split(" ")[1])),
    ).toEqual(Array.from({ length: 100 }, (_, index) => index));
});

test("of a huge file only the end is read, as far as this project needs it", async () => {
  await using ws = await workspace({});
  mkdirSync(join(ws.home, ".pi-go"));
  const line = (cwd: string, text: string) => `${JSON.stringify({ cwd, text, time: "" })}\n`;
  const old = line("/project", "too old").repeat(1) + line("/other", "x".repeat(1000)).repeat(12_000);
  const near = line("/project", "near") + line("/other", "y".repeat(1000)).repeat(2000);
  writeFileSync(fileOf(ws), old + near + line("/project", "last"));
  const history = historyOf(ws);
  expect(history.search("")).toEqual(["last", "near"]);
});

test("a file that cannot be written or read is told once, and prompts stay in memory", async () => {
  await using ws = await workspace({});
  mkdirSync(fileOf(ws), { recursive: true });
  const problems: PiError[] = [];
  const history = historyOf(ws, "/project", problems);
  history.add("one");
  history.add("two");
  expect(history.entries()).toEqual(["one", "two"]);
  expect(problems).toHaveLength(1);
  expect(problems[0]!.message).toContain("history.jsonl");
});

test("a prompt that is too long to be of use again is not kept", async () => {
  await using ws = await workspace({});
  const history = historyOf(ws);
  history.add("x".repeat(100_001));
  history.add("y".repeat(100_000));
  expect(history.entries().map((text) => text[0])).toEqual(["y"]);
});
