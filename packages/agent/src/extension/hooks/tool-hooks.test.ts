import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { callOf, hookBench, outcomeOf } from "./test-support/hook-bench.ts";

const before = (command: string, more: object = {}) => ({ event: "before_tool", command, ...more });
const after = (command: string, more: object = {}) => ({ event: "after_tool", command, ...more });
const saying = (answer: object) => `printf '%s' '${JSON.stringify(answer)}'`;

test("a hook before a tool reads event, tool, input, session and folder as one line of JSON [A-EXT-01]", async () => {
  await using bench = await hookBench([before("cat > seen.json")]);
  const input = { file_path: "a.ts", content: "one\u2028two\u2029three\n\u0085" };
  await bench.before(callOf("write", input));
  const line = bench.ws.read("seen.json");
  expect(line.endsWith("}\n")).toBe(true);
  expect(line.split(/[\n\u0085\u2028\u2029]/)).toHaveLength(2);
  expect(JSON.parse(line)).toEqual({
    event: "before_tool",
    tool: "write",
    input,
    data: input,
    session_id: "session-1",
    cwd: bench.ws.path,
  });
});

test("a hook after a tool also reads the result, with its fields in data as pi-go has them [A-EXT-01]", async () => {
  await using bench = await hookBench([after("cat > seen.json")]);
  const outcome = outcomeOf("the text", { exit_code: 3, path: "a" });
  await bench.after(callOf("bash", { command: "x" }), outcome);
  expect(JSON.parse(bench.ws.read("seen.json"))).toMatchObject({
    event: "after_tool",
    tool: "bash",
    input: { command: "x" },
    result: {
      outcome: "found",
      is_error: false,
      text: "the text",
      details: { exit_code: 3, path: "a" },
    },
    data: { content: "the text", exit_code: 3, path: "a" },
  });
});

describe("how a hook ends [X07]", () => {
  const FAILURES: readonly [name: string, command: string, why: RegExp][] = [
    ["exit code 1", "echo lint failed >&2; exit 1", /ended with exit code 1: lint failed$/],
    ["exit code 3", "exit 3", /ended with exit code 3$/],
    ["a missing command", "no-such-program-of-ours", /exit code 127 \(its command was not found\)/],
    ["a signal", "kill -9 $$", /was ended by SIGKILL/],
    ["broken JSON", "echo '{\"input\": '", /was not understood: it printed JSON that cannot be parsed/],
    ["JSON of a wrong form", saying({ input: "x" }), /"input" is to be an object/],
    [
      "a key that nobody knows",
      saying({ verdict: "no" }),
      /it printed "verdict", which means nothing at before_tool \("block", "ask", "input"\)/,
    ],
  ];

  test.each(FAILURES)("%s is a notice, and the call goes on", async (_, command, why) => {
    await using bench = await hookBench([before(command)]);
    expect(await bench.before(callOf("edit"))).toEqual({ input: {} });
    expect(bench.notices).toHaveLength(1);
    expect(bench.notices[0]).toMatch(why);
    expect(bench.notices[0]).toStartWith('the hook "');
  });

  test.each(FAILURES)("%s of a blocking hook blocks the call", async (_, command, why) => {
    await using bench = await hookBench([before(command, { blocking: true })]);
    expect((await bench.before(callOf("edit"))).block).toMatch(why);
    expect(bench.notices).toEqual([]);
  });

  test("a hook that hangs is ended at its time limit with all that it started, and is noticed", async () => {
    await using bench = await hookBench([before("sleep 600 & sleep 600", { timeout: 0.3 })]);
    expect(await bench.before(callOf("edit"))).toEqual({ input: {} });
    expect(bench.notices[0]).toMatch(/took longer than 0.3 s and was ended$/);
    expect(bench.processes.list()).toEqual([]);
  });

  test("a blocking hook that hangs blocks", async () => {
    await using bench = await hookBench([before("sleep 600", { timeout: 0.3, blocking: true })]);
    expect((await bench.before(callOf("edit"))).block).toMatch(/took longer than 0.3 s/);
  });

  test("exit code 2 blocks, and the model reads stderr without its colours", async () => {
    await using bench = await hookBench([before("printf '\\033[31mnot on main\\033[0m' >&2; exit 2")]);
    expect((await bench.before(callOf("edit"))).block).toBe(
      "Not run: a hook of the user blocks this call: not on main",
    );
  });

  test("exit code 2 without a word names the hook", async () => {
    await using bench = await hookBench([before("exit 2")]);
    expect((await bench.before(callOf("edit"))).block).toEndWith(
      'the hook "exit 2" blocks it and gives no reason',
    );
  });

  test("exit code 0 with any text but an object goes on", async () => {
    await using bench = await hookBench([
      before("echo formatted 3 files"),
      before("echo '[1]'"),
      before("true"),
    ]);
    expect(await bench.before(callOf("edit"))).toEqual({ input: {} });
    expect(bench.notices).toEqual([]);
  });

  test("a hook that prints its own input again (tee) changes nothing", async () => {
    await using bench = await hookBench([before("tee log"), after("tee log")]);
    const call = callOf("edit", { file_path: "a" });
    expect(await bench.before(call)).toEqual({ input: { file_path: "a" } });
    expect((await bench.after(call, outcomeOf("as it was"))).text).toBe("as it was");
    expect(bench.notices).toEqual([]);
  });

  test("5 MB for a hook that closes its stdin are no failure", async () => {
    await using bench = await hookBench([before("exec <&-; true"), before("head -c 1 >/dev/null")]);
    const input = { content: "x".repeat(5_000_000) };
    expect((await bench.before(callOf("write", input))).block).toBeUndefined();
    expect(bench.notices).toEqual([]);
  });

  test("10 MB of output are read to the end and kept in part; a shorter answer still counts", async () => {
    await using bench = await hookBench([
      before("head -c 10000000 /dev/zero | tr '\\0' x"),
      before(`printf '{"input": "'; head -c 10000000 /dev/zero | tr '\\0' x; printf '"}'`),
    ]);
    expect(await bench.before(callOf("edit"))).toEqual({ input: {} });
    expect(bench.notices).toHaveLength(1);
    expect(bench.notices[0]).toMatch(/cannot be parsed.*only the first 1 MB are read/);
  });

  test("a long stderr is cut in its middle", async () => {
    await using bench = await hookBench([
      before("head -c 100000 /dev/zero | tr '\\0' y >&2; echo END >&2; exit 2"),
    ]);
    const { block = "" } = await bench.before(callOf("edit"));
    expect(block.length).toBeLessThan(4_300);
    expect(block).toContain("characters left out");
    expect(block).toEndWith("END");
  });

  test("an interrupt ends a hook at once", async () => {
    await using bench = await hookBench([before("echo > started; sleep 600", { blocking: true })]);
    const stop = new AbortController();
    const waiting = bench.before(callOf("edit"), stop.signal);
    while (!existsSync(join(bench.ws.path, "started"))) await new Promise(setImmediate);
    stop.abort();
    expect(await waiting).toEqual({ input: {} });
    expect(bench.processes.list()).toEqual([]);
    expect(bench.notices).toEqual([]);
  });
});

test("a hook has none of our keys, and works in the project's folder [X04]", async () => {
  const key = "sk-ant-api03-aaaaaaaaaaaaaaaaaaaaaaaaaaaa";
  await using bench = await hookBench([before("env > env.txt; pwd > pwd.txt")], {
    environment: { ANTHROPIC_API_KEY: key, HARMLESS: "here" },
  });
  await bench.before(callOf("edit"));
  expect(bench.ws.read("env.txt")).toContain("HARMLESS=here");
  expect(bench.ws.read("env.txt")).not.toContain(key);
  expect(bench.ws.read("pwd.txt").trim()).toBe(bench.ws.path);
});

test("JSON blocks with a reason, also after other output", async () => {
  await using bench = await hookBench([before(`echo looking; ${saying({ block: "not today" })}`)]);
  expect((await bench.before(callOf("edit"))).block).toEndWith("blocks this call: not today");
});

test("JSON in many lines blocks after other output, and code with braces is no answer", async () => {
  const pretty = JSON.stringify({ block: "not today" }, null, 2);
  await using bench = await hookBench([
    before("printf 'int f()\\n{\\n  return 1;\\n}\\n'"),
    before(`echo looking; echo '${pretty}'`),
  ]);
  expect((await bench.before(callOf("edit"))).block).toEndWith("blocks this call: not today");
  expect(bench.notices).toEqual([]);
});

test("JSON that blocks counts before other output, too; a changed input there does not", async () => {
  await using bench = await hookBench([
    before(`echo looking; ${saying({ input: { command: "rm x" } })}; echo; echo done`),
    before(`${saying({ block: "not today" })}; echo; echo done`),
  ]);
  const { block, input } = await bench.before(callOf("bash", { command: "ls" }));
  expect(block).toEndWith("blocks this call: not today");
  expect(input).toEqual({ command: "ls" });
});

test("JSON changes the input, and the next hook sees the changed one", async () => {
  await using bench = await hookBench([
    before(saying({ input: { command: "ls -l" } })),
    before("cat > seen.json"),
  ]);
  expect(await bench.before(callOf("bash", { command: "ls" }))).toEqual({ input: { command: "ls -l" } });
  expect(JSON.parse(bench.ws.read("seen.json"))).toMatchObject({ input: { command: "ls -l" } });
});

test("hooks run in the order of the configuration, and none after one that blocks", async () => {
  await using bench = await hookBench([
    before("echo one >> log"),
    before("echo two >> log; exit 2"),
    before("echo three >> log"),
  ]);
  await bench.before(callOf("edit"));
  expect(bench.ws.read("log")).toBe("one\ntwo\n");
});

test("hooks of calls that run side by side do not mix", async () => {
  const echo = `input=$(cat); n=$(printf '%s' "$input" | sed 's/.*"input":{"n":"\\([0-9]*\\)".*/\\1/'); echo "mine is $n" >&2; exit 2`;
  await using bench = await hookBench([before(echo)]);
  const calls = Array.from({ length: 12 }, (_, n) => callOf("edit", { n: String(n) }));
  const decisions = await Promise.all(calls.map((call) => bench.before(call)));
  expect(decisions.map(({ block }) => block?.split(": ").at(-1))).toEqual(
    calls.map((_, n) => `mine is ${n}`),
  );
});

describe("a hook that wants a person to be asked", () => {
  const asking = before(saying({ ask: "it pushes" }), { tools: ["bash"] });
  const push = callOf("bash", { command: "git push" });

  test("is answered with yes: the call runs", async () => {
    await using bench = await hookBench([asking], { answers: [{ answer: "once" }] });
    expect((await bench.before(push)).block).toBeUndefined();
    expect(bench.questions).toMatchObject([
      { call: { name: "bash", input: { command: "git push" } }, suggestions: [], lasting: false },
    ]);
    expect(bench.questions[0]!.reason).toEndWith("asks: it pushes");
  });

  test("is answered with no: the model reads why", async () => {
    await using bench = await hookBench([asking], {
      answers: [{ answer: "refuse", reason: "use a branch" }],
    });
    const { block } = await bench.before(push);
    expect(block).toContain("it pushes");
    expect(block).toContain("said: use a branch");
  });

  test("is answered for the session: the same call is not asked about again, another one is", async () => {
    await using bench = await hookBench([asking], { answers: [{ answer: "session" }, { answer: "once" }] });
    await bench.before(push);
    await bench.before(push);
    expect(bench.questions).toHaveLength(1);
    await bench.before(callOf("bash", { command: "git push --force" }));
    expect(bench.questions).toHaveLength(2);
  });

  test("is refused with its reason where there is nobody to ask", async () => {
    await using bench = await hookBench([asking]);
    expect((await bench.before(push)).block).toMatch(
      /a hook wants a person's consent first \(the hook .* asks: it pushes\), and there is no terminal to ask on/,
    );
  });

  test("is shown the input that would run", async () => {
    const both = saying({ ask: true, input: { command: "git push --dry-run" } });
    await using bench = await hookBench([before(both)], { answers: [{ answer: "once" }] });
    expect((await bench.before(push)).input).toEqual({ command: "git push --dry-run" });
    expect(bench.questions[0]!.call.input).toEqual({ command: "git push --dry-run" });
  });
});

describe("a hook after a tool", () => {
  const call = callOf("bash", { command: "make" });

  test("replaces the text that the model sees and leaves the fields", async () => {
    await using bench = await hookBench([after(saying({ result: "short" }))]);
    expect(await bench.after(call, outcomeOf("long", { exit_code: 1 }))).toEqual(
      outcomeOf("short", { exit_code: 1 }),
    );
  });

  test("adds to the result, and the next hook sees what was added", async () => {
    await using bench = await hookBench([after(saying({ add: "2 warnings" })), after("cat > seen.json")]);
    expect((await bench.after(call, outcomeOf("built"))).text).toBe("built\n2 warnings");
    expect(JSON.parse(bench.ws.read("seen.json"))).toMatchObject({ data: { content: "built\n2 warnings" } });
  });

  test("that exits with 2 tells the model, and the call stays what it was", async () => {
    await using bench = await hookBench([after("echo does not type-check >&2; exit 2")]);
    const outcome = await bench.after(call, outcomeOf("written"));
    expect(outcome.text).toBe("written\n[a hook of the user objects: does not type-check]");
    expect(outcome.isError).toBe(false);
  });

  test("that changes the file itself (a formatter) has the model told to read it again, and only then [L04]", async () => {
    await using bench = await hookBench([after("echo tidy > a.ts", { tools: ["edit"] })]);
    bench.ws.write("a.ts", "untidy\n");
    const edit = callOf("edit", { file_path: "a.ts" });
    expect((await bench.after(edit, outcomeOf("edited"))).text).toBe(
      "edited\n[a hook of the user changed a.ts after that: read it again before you change it]",
    );
    expect((await bench.after(edit, outcomeOf("edited"))).text).toBe("edited");
  });

  test("cannot drown the model: a text over 50,000 characters is cut", async () => {
    await using bench = await hookBench([
      after(`printf '{"result": "'; head -c 90000 /dev/zero | tr '\\0' x; printf '"}'`),
    ]);
    const { text } = await bench.after(call, outcomeOf("x"));
    expect(text).toHaveLength(50_000 + "\n[… 40000 characters of a hook left out …]".length);
  });
});

test("an entry of pi-go, with event, command, tools and timeout, runs for its tools alone [A-EXT-01]", async () => {
  await using bench = await hookBench([
    { event: "after_tool", command: "echo ran >> log", tools: ["write", "edit"], timeout: 5 },
  ]);
  for (const name of ["write", "read", "Edit", "edits"]) await bench.after(callOf(name), outcomeOf("x"));
  expect(bench.ws.read("log")).toBe("ran\nran\n");
});

test("an entry for certain files runs for calls on these alone", async () => {
  await using bench = await hookBench([before("echo ran >> log", { tools: ["edit(src/**)"] })]);
  for (const path of ["src/a/b.ts", "./src/c.ts", "test/d.ts", "src.ts"])
    await bench.before(callOf("edit", { file_path: path }));
  await bench.before(callOf("edit", { file_path: bench.ws.at("src/absolute.ts") }));
  expect(bench.ws.read("log")).toBe("ran\nran\nran\n");
});
