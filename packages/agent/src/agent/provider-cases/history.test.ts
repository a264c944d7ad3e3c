/** Histories that crashes, cuts and other programs leave behind, resumed on every wire. */
import { expect, test } from "bun:test";
import { call, modelServer, rawCall, say, think, type Wire } from "@pi-ts/testkit";
import type { Message } from "../../contract/messages.ts";
import { found, MemoryConversation, tool } from "../test-support/bench.ts";
import { reloaded, shownText, stopReason, WIRES, wired } from "../test-support/wired.ts";

const step = tool("step", { run: (input) => Promise.resolve(found(`did ${JSON.stringify(input)}`)) });

/** A conversation with thinking, three parallel calls, another call and an answer, as it lies in the file. */
async function recorded(server: Awaited<ReturnType<typeof modelServer>>, wire: Wire): Promise<Message[]> {
  server.reply(
    think("why"),
    say("I look. "),
    call("step", { x: 1 }),
    call("step", { x: 2 }),
    call("step", { x: 3 }),
  );
  server.reply(think("then"), call("step", { x: 4 }));
  server.reply(say("done"));
  const b = wired(server, wire, { tools: [step] });
  await b.run();
  return reloaded(b.conversation).list;
}

async function expectWorks(
  server: Awaited<ReturnType<typeof modelServer>>,
  wire: Wire,
  list: Message[],
  prompt: string | null,
) {
  server.reply(call("step", { x: 9 }));
  server.reply(say("fine"));
  const b = wired(server, wire, {
    tools: [step],
    conversation: new MemoryConversation(structuredClone(list)),
  });
  expect(shownText(await b.run(prompt))).toBe("fine");
  expect(stopReason(await b.run("again"))).toBe("end");
}

test.each(WIRES)(
  "a conversation cut after any of its records goes on at %s, with a prompt and without [C01]",
  async (wire) => {
    await using server = await modelServer();
    const list = await recorded(server, wire);
    server.otherwise(() => [say("more")]);
    for (let kept = 0; kept <= list.length; kept++) {
      await expectWorks(server, wire, list.slice(0, kept), "go on");
      const last = server.requests.at(-3)!;
      const whole = list.slice(0, kept).flatMap((message) => (message.role === "tool" ? message.parts : []));
      // What was finished is kept, the rest is said to be unknown.
      for (const part of whole)
        expect(last.text).toContain(JSON.stringify((part.content[0] as { text: string }).text).slice(1, -1));
      if (kept > 0) await expectWorks(server, wire, list.slice(0, kept), null);
    }
  },
);

test.each(WIRES)(
  "any one record lost, doubled or moved to the end still makes a request that %s takes [C01]",
  async (wire) => {
    await using server = await modelServer();
    // Claude 5.5's thinking is bound to what came before it: it is refused once, and the request is sent again without it.
    if (wire === "anthropic") server.allowProblems();
    const list = await recorded(server, wire);
    server.otherwise(() => [say("more")]);
    for (const [at, record] of list.entries()) {
      const without = list.filter((_, index) => index !== at);
      await expectWorks(server, wire, without, "go on");
      await expectWorks(server, wire, [...list, structuredClone(record)], "go on");
      await expectWorks(server, wire, [...without, record], "go on");
    }
  },
);

test.each(WIRES)(
  "half a character in a prompt, a text, arguments, keys and results never reaches %s or the file [F19]",
  async (wire) => {
    await using server = await modelServer();
    const half = "\ud83d";
    server.reply(say(["cut ", half]), think("t"), rawCall("step", `{"x": 1, "a\\ud83d": "b\\ude00"}`));
    server.reply(say("one"));
    const cut = tool("step", {
      input: { type: "object", properties: { x: { type: "number" } }, additionalProperties: true },
      run: () => Promise.resolve({ ...found(`emoji ${"🎉".slice(0, 1)}`), details: { [`k${half}`]: half } }),
    });
    const b = wired(server, wire, { tools: [cut], system: `system ${half}` });
    await b.run(`prompt ${half}`);
    for (const word of ["two", "three"]) {
      server.reply(say(word));
      const next = wired(server, wire, {
        tools: [cut],
        system: `system ${half}`,
        conversation: reloaded(b.conversation),
      });
      expect(shownText(await next.run(`more ${half}`))).toBe(word);
    }
    for (const message of b.conversation.list.slice(1))
      expect(JSON.stringify(message)).not.toMatch(/(?<!\\)\\ud[89a-f]/i);
  },
);

test.each(WIRES)(
  "the same call with the same result is stopped at the tenth on %s, honest polling is not [P18]",
  async (wire) => {
    await using server = await modelServer();
    server.otherwise(() => [call("poll", { x: 1 })]);
    const same = wired(server, wire, { tools: [tool("poll")] });
    expect(stopReason(await same.run())).toBe("limit");
    expect(server.requests).toHaveLength(10);
    expect(server.request(4).results.at(-1)?.text).toContain("Warning");
    let polls = 0;
    const changing = tool("poll", { run: () => Promise.resolve(found(`${++polls} of 20`)) });
    server.otherwise(() => [polls < 20 ? call("poll", { x: 1 }) : say("ready")]);
    const honest = wired(server, wire, { tools: [changing] });
    expect(stopReason(await honest.run())).toBe("end");
    expect(polls).toBe(20);
  },
);

test.each(WIRES)(
  "the first request to %s is the prompt: nothing else is asked of any network before it [P19]",
  async (wire) => {
    await using server = await modelServer();
    server.reply(say("hello"));
    const real = globalThis.fetch;
    const asked: string[] = [];
    const guarded = (...args: Parameters<typeof fetch>) => {
      asked.push(String(args[0] instanceof Request ? args[0].url : args[0]));
      return real(...args);
    };
    globalThis.fetch = Object.assign(guarded, { preconnect: real.preconnect });
    try {
      expect(shownText(await wired(server, wire).run())).toBe("hello");
    } finally {
      globalThis.fetch = real;
    }
    expect(asked).toHaveLength(1);
    expect(asked[0]?.startsWith(server.url)).toBe(true);
    expect(server.otherRequests).toEqual([]);
  },
);
