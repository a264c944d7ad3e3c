// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of shell commands
import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { executable, runProcess, workspace } from "@pi-ts/testkit";
import { programsRun } from "./programs-run.ts";

const programs = (text: string) =>
  programsRun(text).runs.map(({ command }) => command.words.map((word) => word.text).join(" "));

test("programs that run others are looked through, whatever their options", () => {
  expect(programs("sudo -u root rm x")).toContain("rm x");
  expect(programs("env -i A=1 timeout -s KILL 5 nice -n 3 rm x")).toContain("rm x");
  expect(programs("find . -name a -exec rm {} +")).toContain("rm {} +");
  expect(programs("bash -o pipefail -c 'a; b \"$(c)\"'")).toEqual(expect.arrayContaining(["a", "c"]));
  expect(programs("watch -n 1 'a | b'")).toEqual(expect.arrayContaining(["a", "b"]));
});

test("a known script handed to a shell stands for itself, and only then", () => {
  const transparent = (text: string) => programsRun(text).runs[0]!.transparent === true;
  expect(transparent("bash -c 'a'")).toBe(true);
  expect(transparent("bash -ec 'a'")).toBe(true);
  expect(transparent("bash -lc 'a'")).toBe(false);
  expect(transparent("bash -c 'a' x")).toBe(false);
  expect(transparent("su -c 'a'")).toBe(false);
  expect(transparent("bash -c 'a' > f")).toBe(false);
});

/** Pieces of bash of which lines are made; `zap` leaves a trace when it is really run. */
const PIECES = [
  "zap",
  "zap",
  "echo ",
  ":",
  "true",
  "$(",
  ")",
  "`",
  "'",
  '"',
  "\\",
  "\n",
  "<<E\n",
  "\nE\n",
  "((",
  "))",
  "( ",
  "{ ",
  "; }",
  "[[ ",
  " ]]",
  "case x in ",
  "x)",
  " esac",
  ";;",
  "; ",
  " | ",
  " && ",
  " || ",
  ">f",
  "$x",
  "${x:-",
  "}",
  "a",
  "=",
  " ",
  "if ",
  "; then ",
  "; fi",
  "for i in ",
  "; do ",
  "; done",
  "!",
  "#",
  "*",
  "$'",
  "\\x7a",
  "z",
  "ap",
  "''",
  "env ",
  "timeout 5 ",
  "nohup ",
  "xargs ",
  "bash -c ",
  "sh -c ",
  "eval ",
  "command ",
  "exec ",
  "f() ",
  "; f",
  "A=1 ",
  "cat ",
  "<(",
  "<<<",
  "$((",
  "time ",
  "\\\n",
  "{zap,x}",
  "z?p",
  "trap ",
  "`zap`",
  "$(zap)",
  "'zap'",
  '"$(zap)"',
];

test("whatever real bash runs is found or is said not to be known [X02]", async () => {
  if (process.platform === "win32") return;
  await using ws = await workspace({
    "bin/zap": executable('#!/bin/sh\nprintf "%s\\n" "$LINE" >> "$TRACE"\n'),
  });
  const folder = join(ws.path, "work");
  mkdirSync(folder);
  let state = 7;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const lines = Array.from({ length: 600 }, () =>
    Array.from(
      { length: 1 + Math.floor(random() * 8) },
      () => PIECES[Math.floor(random() * PIECES.length)],
    ).join(""),
  ).filter((line) => line.includes("z"));
  // One bash runs them all, each in a bash of its own; its number tells which line ran the program.
  const script =
    'n=0; while IFS= read -r -d "" line; do export LINE=$n; n=$((n + 1)); bash --norc -c "$line" </dev/null >/dev/null 2>&1; done; wait';
  const trace = join(ws.path, "trace");
  await runProcess(["bash", "-c", script], {
    cwd: folder,
    env: { ...ws.env(), PATH: `${join(ws.path, "bin")}:${process.env["PATH"]}`, TRACE: trace, x: "zap" },
    stdin: lines.map((line) => `${line}\0`).join(""),
  });
  const ran = new Set((await Bun.file(trace).text()).trim().split("\n").map(Number));
  expect(ran.size).toBeGreaterThan(20);
  const missed = [...ran].filter((number) => {
    const { runs, problems } = programsRun(lines[number]!);
    const named = runs.some(({ command }) => command.words[0]?.text === "zap");
    return !named && problems.length === 0;
  });
  expect(missed.map((number) => lines[number])).toEqual([]);
});
