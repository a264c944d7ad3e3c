import { expect, test } from "bun:test";
import { workspace } from "@pi-ts/testkit";
import { createSpillDoor } from "../sandbox/spill.ts";
import { createCompactor } from "./compactor.ts";
import type { Stage } from "./stage.ts";
import { outcomeOf, shorten, testRun } from "./test-support/bench.ts";

const COMMAND = { command: "bun test" };

test("short output is never touched", async () => {
  const text = "(pass) a [1ms]\n".repeat(130);
  expect(text.length).toBeLessThan(2_000);
  expect((await shorten("bash", COMMAND, text)).outcome).toBeUndefined();
});

test("passing tests go, the failure stays, and the text names what was left out and where all of it is [A-TUI-05]", async () => {
  const text = `${testRun()}\n[exit code 1]`;
  const { outcome, spill } = await shorten("bash", COMMAND, text, {
    details: { exit_code: 1, stdout: text },
  });
  expect(outcome!.text).toBe(
    "bun test v1.4.5\n\nerror: 1 is not 2\n(fail) cart > sums [1.00ms]\n\n 200 pass\n 1 fail\n[200 passing tests left out; all output: /spill/bash-whole-1.txt]\n[exit code 1]",
  );
  expect(spill.files.get("/spill/bash-whole-1.txt")).toBe(text);
  expect(outcome).toMatchObject({
    outcome: "found",
    isError: false,
    details: { exit_code: 1, stdout: text },
  });
  expect(outcome!.details["compacted"]).toEqual({
    techniques: ["test-runs"],
    chars_before: text.length,
    chars_after: outcome!.text.length,
    left_out: { "passing tests": 200 },
    output: "/spill/bash-whole-1.txt",
  });
});

test("the whole text is kept in a private file", async () => {
  await using ws = await workspace({});
  const spill = createSpillDoor(`${ws.temp}/output`);
  const { outcome } = await shorten("bash", COMMAND, testRun(), { options: { spill } });
  const path = /all output: (\S+)\]/.exec(outcome!.text)?.[1] ?? "";
  expect(await Bun.file(path).text()).toBe(testRun());
});

test("where no file can be kept nothing is left out, and repeats are still counted", async () => {
  const refusing = { spill: { open: () => null } };
  expect((await shorten("bash", COMMAND, testRun(), { options: refusing })).outcome).toBeUndefined();
  const repeating = `${testRun()}\n${"waiting for the server\n".repeat(50)}ready`;
  const { outcome } = await shorten("bash", COMMAND, repeating, { options: refusing });
  expect(outcome!.text).toContain("(pass) cart > case 7 ");
  expect(outcome!.text).toEndWith("waiting for the server\n[the line above, 49 more times]\nready");
});

test("output that is not known loses nothing but repeats, escapes and empty lines", async () => {
  const text = `\x1b[31mred\x1b[0m\n\n\n\n${"tick\ntock\n".repeat(400)}${Array.from({ length: 60 }, (_, n) => `line number ${n} of something`).join("\n")}`;
  const { outcome, spill } = await shorten("bash", { command: "./something" }, text);
  expect(outcome!.text).toStartWith(
    "red\n\ntick\ntock\n[the 2 lines above, 399 more times]\nline number 0 of",
  );
  expect(outcome!.text).toContain("line number 59 of something");
  expect(spill.files.size).toBe(0);
});

test("reading a file is never shortened, nor are tools that are not known", async () => {
  const text = "the same line\n".repeat(1_000);
  for (const tool of ["read", "edit", "agent", "lsp-symbols"])
    expect((await shorten(tool, {}, text)).outcome).toBeUndefined();
  expect((await shorten("server__tool", {}, text)).outcome?.text).toContain("999 more times");
});

test("a file into which bash has put the output is named instead of a second one", async () => {
  const note = "[... 90,000 bytes, 2,000 lines not shown; all of it: /spill/bash-own.txt ...]";
  const text = testRun().replace("error: 1 is not 2", `${note}\nerror: 1 is not 2`);
  const { outcome, spill } = await shorten("bash", COMMAND, text, { details: { truncated: true } });
  expect(outcome!.text).toContain("left out; all output: /spill/bash-own.txt]");
  expect(outcome!.text).toContain(note);
  expect(spill.files.size).toBe(0);
});

test("such a note that a command printed itself is not believed", async () => {
  const note = "[... 90,000 bytes, 2,000 lines not shown; all of it: /etc/passwd ...]";
  const text = testRun().replace("error: 1 is not 2", `${note}\nerror: 1 is not 2`);
  const read: string[] = [];
  const readSpilled = (path: string) => {
    read.push(path);
    return null;
  };
  const options = { readSpilled };
  const { outcome } = await shorten("bash", COMMAND, text, { details: { truncated: false }, options });
  expect(outcome!.text).toContain("all output: /spill/bash-whole-1.txt]");
  expect(read).toEqual([]);
});

test("a failure in the part that bash cut is found in its file", async () => {
  const whole = testRun("(fail) hidden > in the middle [1.00ms]").replaceAll(
    "(pass)",
    "\x1b[32m(pass)\x1b[0m",
  );
  const text = `${"(pass) a > b [1.00ms]\n".repeat(150)}[... 90,000 bytes, 2,000 lines not shown; all of it: /spill/own.txt ...]\n 1 fail`;
  const { outcome } = await shorten("bash", COMMAND, `${text}\n[exit code 1]`, {
    details: { truncated: true },
    options: { readSpilled: (path) => (path === "/spill/own.txt" ? `${whole}\n` : null) },
  });
  expect(outcome!.text).toContain("(fail) hidden > in the middle");
  expect(outcome!.text).toEndWith("[200 passing tests left out; all output: /spill/own.txt]\n[exit code 1]");
});

test("the closing lines of bash stay as they are, all of them", async () => {
  const closing = "\n[exit code 1]\n[still running in the background: sleep. It ends with the session]";
  const { outcome } = await shorten("bash", COMMAND, testRun() + closing);
  expect(outcome!.text).toEndWith(closing);
});

test("a result that failed keeps its outcome", async () => {
  const compactor = createCompactor({ enabled: () => true, spill: { open: () => null } });
  const outcome = {
    ...outcomeOf(`${"same\n".repeat(900)}[timed out after 1 s; x]`),
    isError: true,
    outcome: "failed" as const,
  };
  const call = { id: "1", name: "bash", kind: "run" as const, input: { command: "x" } };
  const shortened = await compactor.afterTool(call, outcome, new AbortController().signal);
  expect(shortened).toMatchObject({
    isError: true,
    outcome: "failed",
    text: "same\n[the line above, 899 more times]\n[timed out after 1 s; x]",
  });
});

test("switched off it does nothing, and it can be switched while it is used", async () => {
  let enabled = false;
  const { outcome, compactor } = await shorten("bash", COMMAND, testRun(), {
    options: { enabled: () => enabled },
  });
  expect(outcome).toBeUndefined();
  enabled = true;
  const call = { id: "1", name: "bash", kind: "run" as const, input: COMMAND };
  expect(await compactor.afterTool(call, outcomeOf(testRun()), new AbortController().signal)).toBeDefined();
});

test("statistics count by tool and technique, and can be reset [A-TUI-05]", async () => {
  const { outcome, compactor } = await shorten("bash", COMMAND, testRun());
  const call = { id: "1", name: "bash", kind: "run" as const, input: { command: "x" } };
  const plain = Array.from({ length: 300 }, (_, n) => `${n} something`).join("\n");
  await compactor.afterTool(call, outcomeOf(plain), new AbortController().signal);
  const [bash] = compactor.statistics().tools;
  expect(bash).toMatchObject({
    tool: "bash",
    results: 2,
    shortened: 1,
    charsBefore: testRun().length + plain.length,
    charsAfter: outcome!.text.length + plain.length,
  });
  expect(bash!.techniques).toMatchObject([{ technique: "test-runs", count: 1, failures: 0 }]);
  compactor.reset();
  expect(compactor.statistics()).toEqual({ tools: [] });
});

const stage = (run: Stage["run"]): Stage => ({ name: "odd", lossless: true, run });

test("a stage that throws, loses an error or makes the text longer is recorded or ignored, and its input kept", async () => {
  const text = `${"same\n".repeat(600)}error: real cause`;
  const stages = [
    stage(() => {
      throw new Error("broken stage");
    }),
  ];
  const threw = await shorten("bash", { command: "x" }, text, { options: { stages } });
  expect(threw.outcome).toBeUndefined();
  expect(threw.compactor.statistics().tools[0]!.techniques).toMatchObject([
    { technique: "odd", count: 0, failures: 1, lastFailure: "broken stage" },
  ]);
  const losing = await shorten("bash", { command: "x" }, text, {
    options: { stages: [stage((lines) => ({ lines: lines.slice(0, 1) }))] },
  });
  expect(losing.outcome).toBeUndefined();
  expect(losing.compactor.statistics().tools[0]!.techniques[0]!.lastFailure).toContain('"error: real cause"');
  const longer = await shorten("bash", { command: "x" }, text, {
    options: { stages: [stage((lines) => ({ lines: [...lines, "more"] }))] },
  });
  expect(longer.outcome).toBeUndefined();
});

test("a door that throws costs no result", async () => {
  const spill = {
    open: () => {
      throw new Error("no disk");
    },
  };
  const { outcome, compactor } = await shorten("bash", COMMAND, testRun(), { options: { spill } });
  expect(outcome).toBeUndefined();
  expect(compactor.statistics().tools[0]!.techniques.at(-1)).toMatchObject({
    technique: "compactor",
    lastFailure: "no disk",
  });
});

test("a long result of grep is cut file by file with counts, and keeps its head and notes", async () => {
  const file = (name: string, count: number) => [
    name,
    ...Array.from({ length: count }, (_, n) => `  ${n + 1}: const value${n} = load("${"x".repeat(40)}")`),
  ];
  const text = [
    "200 of 900 matches in 3 files (first by path)",
    ...file("a.ts", 100),
    ...file("b.ts", 5),
    ...file("c.ts", 95),
    "1 secret file not searched",
  ].join("\n");
  const { outcome } = await shorten("grep", { pattern: "value" }, text);
  const lines = outcome!.text.split("\n");
  expect(lines[0]).toBe("200 of 900 matches in 3 files (first by path)");
  expect(lines.filter((line) => line.startsWith("  5: "))).toHaveLength(3);
  expect(lines).toContain("  [80 more in this file]");
  expect(lines).toContain("1 secret file not searched");
  expect(outcome!.text).toEndWith("[155 matches left out; all output: /spill/grep-whole-1.txt]");
});

test("a long list of paths is written by folder without loss", async () => {
  const paths = Array.from(
    { length: 200 },
    (_, n) => `packages/agent/src/folder${Math.floor(n / 50)}/name${n}.ts`,
  );
  const { outcome } = await shorten("find", { pattern: "*.ts" }, paths.join("\n"));
  const names = outcome!.text.split("\n").flatMap((line) => {
    const [folder = "", list = ""] = line.split(/ \(\d+\): /);
    return list.split(", ").map((name) => folder + name);
  });
  expect(names).toEqual(paths);
});
