/** What models do to their calls, on every wire: broken, cut, without ids, with the ids of others. */
import { expect, test } from "bun:test";
import { call, modelServer, rawCall, say, stop, think, type Wire } from "@pi-ts/testkit";
import { type bench, found, of, tool } from "../test-support/bench.ts";
import { reloaded, resultsIn, shownText, stopReason, WIRES, wired } from "../test-support/wired.ts";

/** A tool that remembers what it was run with. */
function recorder(name: string, required: string[] = []) {
  const inputs: unknown[] = [];
  const input = {
    type: "object",
    properties: { command: { type: "string" }, x: { type: "number" } },
    required,
  } as const;
  const made = tool(name, {
    input,
    run: (given) => {
      inputs.push(given);
      return Promise.resolve(found(`output of ${JSON.stringify(given)}`));
    },
  });
  return { inputs, tool: made };
}

// Gemini sends arguments as an object: broken text does not reach us, the service reports it.
const TEXT_ARGUMENTS = WIRES.filter((wire) => wire !== "gemini");
const BROKEN = {
  cut: '{"command": "ls',
  null: "null",
  "trailing comma": '{"command": "ls",}',
  "two objects": '{"command": "ls"}{"command": "pwd"}',
  "raw newline": '{"command": "a\nb"}',
  array: '["ls"]',
  text: '"ls"',
};

test.each(TEXT_ARGUMENTS.flatMap((wire) => Object.keys(BROKEN).map((kind) => [kind, wire] as const)))(
  "arguments that are broken (%s) never run the tool, and %s goes on [P01]",
  async (kind, wire) => {
    await using server = await modelServer();
    server.reply(rawCall("bash", BROKEN[kind as keyof typeof BROKEN]));
    server.reply(say("ok"));
    const bash = recorder("bash");
    const b = wired(server, wire, { tools: [bash.tool] });
    const events = await b.run();
    expect(stopReason(events)).toBe("end");
    const { results, calls } = server.request(2);
    expect(calls).toHaveLength(1);
    // Ollama's arguments are a value: null there is a call without arguments.
    if (wire === "ollama" && kind === "null") return;
    expect(bash.inputs).toEqual([]);
    expect(results[0]?.text).toContain("position");
    expect(of(events, "tool_result")[0]?.is_error).toBe(true);
    // A later process reads the same problem.
    server.reply(say("again"));
    expect(shownText(await wired(server, wire, { conversation: reloaded(b.conversation) }).run("more"))).toBe(
      "again",
    );
  },
);

test("a call that Gemini itself could not read is told to the model, and it goes on [P01]", async () => {
  await using server = await modelServer();
  server.reply(rawCall("bash", '{"command": "ls'));
  server.reply(say("ok"));
  const bash = recorder("bash");
  const events = await wired(server, "gemini", { tools: [bash.tool] }).run();
  expect(bash.inputs).toEqual([]);
  expect(stopReason(events)).toBe("end");
  expect(server.request(2).results).toHaveLength(1);
});

test.each(TEXT_ARGUMENTS)("no argument text at all is an empty object on %s [P01]", async (wire) => {
  await using server = await modelServer();
  server.reply(rawCall("bash", ""));
  server.reply(say("ok"));
  const bash = recorder("bash");
  await wired(server, wire, { tools: [bash.tool] }).run();
  expect(bash.inputs).toEqual([{}]);
});

test.each(TEXT_ARGUMENTS)(
  "no argument text for a tool that needs one is refused on %s [P01]",
  async (wire) => {
    await using server = await modelServer();
    server.reply(rawCall("bash", ""));
    server.reply(say("ok"));
    const bash = recorder("bash", ["command"]);
    await wired(server, wire, { tools: [bash.tool] }).run();
    expect(bash.inputs).toEqual([]);
    expect(server.request(2).results[0]?.text).toContain("command");
  },
);

test.each(WIRES)("a name with stray spaces finds its tool on %s [P01]", async (wire) => {
  await using server = await modelServer();
  server.reply(call(" bash ", { command: "ls" }));
  server.reply(say("ok"));
  const bash = recorder("bash");
  await wired(server, wire, { tools: [bash.tool] }).run();
  expect(bash.inputs).toEqual([{ command: "ls" }]);
});

test.each(WIRES)(
  "a name that no service takes back is an error result, and the history stays valid on %s [P01]",
  async (wire) => {
    await using server = await modelServer();
    const names = ["read file!", "", "n".repeat(200), "日本語", "a.b:c"];
    server.reply(...names.map((name) => call(name, { x: 1 })));
    server.reply(say("ok"));
    server.reply(say("again"));
    const b = wired(server, wire, { tools: [recorder("bash").tool] });
    expect(stopReason(await b.run())).toBe("end");
    expect(server.request(2).results).toHaveLength(names.length);
    expect(shownText(await wired(server, wire, { conversation: reloaded(b.conversation) }).run("more"))).toBe(
      "again",
    );
  },
);

test.each(TEXT_ARGUMENTS)(
  "of two calls the broken one fails and the whole one runs on %s [P01]",
  async (wire) => {
    await using server = await modelServer();
    server.reply(rawCall("bash", '{"command": "a",}'), call("bash", { command: "b" }));
    server.reply(say("ok"));
    const bash = recorder("bash");
    await wired(server, wire, { tools: [bash.tool] }).run();
    expect(bash.inputs).toEqual([{ command: "b" }]);
    const [first, second] = server.request(2).results;
    expect(first?.text).toContain("position");
    expect(second?.text).toBe('output of {"command":"b"}');
  },
);

const CUT = { "cut text": '{"command": "echo x > fi', "text that happens to parse": '{"command": "echo x"}' };

test.each(WIRES.flatMap((wire) => Object.keys(CUT).map((kind) => [kind, wire] as const)))(
  "a call at the output limit (%s) never runs on %s, the model is told to write less, and the third is the last [P06]",
  async (kind, wire) => {
    await using server = await modelServer();
    server.otherwise(() => [rawCall("bash", CUT[kind as keyof typeof CUT]), stop("length")]);
    const bash = recorder("bash");
    const events = await wired(server, wire, { tools: [bash.tool] }).run();
    expect(bash.inputs).toEqual([]);
    expect(server.requests.length).toBeLessThanOrEqual(4);
    expect(stopReason(events)).toBe("length");
    // Gemini drops a call that it could not read: its answer is cut, but there is no call to answer.
    if (wire === "gemini" && kind === "cut text") return;
    expect(server.request(2).results[0]?.text).toContain("smaller");
    expect(of(events, "error")[0]?.code).toBe("output_limit");
  },
);

const ODD_IDS: Record<string, string[]> = {
  missing: ["", "", ""],
  equal: ["call_1", "call_1", "call_1"],
  "200 characters long": ["a", "b", "c"].map((end) => "x".repeat(199) + end),
  "with odd characters": ["a|1", "a/1", "a 1"],
};

test.each(WIRES.flatMap((wire) => Object.keys(ODD_IDS).map((kind): [string, Wire] => [kind, wire])))(
  "three calls whose ids are %s run once each, finish in any order and are paired in call order on %s [P09]",
  async (kind, wire) => {
    await using server = await modelServer();
    const ids = ODD_IDS[kind] ?? [];
    server.reply(think("hm"), ...ids.map((id, at) => call("bash", { x: at }, { id })));
    server.reply(say("ok"));
    server.reply(say("again"));
    const waiting: (() => void)[] = [];
    const runs: unknown[] = [];
    const bash = tool("bash", {
      run: async (input) => {
        runs.push(input);
        await new Promise<void>((resolve) => {
          waiting.unshift(resolve);
          if (waiting.length < 3) return;
          // The last that began ends first.
          for (const end of waiting) end();
        });
        return found(`output ${JSON.stringify(input)}`);
      },
    });
    const b = wired(server, wire, { tools: [bash] });
    await b.run();
    expect(runs).toEqual([{ x: 0 }, { x: 1 }, { x: 2 }]);
    const { calls, results } = server.request(2);
    expect(calls.map((made) => made.args)).toEqual(runs);
    expect(results.map((result) => result.text)).toEqual(
      runs.map((input) => `output ${JSON.stringify(input)}`),
    );
    if (wire !== "ollama" && !(wire === "gemini" && kind === "missing"))
      expect(results.map((result) => result.id)).toEqual(calls.map((made) => made.id));
    const stored = resultsIn(b.conversation).map((result) => result.id);
    expect(new Set(stored).size).toBe(3);
    await wired(server, wire, { tools: [bash], conversation: reloaded(b.conversation) }).run("more");
    expect(server.request(3).results.map((result) => result.text)).toEqual(
      results.map((result) => result.text),
    );
  },
);

test.each(WIRES)(
  "a service that calls every turn's call the same is paired right over many turns on %s [P09]",
  async (wire) => {
    await using server = await modelServer();
    for (let turn = 0; turn < 4; turn++) server.reply(call("bash", { x: turn }, { id: "call_0" }));
    server.reply(say("ok"));
    const bash = recorder("bash");
    const b: ReturnType<typeof bench> = wired(server, wire, { tools: [bash.tool] });
    expect(stopReason(await b.run())).toBe("end");
    expect(bash.inputs).toEqual([0, 1, 2, 3].map((x) => ({ x })));
    expect(server.request(5).results.map((result) => result.text)).toEqual(
      [0, 1, 2, 3].map((x) => `output of {"x":${x}}`),
    );
  },
);
