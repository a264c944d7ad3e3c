/** Faults and odd histories, from the loop down to the bytes of every wire. */
import { expect, test } from "bun:test";
import {
  call,
  commonPrefix,
  cut,
  hold,
  modelServer,
  promptBytes,
  rawCall,
  say,
  stop,
  think,
} from "@pi-ts/testkit";
import type { ToolResultPart } from "../contract/messages.ts";
import { found, of, tool } from "./test-support/bench.ts";
import { shownText, stopReason, WIRES, wired } from "./test-support/wired.ts";

test.each(WIRES)("thinking goes back to %s as it came, over several turns and runs [P07]", async (wire) => {
  await using server = await modelServer();
  server.reply(think("first plan"), call("step", { x: 1 }));
  server.reply(think("second plan"), say("and "), call("step", { x: 2 }));
  server.reply(say("done"));
  server.reply(say("again"));
  const b = wired(server, wire, { tools: [tool("step")] });
  await b.run();
  expect(shownText(await b.run("next"))).toBe("again");
});

test.each(WIRES)("each request to %s begins with the whole one before it [P17]", async (wire) => {
  await using server = await modelServer();
  server.reply(call("step", { x: 1 }), call("step", { x: 2 }));
  server.reply(say("one"), call("step", { x: 3 }));
  server.reply(say("two"));
  server.reply(say("three"));
  const b = wired(server, wire, { tools: [tool("step"), tool("other")], thinking: "off" });
  await b.run();
  await b.run("next");
  for (let n = 1; n < 4; n++) {
    const [before, after] = [server.request(n), server.request(n + 1)];
    expect(commonPrefix(before, after)).toBe(promptBytes(before));
  }
});

test.each(WIRES)(
  "a connection to %s lost after shown text keeps the part, and going on works [P14]",
  async (wire) => {
    await using server = await modelServer();
    let read = (): void => undefined;
    // A reset takes away what was not read yet: it comes only when all of the text has arrived.
    const textRead = new Promise<void>((resolve) => {
      read = resolve;
    });
    server.reply(think("a plan"), say(["half", " text"]), hold(textRead), cut());
    server.reply(say("the rest"));
    const b = wired(server, wire);
    let shown = "";
    const events = await b.run("go", (event) => {
      if (event.type === "text_delta") shown += event.delta;
      if (shown === "half text") read();
    });
    expect(of(events, "message_end")[0]).toMatchObject({ stop_reason: "error", text: shownText(events) });
    expect(server.requests).toHaveLength(1);
    const rest = await b.run(null);
    expect(stopReason(rest)).toBe("end");
    expect(shownText(rest)).toBe("the rest");
  },
);

test.each(WIRES)(
  "a call that %s cut at the output limit is never run; three in a row stop the run [P06]",
  async (wire) => {
    await using server = await modelServer();
    let ran = 0;
    const write = tool("write", {
      run: () => {
        ran++;
        return Promise.resolve(found("written"));
      },
    });
    server.otherwise(() => [think("a plan"), call("write", { x: 1 }), stop("length")]);
    const events = await wired(server, wire, { tools: [write] }).run();
    expect(ran).toBe(0);
    expect(server.requests.length).toBeLessThanOrEqual(4);
    expect(stopReason(events)).toBe("length");
  },
);

test.each(WIRES.filter((wire) => wire !== "gemini"))(
  "arguments from %s that cannot be read do not run the tool, and the model goes on [P01]",
  async (wire) => {
    await using server = await modelServer();
    server.reply(think("a plan"), rawCall("step", '{"x": 1'));
    server.reply(say("ok"));
    let ran = false;
    const step = tool("step", {
      run: () => {
        ran = true;
        return Promise.resolve(found(""));
      },
    });
    const events = await wired(server, wire, { tools: [step] }).run();
    expect(ran).toBe(false);
    expect(of(events, "tool_call")[0]?.tool_input).toEqual({});
    expect(of(events, "tool_result")[0]?.is_error).toBe(true);
    expect(stopReason(events)).toBe("end");
  },
);

test.each(WIRES)(
  "a history with odd, missing and orphan records is accepted by %s [C01][P09][F19]",
  async (wire) => {
    await using server = await modelServer();
    server.reply(say("fine"));
    const source = { provider: "other", wire: "anthropic", model: "other" } as const;
    const usage = { input: 0, output: 0, cache_read: 0, cache_write: 0, reasoning: 0, total: 0 };
    const callOf = (id: string, name = "step") =>
      ({ type: "tool_call", id, name, arguments: { "k\ud83d": "v\ude00" } }) as const;
    const resultOf = (id: string, text: string): ToolResultPart => ({
      type: "tool_result",
      id,
      name: "step",
      content: [{ type: "text", text }],
      isError: false,
    });
    const b = wired(server, wire, {
      tools: [tool("step")],
      history: [
        { role: "assistant", parts: [{ type: "text", text: "hello" }], source, stop: "end", usage },
        { role: "tool", parts: [resultOf("ghost", "orphan")] },
        { role: "user", parts: [{ type: "text", text: " " }], origin: "user" },
        {
          role: "assistant",
          parts: [
            { type: "thinking", text: "t", signature: "foreign", opaque: { id: "x" } },
            callOf("a|b".repeat(80)),
            callOf("same"),
            callOf("same", "no such tool!"),
          ],
          source,
          stop: "tool",
          usage,
        },
        { role: "tool", parts: [resultOf("same", "")] },
        { role: "tool", parts: [resultOf("same", "cut \ud83d"), resultOf("same", "third")] },
        {
          role: "assistant",
          parts: [{ type: "text", text: "half" }],
          source,
          stop: "aborted",
          usage,
          partial: true,
        },
      ],
    });
    const events = await b.run();
    expect(stopReason(events)).toBe("end");
    expect(server.request(1).results).toHaveLength(3);
  },
);
