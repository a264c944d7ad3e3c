/** What stands next to the reported cases: found by asking what else of the kind a service, a model or a tool could do. */
import { expect, test } from "bun:test";
import { bytes, call, fail, modelServer, say, stop, TINY_PNG, think, type Wire } from "@pi-ts/testkit";
import type { JsonSchema } from "../../contract/json.ts";
import type { ToolOutcome } from "../../contract/tool.ts";
import { type bench, found, of, tool } from "../test-support/bench.ts";
import {
  reloaded,
  resultsIn,
  runPatiently,
  shownText,
  stopReason,
  WIRES,
  wired,
} from "../test-support/wired.ts";

const picture = { type: "image", mimeType: "image/png", data: TINY_PNG } as const;

/** Runs one call of a tool with this outcome, and then a second prompt from the reloaded file. */
async function twice(wire: Wire, outcome: ToolOutcome) {
  const server = await modelServer();
  server.reply(call("look"));
  server.reply(say("seen"));
  const look = tool("look", { run: () => Promise.resolve(outcome) });
  const b = wired(server, wire, { tools: [look] });
  expect(shownText(await b.run())).toBe("seen");
  server.reply(say("again"));
  expect(
    shownText(
      await wired(server, wire, { tools: [look], conversation: reloaded(b.conversation) }).run("more"),
    ),
  ).toBe("again");
  return server;
}

const OUTCOMES: Record<string, ToolOutcome> = {
  "no text": found(""),
  "white space only": found(" \n\t"),
  "a picture and no text": { ...found(""), images: [picture] },
  "a picture of a failure": { ...found("it failed"), outcome: "failed", isError: true, images: [picture] },
  "a failure without a word": { outcome: "failed", isError: true, text: "", details: {} },
  "control characters": found("a\u0000b\u001b[31mred\u007f"),
  "a text of 300 KB": found("0123456789".repeat(30_000)),
};

test.each(WIRES.flatMap((wire) => Object.keys(OUTCOMES).map((kind): [string, Wire] => [kind, wire])))(
  "a result of %s is taken by %s",
  async (kind, wire) => {
    await using server = await twice(wire, OUTCOMES[kind]!);
    expect(server.request(2).results).toHaveLength(1);
  },
);

test.each(WIRES)(
  "pictures of a conversation are left out, with a word, for a model of %s without eyes",
  async (wire) => {
    await using server = await twice(wire, { ...found("here"), images: [picture] });
    const b = wired(server, wire, { history: [] });
    b.options.model = { ...b.options.model, images: false };
    b.conversation.list.push({
      role: "user",
      origin: "user",
      parts: [{ type: "text", text: "look" }, picture],
    });
    server.reply(say("blind"));
    expect(shownText(await b.run("what is it?"))).toBe("blind");
    const request = server.requests.at(-1)!;
    expect(request.userImages).toEqual([]);
    expect(request.userTexts.join(" ")).toContain("image");
  },
);

const SCHEMAS: Record<string, JsonSchema> = {
  "no properties": { type: "object" },
  "nothing at all": {},
  "alternatives at its root": {
    type: "object",
    properties: { x: { type: "number" }, y: { type: "number" } },
    anyOf: [{ required: ["x"] }, { required: ["y"] }],
  },
  "a reference and a meta schema": {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: { x: { $ref: "#/$defs/n" } },
    $defs: { n: { type: "number" } },
  } as JsonSchema,
  "a constant and nullable types": {
    type: "object",
    properties: { x: { type: ["number", "null"] }, kind: { const: "a" } },
  } as JsonSchema,
};

test.each(WIRES.flatMap((wire) => Object.keys(SCHEMAS).map((kind): [string, Wire] => [kind, wire])))(
  "a tool whose schema has %s is declared in a form that %s takes",
  async (kind, wire) => {
    await using server = await modelServer();
    server.reply(call("odd", { x: 1 }));
    server.reply(say("ok"));
    let ran = 0;
    const odd = tool("odd", { input: SCHEMAS[kind]!, run: () => Promise.resolve(found(`${++ran}`)) });
    const events = await wired(server, wire, { tools: [odd] }).run();
    expect(stopReason(events)).toBe("end");
    expect(ran).toBe(1);
  },
);

const NAMES = ["with.dot", "mcp__server__a_tool", "n".repeat(80), "with space", "日本"];

test.each(WIRES)("tools under names that %s does not take do not make every request fail", async (wire) => {
  await using server = await modelServer();
  server.reply(say("ok"));
  const tools = NAMES.map((name) => tool(name));
  const events = await wired(server, wire, { tools }).run();
  expect(stopReason(events)).toBe("end");
  expect(server.request(1).tools).toHaveLength(NAMES.length);
});

test.each(WIRES)(
  "a tool under a name that %s does not take runs under the name that the model was told",
  async (wire) => {
    await using server = await modelServer();
    server.when((request) => request.results.length > 0).reply(say("ok"));
    server.otherwise((request) => request.tools.map(({ name }) => call(name, { x: 1 })));
    const ran: string[] = [];
    const tools = ["a b", "a.b", "a_b"].map((name) =>
      tool(name, {
        run: () => {
          ran.push(name);
          return Promise.resolve(found(name));
        },
      }),
    );
    const events = await wired(server, wire, { tools }).run();
    expect(stopReason(events)).toBe("end");
    expect(ran).toEqual(["a b", "a.b", "a_b"]);
    expect(of(events, "tool_call").map((event) => event.tool_name)).toEqual(ran);
  },
);

test.each(WIRES)("arguments named like parts of every object run as they came from %s", async (wire) => {
  await using server = await modelServer();
  const text = '{"x": 1, "__proto__": {"polluted": true}, "constructor": "c", "toString": "t"}';
  server.reply({ kind: "call", name: "step", argumentText: text });
  server.reply(say("ok"));
  let seen = "";
  const step = tool("step", {
    input: { type: "object", properties: { x: { type: "number" } }, additionalProperties: true },
    run: (input) => {
      seen = JSON.stringify(input);
      return Promise.resolve(found("ok"));
    },
  });
  expect(stopReason(await wired(server, wire, { tools: [step] }).run())).toBe("end");
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  expect(seen).toContain('"constructor":"c"');
});

test.each(WIRES)("an argument of 200 KB arrives whole from %s", async (wire) => {
  await using server = await modelServer();
  const content = 'line with "quotes" and ünïcode 🎉\n'.repeat(6_000);
  server.reply(call("write", { content }));
  server.reply(say("ok"));
  let written = "";
  const write = tool("write", {
    input: { type: "object", properties: { content: { type: "string" } } },
    run: (input) => {
      written = String(input["content"]);
      return Promise.resolve(found("written"));
    },
  });
  await wired(server, wire, { tools: [write] }).run();
  expect(written).toBe(content);
  expect(server.request(2).calls[0]?.args).toEqual({ content });
});

test.each(WIRES)("two prompts in a row, because the first one failed, are taken by %s", async (wire) => {
  await using server = await modelServer();
  server.reply(fail(400, { body: { error: { message: "no", type: "invalid_request_error" } } }));
  server.reply(say("both"));
  const b = wired(server, wire);
  expect(stopReason(await b.run("first"))).toBe("error");
  expect(shownText(await b.run("second"))).toBe("both");
  expect(server.request(2).userTexts.join(" ")).toMatch(/first\s+second/);
});

test.each(WIRES)("steering comes after the results of several calls on %s", async (wire) => {
  await using server = await modelServer();
  server.reply(think("t"), call("step", { x: 1 }), call("step", { x: 2 }));
  server.reply(say("ok"));
  const b: ReturnType<typeof bench> = wired(server, wire, {
    tools: [
      tool("step", {
        run: (input) => {
          b.runner.steer(`after ${JSON.stringify(input)}`);
          return Promise.resolve({ ...found("ok"), images: [picture] });
        },
      }),
    ],
  });
  expect(shownText(await b.run())).toBe("ok");
  const { text, results } = server.request(2);
  expect(results).toHaveLength(2);
  expect(text.indexOf("after {")).toBeGreaterThan(text.lastIndexOf('"ok"'));
});

test.each(WIRES)(
  "white space before a call is shown and not sent back in a form that %s refuses",
  async (wire) => {
    await using server = await modelServer();
    server.reply(say("\n\n"), call("step", { x: 1 }));
    server.reply(say(" \n"), call("step", { x: 2 }));
    server.reply(say("ok"));
    const b = wired(server, wire, { tools: [tool("step")] });
    expect(stopReason(await b.run())).toBe("end");
    server.reply(say("again"));
    expect(shownText(await wired(server, wire, { conversation: reloaded(b.conversation) }).run("more"))).toBe(
      "again",
    );
  },
);

test.each(WIRES)("an answer of white space only leaves a conversation that %s takes", async (wire) => {
  await using server = await modelServer();
  server.reply(say(" \n"));
  const b = wired(server, wire);
  await b.run();
  server.reply(say("fine"));
  expect(shownText(await wired(server, wire, { conversation: reloaded(b.conversation) }).run("hello?"))).toBe(
    "fine",
  );
});

test.each(WIRES)("an answer cut at the limit goes on with a prompt and without on %s", async (wire) => {
  await using server = await modelServer();
  server.reply(say("first half"), stop("length"));
  const b = wired(server, wire);
  expect(stopReason(await b.run())).toBe("length");
  server.reply(say("second half"), stop("length"));
  server.reply(say("the end"));
  expect(stopReason(await b.run(null))).toBe("length");
  expect(shownText(await b.run("and?"))).toBe("the end");
  expect(server.request(3).assistantTexts).toEqual(["first half", "second half"]);
});

test.each(WIRES)(
  "calls of tools that a resumed session no longer has are sent validly to %s",
  async (wire) => {
    await using server = await modelServer();
    // Claude 5.5's thinking is bound to the tools: it is refused once, and the request is sent again without it.
    if (wire === "anthropic") server.allowProblems();
    server.reply(think("t"), call("gone", { x: 1 }));
    server.reply(say("ok"));
    const b = wired(server, wire, { tools: [tool("gone")] });
    await b.run();
    for (const tools of [[], [tool("other")]]) {
      server.reply(say("fine"));
      const next = wired(server, wire, { tools, conversation: reloaded(b.conversation) });
      expect(shownText(await next.run("more"))).toBe("fine");
    }
  },
);

test.each(WIRES)(
  "a third failure in a row counts each partial answer once and the fourth prompt works on %s",
  async (wire) => {
    await using server = await modelServer();
    const b = wired(server, wire);
    for (const part of ["a", "b", "c"]) {
      server.reply(say(part), bytes(""), { kind: "end" });
      expect(stopReason(await runPatiently(b, part === "a" ? "go" : null))).toBe("error");
    }
    server.reply(say("d"));
    expect(shownText(await b.run(null))).toBe("d");
    expect(server.request(4).assistantTexts).toEqual(["a", "b", "c"]);
  },
);

test.each(WIRES)("thinking off after thinking on is still a history that %s takes", async (wire) => {
  await using server = await modelServer();
  server.reply(think("t"), call("step", { x: 1 }));
  server.reply(say("ok"));
  const b = wired(server, wire, { tools: [tool("step")] });
  await b.run();
  b.options.thinking = "off";
  server.reply(call("step", { x: 2 }));
  server.reply(say("quiet"));
  expect(shownText(await b.run("more"))).toBe("quiet");
  expect(resultsIn(b.conversation)).toHaveLength(2);
});
