import { expect, test } from "bun:test";
import { PiError } from "../contract/errors.ts";
import type { ModelEvent } from "../contract/model.ts";
import { bench, found, MemoryConversation, of, tool, user } from "./test-support/bench.ts";
import { call, failure, text, usage } from "./test-support/fake-model.ts";

test("a prompt runs tools until the model gives a final answer, as one stream of events [A-AGENT-01]", async () => {
  const b = bench({ tools: [tool("look")] });
  b.model.calls(call("c1", "look", { x: 1 })).says("done");
  const events = await b.run();
  expect(events.map((event) => event.type)).toEqual([
    "message_start",
    "turn_end",
    "tool_call",
    "tool_result",
    "text_delta",
    "turn_end",
    "message_end",
  ]);
  expect(of(events, "message_end")[0]).toMatchObject({ stop_reason: "end", text: "done", turns: 2 });
});

test("every message is stored as it happens, a result as soon as its call is finished [A-AGENT-02]", async () => {
  let whileRunning: string[] = [];
  const b = bench({
    tools: [
      tool("quick"),
      tool("slow", {
        run: async () => {
          while (b.conversation.list.length < 3) await Promise.resolve();
          whileRunning = b.conversation.list.map((message) => message.role);
          return found("slow ran");
        },
      }),
    ],
  });
  b.model.calls(call("c1", "slow"), call("c2", "quick")).says("done");
  await b.run();
  expect(whileRunning).toEqual(["user", "assistant", "tool"]);
});

test("the model gets the results of one answer in call order, whatever finished first [A-AGENT-01][P09]", async () => {
  let release = (): void => undefined;
  const blocked = new Promise<void>((resolve) => {
    release = resolve;
  });
  const b = bench({
    tools: [
      tool("slow", { run: () => blocked.then(() => found("slow ran")) }),
      tool("quick", {
        run: () => {
          queueMicrotask(release);
          return Promise.resolve(found("quick ran"));
        },
      }),
    ],
  });
  b.model.calls(call("c1", "slow"), call("c2", "quick")).says("done");
  await b.run();
  expect(b.model.requests[1]?.messages.at(-1)).toMatchObject({
    role: "tool",
    parts: [
      { id: "c1", content: [{ text: "slow ran" }] },
      { id: "c2", content: [{ text: "quick ran" }] },
    ],
  });
});

test("usage of the run is the sum of its requests, each counted once [A-AGENT-01]", async () => {
  const b = bench({ tools: [tool("look")], priceOf: () => 0.25 });
  b.model.calls(call("c1", "look")).says("done", usage(200, 20, { cache_read: 50 }));
  const events = await b.run();
  expect(of(events, "turn_end").map((event) => event.usage.total)).toEqual([110, 270]);
  expect(of(events, "message_end")[0]?.usage).toEqual({
    input: 300,
    output: 30,
    cache_read: 50,
    cache_write: 0,
    reasoning: 0,
    total: 380,
    cost_usd: 0.5,
  });
});

test("a run of another runner on the same conversation sends the same prefix byte for byte [P17]", async () => {
  const b = bench({ tools: [tool("look"), tool("find")] });
  b.model
    .calls(call("c1", "look", { x: 1 }), call("c2", "find"))
    .calls(call("c3", "look", { x: 2 }))
    .says("one");
  await b.run();
  const again = bench({ tools: b.options.tools, conversation: b.conversation });
  again.model.says("two");
  await again.run("next");
  const bodies = [...b.model.requests, ...again.model.requests].map((request) =>
    JSON.stringify(request.messages),
  );
  for (let i = 1; i < bodies.length; i++) expect(bodies[i]).toStartWith(bodies[i - 1]!.slice(0, -1));
  expect(again.model.requests[0]).toMatchObject({ system: "system text", cacheKey: "conversation-1" });
});

test("steering given while tools run reaches the model with the next request [A-AGENT-01]", async () => {
  const b = bench({
    tools: [
      tool("look", {
        run: () => {
          b.runner.steer("also do x");
          return Promise.resolve(found("ok"));
        },
      }),
    ],
  });
  b.model.calls(call("c1", "look")).says("done");
  await b.run();
  expect(b.model.requests[1]?.messages.at(-1)).toMatchObject({
    role: "user",
    origin: "steering",
    parts: [{ text: "also do x" }],
  });
});

test("steering given during the final answer starts another turn of the same run", async () => {
  const b = bench();
  b.model.says("first").says("second");
  const events = await b.run("go", (event) => {
    if (event.type === "text_delta" && event.delta === "first") b.runner.steer("wait, do y");
  });
  expect(of(events, "message_end")).toHaveLength(1);
  expect(of(events, "message_end")[0]).toMatchObject({ text: "second", turns: 2 });
});

test("a follow-up is asked after the answer, in the same run", async () => {
  const b = bench({ tools: [tool("look")] });
  b.model.calls(call("c1", "look")).says("first").says("second");
  b.runner.followUp("and then?");
  const events = await b.run();
  expect(b.model.requests.map((request) => request.messages.filter((m) => m.role === "user").length)).toEqual(
    [1, 1, 2],
  );
  expect(of(events, "message_end")[0]?.text).toBe("second");
});

test("pasted images go along with steering and with a follow-up", async () => {
  const b = bench();
  const image = { type: "image", mimeType: "image/png", data: "QQ==" } as const;
  b.model.says("first").says("second").says("third");
  b.runner.steer({ text: "look at this", images: [image] });
  b.runner.followUp({ text: "and at that", images: [image, image] });
  await b.run();
  const parts = b.conversation.list.flatMap((message) => (message.role === "user" ? [message.parts] : []));
  expect(parts.slice(1)).toEqual([
    [{ type: "text", text: "look at this" }, image],
    [{ type: "text", text: "and at that" }, image, image],
  ]);
});

test("what was queued and not used can be taken back", async () => {
  const b = bench();
  b.runner.followUp("later");
  b.runner.steer("now");
  const waiting = [
    { text: "now", as: "steer" as const },
    { text: "later", as: "follow_up" as const },
  ];
  expect(b.runner.queued()).toEqual(waiting);
  expect(b.runner.takeQueued()).toEqual(waiting);
  expect(b.runner.queued()).toEqual([]);
  b.model.says("done");
  await b.run();
  expect(b.model.requests).toHaveLength(1);
});

test("the turn limit stops the run with a history that goes on", async () => {
  const b = bench({ tools: [tool("look")], maxTurns: 2 });
  b.model.calls(call("c1", "look", { x: 1 })).calls(call("c2", "look", { x: 2 }));
  const events = await b.run();
  expect(of(events, "message_end")[0]).toMatchObject({ stop_reason: "max_turns", turns: 2 });
  b.model.says("done");
  expect(of(await b.run("more"), "message_end")[0]?.stop_reason).toBe("end");
});

test("an answer cut at the output limit ends the run as length", async () => {
  const b = bench();
  b.model.script(text("half"), b.model.end([{ type: "text", text: "half" }], "length"));
  const events = await b.run();
  expect(of(events, "message_end")[0]).toMatchObject({ stop_reason: "length", text: "half" });
});

test("three answers cut inside of a call stop the run, none of the calls is run, and each gets a result [P06]", async () => {
  let ran = 0;
  const b = bench({ tools: [tool("write", { run: () => Promise.resolve(found(String(++ran))) })] });
  const end = (n: number) => b.model.end([call(`c${n}`, "write", { x: n })], "length");
  b.model.otherwise = () => [end(b.model.requests.length)];
  const events = await b.run();
  expect(ran).toBe(0);
  expect(b.model.requests).toHaveLength(3);
  expect(of(events, "error")[0]).toMatchObject({ code: "output_limit", retryable: false });
  expect(of(events, "message_end")[0]?.stop_reason).toBe("length");
  expect(of(events, "tool_result").map((event) => event.is_error)).toEqual([true, true, true]);
  expect(of(events, "tool_result")[0]?.content).toContain("smaller");
});

test("calls that were whole when the limit came are run, only the cut one is not [P06]", async () => {
  const b = bench({ tools: [tool("look")] });
  b.model
    .script(b.model.end([call("c1", "look", { x: 1 }), call("c2", "look", { x: 2 })], "length"))
    .says("done");
  const events = await b.run();
  expect(of(events, "tool_result").map((event) => [event.id, event.is_error])).toContainEqual(["c1", false]);
  expect(of(events, "tool_result").map((event) => [event.id, event.is_error])).toContainEqual(["c2", true]);
  expect(of(events, "message_end")[0]?.stop_reason).toBe("end");
});

test("a refused answer is an error that is not retried", async () => {
  const b = bench();
  b.model.script(b.model.end([{ type: "text", text: "I" }], "filtered"));
  const events = await b.run();
  expect(of(events, "error")[0]).toMatchObject({ code: "filtered", retryable: false });
  expect(of(events, "message_end")[0]?.stop_reason).toBe("error");
});

test("calls of a refused answer are not run and still have a result", async () => {
  let ran = false;
  const look = tool("look", {
    run: () => {
      ran = true;
      return Promise.resolve(found(""));
    },
  });
  const b = bench({ tools: [look] });
  b.model.script(b.model.end([call("c1", "look")], "filtered"));
  await b.run();
  expect(ran).toBe(false);
  expect(b.conversation.list.at(-1)).toMatchObject({ role: "tool", parts: [{ id: "c1", isError: true }] });
});

test("leaving the iteration stops the model and keeps what was shown [A-AGENT-07]", async () => {
  const b = bench();
  b.model.script(text("half an "), text("answer"), new Promise(() => undefined));
  let shown = "";
  for await (const event of b.runner.run(user("go"), b.stop.signal)) {
    if (event.type === "text_delta") shown += event.delta;
    if (shown === "half an answer") break;
  }
  expect(b.model.signals[0]?.aborted).toBe(true);
  expect(b.conversation.list.at(-1)).toMatchObject({
    role: "assistant",
    partial: true,
    parts: [{ text: "half an answer" }],
  });
  b.model.says("done");
  expect(of(await b.run("next"), "message_end")[0]?.stop_reason).toBe("end");
});

test("leaving the iteration while tools run leaves one result for each call [A-AGENT-07]", async () => {
  const started: string[] = [];
  const b = bench({
    tools: [
      tool("wait", {
        serial: true,
        run: (_input, context) => {
          started.push(context.callId);
          return new Promise((_resolve, reject) =>
            context.signal.addEventListener("abort", () => reject(new Error("stopped"))),
          );
        },
      }),
    ],
  });
  b.model.calls(call("c1", "wait"), call("c2", "wait"));
  for await (const event of b.runner.run(user("go"), b.stop.signal)) if (event.type === "tool_call") break;
  expect(started).toEqual(["c1"]);
  const results = b.conversation.list.flatMap((message) => (message.role === "tool" ? message.parts : []));
  expect(results.map((result) => result.id).sort()).toEqual(["c1", "c2"]);
});

test("a second run at the same time is refused and the first goes on", async () => {
  const b = bench();
  b.model.says("done");
  let refused: unknown;
  const events = await b.run("go", async (event) => {
    if (event.type !== "message_start") return;
    const second = b.runner.run(user("me too"), b.stop.signal)[Symbol.asyncIterator]();
    await second.next().catch((thrown: unknown) => {
      refused = thrown;
    });
  });
  expect(refused).toMatchObject({ code: "busy" });
  expect(of(events, "message_end")[0]?.text).toBe("done");
});

test("a fault in the loop's surroundings still ends the run with message_end", async () => {
  const b = bench({
    priceOf: () => {
      throw new Error("price table broken");
    },
  });
  b.model.says("done");
  const events = await b.run();
  expect(of(events, "error")[0]).toMatchObject({ code: "internal", message: "price table broken" });
  expect(of(events, "message_end")[0]?.stop_reason).toBe("error");
});

test("the conversation is made durable once a run", async () => {
  const b = bench({ tools: [tool("look")] });
  b.model.calls(call("c1", "look")).says("done");
  await b.run();
  expect(b.conversation.synced).toBe(1);
});

test("options changed between two runs count from the next run", async () => {
  const b = bench({ tools: [tool("look")] });
  b.model.says("one").says("two");
  await b.run();
  b.options.thinking = "high";
  b.options.tools = [...b.options.tools, tool("late")];
  await b.run("again");
  expect(b.model.requests.map((request) => request.thinking)).toEqual(["off", "high"]);
  expect(b.model.requests[1]?.tools.map(({ name }) => name)).toEqual(["look", "late"]);
});

test("the budget is asked before each request and told what was used after it [A-GUARD-02]", async () => {
  const used: unknown[] = [];
  const asked: number[] = [];
  const budget = {
    reserve: (tokens: number | (() => number)) => {
      asked.push(typeof tokens === "number" ? tokens : tokens());
      return { settle: (what: unknown) => void used.push(what) };
    },
  };
  const b = bench({ budget });
  b.model.script(failure({ code: "overloaded" })).says("done", usage(100, 10, { cache_read: 1_000 }));
  const running = b.run();
  await b.clock.sleeping(1_000);
  b.clock.advance(1_000);
  await running;
  expect(asked.every((tokens) => tokens > 0)).toBe(true);
  // Cache reads weigh a tenth, so that a warm cache does not eat the day [Q02].
  expect(used).toEqual([
    { input: 0, output: 0, requests: 1 },
    { input: 200, output: 10, requests: 1 },
  ]);
});

test("a spent budget ends the run as limit before the request, and the history goes on the next day [A-GUARD-02]", async () => {
  let left = 1;
  const budget = {
    reserve: () => {
      if (left-- <= 0)
        throw new PiError({ code: "daily_limit", message: "spent", hint: "tomorrow", exitCode: 3 });
      return { settle: () => undefined };
    },
  };
  const b = bench({ budget, tools: [tool("look")] });
  b.model.calls(call("c1", "look"));
  const events = await b.run();
  expect(of(events, "error")[0]).toMatchObject({ code: "daily_limit", message: "spent", hint: "tomorrow" });
  expect(of(events, "message_end")[0]).toMatchObject({ stop_reason: "limit", turns: 1 });
  left = 9;
  b.model.says("done");
  expect(of(await b.run("more"), "message_end")[0]?.stop_reason).toBe("end");
});

test("going on without a prompt asks for the rest of an answer that broke off", async () => {
  const b = bench({ conversation: new MemoryConversation() });
  b.model.script(text("half"), failure({ code: "network" })).says(" and the rest");
  await b.run();
  await b.run(null);
  expect(b.model.requests[1]?.messages.map((message) => message.role)).toEqual(["user", "assistant", "user"]);
  expect(b.conversation.list.at(2)).toMatchObject({ role: "user", origin: "continue" });
});

test("a warning of the service is told to the user [P11]", async () => {
  const b = bench();
  b.model.script({
    ...b.model.end([{ type: "text", text: "ok" }]),
    warnings: ["prompt was cut"],
  } as ModelEvent);
  expect(of(await b.run(), "notice")[0]).toMatchObject({ level: "warning", message: "prompt was cut" });
});
