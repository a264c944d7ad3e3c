import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { runProcess, type Workspace, workspace } from "@pi-ts/testkit";
import { processIdentity } from "../platform/process-identity.ts";
import { createTokenBudget } from "./token-budget.ts";

const NOON = new Date(2026, 6, 4, 12, 0).getTime();
const DAY = 24 * 3_600_000;

function budgetOf(ws: Workspace, limit: number, time = NOON) {
  const notices: string[] = [];
  const clock = { time };
  const file = ws.at("home/usage.json");
  const budget = createTokenBudget({
    file,
    limit,
    now: () => clock.time,
    onNotice: (text) => notices.push(text),
  });
  return { budget, clock, notices, saved: () => JSON.parse(ws.read("home/usage.json")) };
}

function refusal(run: () => unknown) {
  try {
    run();
  } catch (thrown) {
    const { code, message, hint, exitCode } = thrown as {
      code: string;
      message: string;
      hint: string;
      exitCode: number;
    };
    return { code, message, hint, exitCode };
  }
  return null;
}

const used = (input: number, output: number, requests = 1) => ({ input, output, requests });

test("tokens and requests of the day are counted in usage.json, also without a limit [A-GUARD-01]", async () => {
  await using ws = await workspace({});
  const { budget, saved } = budgetOf(ws, 0);
  budget.reserve(1_000_000).settle(used(100, 20));
  budget.reserve(5).settle(used(1, 2, 3));
  budget.flush();
  expect(saved()).toMatchObject({
    date: "2026-07-04",
    input_tokens: 101,
    output_tokens: 22,
    requests: 4,
    reserved: [],
  });
  expect(budget.usage()).toMatchObject({ limit: 0, remaining: null, percent: null });
  expect(readdirSync(ws.at("home"))).toEqual(["usage.json"]);
});

test("a request that does not fit is refused: what, how much, and when it resets [A-GUARD-02][Q03]", async () => {
  await using ws = await workspace({});
  const { budget } = budgetOf(ws, 10_000);
  budget.reserve(9_000).settle(used(8_000, 500));
  const running = budget.reserve(1_000);
  expect(refusal(() => budget.reserve(1_500))).toEqual({
    code: "daily_limit",
    message:
      "the daily limit of 10,000 tokens does not allow this request: 8,500 used, 1,000 held by running requests, about 1,500 needed",
    hint: "It resets at 2026-07-05 00:00 (in 12 h 0 min). To go on now, raise guardrail.max_daily_tokens in your config.json (0 = no limit).",
    exitCode: 3,
  });
  running.settle(used(0, 0, 1));
  budget.reserve(1_500).settle(used(0, 0));
});

test("what is settled replaces what was reserved, once [A-GUARD-01]", async () => {
  await using ws = await workspace({});
  const { budget } = budgetOf(ws, 1_000);
  const reservation = budget.reserve(800);
  expect(budget.usage()).toMatchObject({ reserved: 800, remaining: 200 });
  reservation.settle(used(50, 50));
  reservation.settle(used(50, 50));
  expect(budget.usage()).toMatchObject({ reserved: 0, remaining: 900, input_tokens: 50, requests: 1 });
});

test("remaining, percent and a summary are given [A-GUARD-03]", async () => {
  await using ws = await workspace({});
  const { budget } = budgetOf(ws, 2_000_000);
  budget.reserve(1).settle(used(400_000, 50_000, 12));
  expect(budget.usage()).toEqual({
    date: "2026-07-04",
    input_tokens: 400_000,
    output_tokens: 50_000,
    requests: 12,
    reserved: 0,
    limit: 2_000_000,
    remaining: 1_550_000,
    percent: 22.5,
    summary:
      "450,000 tokens in 12 requests on 2026-07-04: 22.5 % of 2,000,000, 1,550,000 left, resets at 2026-07-05 00:00 (in 12 h 0 min)",
  });
});

test("the count begins anew at local midnight, and a running request counts on the new day [A-GUARD-01]", async () => {
  await using ws = await workspace({});
  const { budget, clock, saved } = budgetOf(ws, 1_000);
  budget.reserve(900).settle(used(900, 0));
  expect(refusal(() => budget.reserve(500))?.code).toBe("daily_limit");
  const midnight = new Date(2026, 6, 5).getTime();
  clock.time = midnight - 60_000;
  const running = budget.reserve(100);
  clock.time = midnight;
  expect(budget.usage()).toMatchObject({ date: "2026-07-05", input_tokens: 0, reserved: 100 });
  running.settle(used(70, 0));
  expect(saved()).toMatchObject({
    date: "2026-07-05",
    input_tokens: 70,
    earlier: { "2026-07-04": { input_tokens: 900 } },
  });
});

test("a clock that goes back a day does not give that day's tokens a second time", async () => {
  await using ws = await workspace({});
  const { budget, clock } = budgetOf(ws, 1_000);
  budget.reserve(900).settle(used(900, 0));
  clock.time = NOON - DAY;
  expect(refusal(() => budget.reserve(500))?.code).toBe("daily_limit");
});

test("a clock that was years ahead and comes back neither loses today's count nor stops the budget for years", async () => {
  await using ws = await workspace({});
  const { budget, clock } = budgetOf(ws, 1_000);
  budget.reserve(900).settle(used(900, 0));
  clock.time = NOON + 4_000 * DAY;
  budget.reserve(950).settle(used(950, 0));
  clock.time = NOON;
  expect(budget.usage()).toMatchObject({ date: "2026-07-04", input_tokens: 900 });
  expect(refusal(() => budget.reserve(500))?.code).toBe("daily_limit");
});

test("processes together stay within the limit: it is reserved before a request [Q03][A-GUARD-02]", async () => {
  await using ws = await workspace({});
  const code = `const { createTokenBudget } = await import(${JSON.stringify(import.meta.resolve("./token-budget.ts"))});
    const budget = createTokenBudget({ file: "home/usage.json", limit: 10000, now: () => ${NOON}, onNotice: (t) => console.error(t) });
    let code = 0;
    for (let i = 0; i < 20; i++) try { budget.reserve(1500).settle({ input: 1000, output: 500, requests: 1 }); } catch (e) { code = e.exitCode; }
    process.exit(code);`;
  const argv = [process.execPath, "--no-env-file", "-e", code];
  const results = await Promise.all([1, 2, 3].map(() => runProcess(argv, { cwd: ws.path, env: ws.env() })));
  expect(results.map((result) => [result.code, result.stderr])).toEqual(Array(3).fill([3, ""]));
  expect(JSON.parse(ws.read("home/usage.json"))).toMatchObject({
    input_tokens: 6_000,
    output_tokens: 3_000,
    requests: 6,
  });
});

test("no count is lost when processes settle at the same time [Q03][A-GUARD-01]", async () => {
  await using ws = await workspace({});
  const code = `const { createTokenBudget } = await import(${JSON.stringify(import.meta.resolve("./token-budget.ts"))});
    const budget = createTokenBudget({ file: "home/usage.json", limit: 0, now: () => ${NOON}, onNotice: (t) => console.error(t) });
    for (let i = 0; i < 100; i++) budget.reserve(1).settle({ input: 1, output: 1, requests: 1 });
    budget.flush();`;
  const argv = [process.execPath, "--no-env-file", "-e", code];
  const results = await Promise.all([1, 2, 3].map(() => runProcess(argv, { cwd: ws.path, env: ws.env() })));
  expect(results.map((result) => result.stderr)).toEqual(["", "", ""]);
  expect(JSON.parse(ws.read("home/usage.json"))).toMatchObject({
    input_tokens: 300,
    output_tokens: 300,
    requests: 300,
  });
});

test("what a process that died had reserved is free again, and what a live one holds is not, until it expires [Q03]", async () => {
  await using ws = await workspace({});
  const { budget, clock } = budgetOf(ws, 1_000);
  const reserved = [
    { id: "dead", tokens: 500, owner: { ...processIdentity(), pid: 2 ** 22 - 1 }, expires: NOON + 60_000 },
    { id: "live", tokens: 300, owner: processIdentity(), expires: NOON + 60_000 },
  ];
  ws.write("home/usage.json", JSON.stringify({ date: "2026-07-04", input_tokens: 100, reserved }));
  expect(budget.usage()).toMatchObject({ reserved: 300, remaining: 600 });
  clock.time += 61_000;
  expect(budget.usage()).toMatchObject({ reserved: 0, remaining: 900 });
});

for (const [name, content] of [
  ["half written", '{"date":"2026-07-04","input_'],
  ["empty", ""],
  ["of another shape", '["x"]'],
  ["with a count that is none", '{"date":"2026-07-04","input_tokens":"many"}'],
] as const)
  test(`a usage file that is ${name} is kept aside and named, and counting goes on [K01][C02]`, async () => {
    await using ws = await workspace({ "home/usage.json": content });
    const { budget, notices, saved } = budgetOf(ws, 1_000);
    expect(budget.usage().summary).toContain("broken");
    expect(ws.read("home/usage.json")).toBe(content);
    budget.reserve(10).settle(used(5, 5));
    expect(ws.read("home/usage.json.broken-2026-07-04")).toBe(content);
    expect(notices).toEqual([expect.stringContaining("usage.json.broken-2026-07-04")]);
    expect(saved()).toMatchObject({ input_tokens: 5, requests: 1 });
  });

test("a usage file of pi-go's form is read as it is [A-GUARD-01]", async () => {
  await using ws = await workspace({});
  ws.write("home/usage.json", '{"date":"2026-07-04","input_tokens":7,"output_tokens":8,"requests":2}');
  expect(budgetOf(ws, 0).budget.usage()).toMatchObject({ input_tokens: 7, output_tokens: 8, requests: 2 });
});

test("without a limit a disk that refuses costs one notice and the count goes on in memory [B10]", async () => {
  await using ws = await workspace({ home: "a file in the folder's place" });
  const { budget, notices } = budgetOf(ws, 0);
  budget.reserve(1).settle(used(5, 5));
  budget.flush();
  budget.reserve(1).settle(used(5, 5));
  budget.flush();
  expect(notices).toHaveLength(1);
  expect(budget.usage()).toMatchObject({ input_tokens: 10, requests: 2 });
});

test("with a limit nobody can count against, requests are refused and the file is named [B10][A-GUARD-02]", async () => {
  await using ws = await workspace({ home: "a file in the folder's place" });
  const { budget } = budgetOf(ws, 1_000);
  const error = refusal(() => budget.reserve(1));
  expect(error).toMatchObject({ code: "daily_limit", exitCode: 3 });
  expect(error?.message).toContain("cannot be kept");
  expect(error?.hint).toContain(ws.at("home/usage.json"));
});

test("numbers that are none count as nothing", async () => {
  await using ws = await workspace({});
  const { budget, saved } = budgetOf(ws, 1_000);
  budget.reserve(Number.NaN).settle(used(Number.NaN, -5, Number.POSITIVE_INFINITY));
  expect(saved()).toMatchObject({ input_tokens: 0, output_tokens: 0, requests: 0 });
});

test("a FIFO in the place of usage.json or its lock costs one notice and never a wait; with a limit it refuses [Q03]", async () => {
  if (process.platform === "win32") return;
  for (const name of ["home/usage.json", "home/usage.json.lock"]) {
    await using ws = await workspace({ "home/x": "" });
    Bun.spawnSync(["mkfifo", ws.at(name)]);
    const free = budgetOf(ws, 0);
    free.budget.reserve(10).settle(used(1, 2));
    free.budget.flush();
    expect(free.notices.join("\n")).toContain("counted in memory only");
    expect(refusal(() => budgetOf(ws, 100).budget.reserve(10))).toMatchObject({
      code: "daily_limit",
      exitCode: 3,
    });
  }
});

test("a count that no day can have is a broken file, and a reservation without end does not hold the day's rest [Q03]", async () => {
  await using ws = await workspace({
    "home/usage.json": JSON.stringify({
      date: "2026-07-04",
      input_tokens: 1e300,
      output_tokens: 0,
      requests: 0,
    }),
  });
  const { budget, notices } = budgetOf(ws, 1_000);
  budget.reserve(10).settle(used(1, 2));
  expect(notices.join("\n")).toContain("was broken and is kept");
  const owner = { pid: 1, host: "another-machine" };
  const reserved = [{ id: "a", tokens: 999, expires: NOON + 100 * DAY, owner }];
  ws.write(
    "home/usage.json",
    JSON.stringify({ date: "2026-07-04", input_tokens: 0, output_tokens: 0, requests: 0, reserved }),
  );
  expect(refusal(() => budgetOf(ws, 1_000).budget.reserve(500))).toBeNull();
});
