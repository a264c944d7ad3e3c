/** What prompt caches and windows live on: the same bytes again, counted once. */
import { expect, test } from "bun:test";
import {
  call,
  commonPrefix,
  fail,
  type ModelServer,
  modelServer,
  promptBytes,
  say,
  TINY_PNG,
  think,
  usage,
  type Wire,
} from "@pi-ts/testkit";
import type { TokenBudget } from "../../contract/services.ts";
import { type bench, found, of, tool } from "../test-support/bench.ts";
import { reloaded, runPatiently, shownText, stopReason, WIRES, wired } from "../test-support/wired.ts";

const step = tool("step", {
  run: (input) => Promise.resolve(found(`did ${JSON.stringify(input)}\n${"x".repeat(500)}`)),
});

/** Each request must begin with all of the one before it, as the wire's cache reads it. */
function expectGrowing(server: ModelServer): void {
  for (let n = 1; n < server.requests.length; n++) {
    const [before, after] = [server.request(n), server.request(n + 1)];
    expect(`request ${n + 1}: ${commonPrefix(before, after)}`).toBe(
      `request ${n + 1}: ${promptBytes(before)}`,
    );
  }
}

/** The bytes on the wire: nothing that changes may stand before the messages. */
function commonBytes(a: string, b: string): number {
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  return same;
}

test.each(WIRES)(
  "ten steps with thinking and parallel calls keep the whole earlier request as prefix on %s [P17]",
  async (wire) => {
    await using server = await modelServer();
    for (let n = 0; n < 10; n++)
      server.reply(think(`thought ${n}`), call("step", { x: n }), call("step", { x: -n - 1 }));
    server.reply(say("done"));
    const b = wired(server, wire, { tools: [step, tool("other")] });
    expect(stopReason(await b.run())).toBe("end");
    expect(server.requests).toHaveLength(11);
    expectGrowing(server);
  },
);

test.each(WIRES)(
  "ten prompts, steering, a retry and a failed turn in between keep the prefix on %s [P17]",
  async (wire) => {
    await using server = await modelServer();
    const b: ReturnType<typeof bench> = wired(server, wire, {
      tools: [
        tool("steer", {
          run: () => {
            b.runner.steer("and quickly");
            return Promise.resolve(found("steered"));
          },
        }),
      ],
    });
    for (let n = 0; n < 10; n++) {
      if (n === 3) server.reply(fail(500));
      server.reply(say(`answer ${n}`), call("steer"));
      server.reply(say("end"));
      await runPatiently(b, `prompt ${n}`);
      b.clock.advance(86_400_000);
    }
    expectGrowing(server);
  },
);

test.each(WIRES)("a later process sends the very bytes of the earlier one on %s [P17][C10]", async (wire) => {
  await using server = await modelServer();
  server.reply(
    think("t"),
    say("a "),
    call("step", { b: 1, a: [2] }, wire === "ollama" ? {} : { id: "odd id" }),
    call("step", { x: 2 }),
  );
  server.reply(say("b"));
  const b = wired(server, wire, { tools: [step] });
  await b.run();
  const later = reloaded(b.conversation);
  server.reply(say("live"));
  await b.run("next");
  server.reply(say("resumed"));
  await wired(server, wire, { tools: [step], conversation: later }).run("next");
  expect(server.request(4).text).toBe(server.request(3).text);
});

test.each(WIRES)("nothing that changes stands before the messages on %s [P17]", async (wire) => {
  await using server = await modelServer();
  server.reply(call("step", { x: 1 }));
  server.reply(say("done"));
  const b = wired(server, wire, { tools: [step], system: "S".repeat(2_000) });
  await b.run();
  const [first, second] = [server.request(1).text, server.request(2).text];
  expect(commonBytes(first, second)).toBeGreaterThan(first.indexOf('"go"'));
});

test("Anthropic's cache marks stand at the end of what is stable and find the request before, over many calls at once [P17]", async () => {
  await using server = await modelServer();
  for (let turn = 0; turn < 4; turn++)
    server.reply(...Array.from({ length: 15 }, (_, x) => call("step", { x: turn * 100 + x })));
  server.reply(say("done"));
  const b = wired(server, "anthropic", { tools: [step] });
  const events = await b.run();
  const turns = of(events, "turn_end").map((turn) => turn.usage);
  for (const [n, used] of turns.entries()) {
    if (n === 0) continue;
    const before = turns[n - 1]!;
    expect(used.cache_read).toBeGreaterThan(before.cache_read + before.cache_write - 5);
  }
});

test.each(WIRES)("pictures in results keep the prefix on %s [P17]", async (wire) => {
  await using server = await modelServer();
  const look = tool("look", {
    run: () =>
      Promise.resolve({
        ...found("a picture"),
        images: [{ type: "image", mimeType: "image/png", data: TINY_PNG }],
      }),
  });
  server.reply(call("look"), call("step", { x: 1 }));
  server.reply(call("look"));
  server.reply(say("done"));
  const b = wired(server, wire, { tools: [look, step] });
  await b.run();
  server.reply(say("more"));
  await b.run("more");
  expectGrowing(server);
  const { results, userImages } = server.request(2);
  expect(results.flatMap((result) => result.images).length + userImages.length).toBe(1);
});

const CACHING = WIRES.filter((wire): wire is Exclude<Wire, "ollama"> => wire !== "ollama");

test.each(CACHING)(
  "150,000 cached tokens in each of ten rounds are no full window of %s [Q02]",
  async (wire) => {
    await using server = await modelServer();
    const settled: number[] = [];
    const budget: TokenBudget = {
      reserve: () => ({ settle: ({ input, output }) => settled.push(input + output) }),
    };
    for (let n = 0; n < 10; n++)
      server.reply(
        call("step", { x: n }),
        usage({ cache_read: 150_000, cache_write: 0, input: 100 + n, output: 50 }),
      );
    server.reply(say("done"), usage({ cache_read: 150_000, cache_write: 0, input: 500, output: 20 }));
    const b = wired(server, wire, { tools: [step], budget });
    const events = await b.run();
    expect(of(events, "compaction")).toEqual([]);
    expect(of(events, "error")).toEqual([]);
    expect(b.runner.contextTokens()).toBe(150_520);
    // The budget weighs what a cache gave by what it costs, not as fresh input.
    expect(Math.max(...settled)).toBeLessThan(20_000);
    expect(of(events, "message_end")[0]?.usage.cache_read).toBe(11 * 150_000);
  },
);

test.each(WIRES)(
  "a hundred pieces of an answer are stored as one message, the same after reloading on %s [C10]",
  async (wire) => {
    await using server = await modelServer();
    const words = Array.from({ length: 100 }, (_, n) => `word${n} `);
    server.reply(think("t"), say(words), call("step", { x: 1 }));
    server.reply(say("done"));
    const b = wired(server, wire, { tools: [step] });
    const events = await b.run();
    expect(shownText(events)).toBe(`${words.join("")}done`);
    expect(b.conversation.list.map((message) => message.role)).toEqual([
      "user",
      "assistant",
      "tool",
      "assistant",
    ]);
    expect(reloaded(b.conversation).list).toEqual(b.conversation.list);
  },
);
