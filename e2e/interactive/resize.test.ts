/** Windows that change their size, also while an answer comes, down to where nothing fits. */
import { expect, test } from "bun:test";
import { hold, modelServer, say, type TerminalProgram, workspace } from "@pi-ts/testkit";
import { draftIs, draftOf, gate, idle, leave, openPi, send, talk, timesShown } from "./support.ts";

/** Sizes as a person drags a window; the same in every run. */
function sizes(count: number, leastRows: number): [cols: number, rows: number][] {
  let seed = 42;
  const next = (from: number, to: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return from + (seed % (to - from + 1));
  };
  return Array.from({ length: count }, () => [next(20, 140), next(leastRows, 50)]);
}

/** Waits until the program has drawn for this size: the rules around the editor are as wide as the window, and nothing is cut off. */
async function drawnAt(program: TerminalProgram, cols: number, rows: number): Promise<void> {
  await program.waitFor((shown) => {
    const lines = shown.screen();
    const rules = lines.filter((line) => /^──+$/.test(line));
    return lines[rows - 1] !== "" && rules.length === 2 && rules.every((rule) => rule.length === cols);
  });
}

test("after 30 resizes while an answer streams the screen is as a fresh one, and nothing stands there twice [T01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  const items = Array.from(
    { length: 60 },
    (_, at) => `- item${at}. of a list that is long enough to wrap in a window that is narrow\n`,
  );
  const all = sizes(30, 5);
  const steps = Array.from({ length: 6 }, (_, at) => ({
    sizes: all.slice(at * 5, at * 5 + 5),
    next: gate(),
  }));
  server.reply(
    ...steps.flatMap(({ next }, at) => [say(items.slice(at * 10, at * 10 + 10)), hold(next.passed)]),
  );
  // What is told once (memory's first notice) would stand on the first screen only.
  await using program = await openPi(ws, server, { args: ["--memory-off"] });
  send(program, "list it");
  await program.waitFor("item0.");
  for (const [at, step] of steps.entries()) {
    for (const size of step.sizes) program.resize(...size);
    program.resize(90, 40);
    await program.waitFor(`item${at * 10 + 9}.`);
    step.next.open();
  }
  await idle(program);
  program.resize(20, 5);
  program.resize(90, 40);
  await drawnAt(program, 90, 40);
  await program.waitFor("item59.");
  for (let at = 45; at < 60; at++) expect([at, timesShown(program, `item${at}.`)]).toEqual([at, 1]);
  expect(program.scrollback()).toEqual([]);

  const dragged = program.screen();
  await leave(program);
  await using again = await openPi(ws, server, { cols: 90, rows: 40, args: ["--continue", "--memory-off"] });
  await again.waitFor("item59.");
  expect(again.screen().slice(0, -1)).toEqual(dragged.slice(0, -1));
});

test("every part of a conversation stands on the screens of all sizes once while one pages through it [T01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(
    say(Array.from({ length: 40 }, (_, at) => `paragraph${at}. with some more words\n\n`).join("")),
  );
  await using program = await openPi(ws, server);
  await talk(program, "write", "paragraph39.");
  for (const [cols, rows] of sizes(8, 12)) {
    program.resize(cols, rows);
    await drawnAt(program, cols, rows);
    for (let at = 0; at < 40; at++) expect(timesShown(program, `paragraph${at}.`)).toBeLessThanOrEqual(1);
  }
});

test("a window of 10 by 3 says that it is too small, and the draft is there again in a larger one [T01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(say("an answer to see"));
  await using program = await openPi(ws, server);
  await talk(program, "hello", "an answer to see");
  program.type("a draft");
  await draftIs(program, "a draft");
  program.resize(10, 3);
  await program.waitFor(/too\s+small/i);
  program.resize(80, 24);
  await draftIs(program, "a draft");
  expect(program.screen().join("\n")).toContain("an answer to see");
});

for (const [cols, rows] of [
  [1, 1],
  [2, 40],
  [200, 2],
  [20, 5],
] as const)
  test(`a window of ${cols} by ${rows} breaks nothing [T01][T03]`, async () => {
    await using server = await modelServer();
    await using ws = await workspace();
    server.otherwise(() => [say("| a | b |\n| - | - |\n| 日本語 👩‍👩‍👧 | `x` |\n\nlast words")]);
    await using program = await openPi(ws, server);
    await talk(program, "hello", "last words");
    program.resize(cols, rows);
    program.type("x");
    program.resize(80, 24);
    await program.waitFor(
      (shown) => draftOf(shown) === "x" && shown.screen().join("\n").includes("last words"),
    );
  });

test("a dialog survives resizes with what was marked in it [T01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  await using program = await openPi(ws, server);
  send(program, "/theme");
  await program.waitFor("Theme ─");
  program.press("down", "down");
  await program.waitFor(/› Tokyo Night|› Catppuccin/);
  const marked = program
    .screen()
    .find((row) => row.startsWith("› "))!
    .split(/ {2,}/)[0]!;
  program.resize(40, 12);
  program.resize(30, 8);
  program.resize(100, 30);
  await program.waitFor(
    (shown) => shown.screen()[29] !== "" && shown.screen().some((row) => row.startsWith(marked)),
  );
});

test("a program that starts in a tiny window works when the window grows [T01]", async () => {
  await using server = await modelServer();
  await using ws = await workspace();
  server.reply(say("grown up"));
  await using program = await openPi(ws, server, { cols: 10, rows: 3, until: "frame" });
  program.resize(80, 24);
  await talk(program, "hello", "grown up");
});
