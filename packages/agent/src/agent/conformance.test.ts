import { expect, test } from "bun:test";
import { call, fail, hang, modelServer, redacted, say, think } from "@pi-ts/testkit";
import { type bench, found, of, tool } from "./test-support/bench.ts";
import { resultsIn, runPatiently, shownText, stopReason, WIRES, wired } from "./test-support/wired.ts";

const twoCalls = [say("ok "), call("step", { x: 1 }), call("step", { x: 2 })];

test.each(WIRES)("calls of one answer run at the same time on %s [A-AGENT-01]", async (wire) => {
  await using server = await modelServer();
  server.reply(...twoCalls);
  server.reply(say("done"));
  let started = 0;
  let both: () => void = () => undefined;
  const bothStarted = new Promise<void>((resolve) => {
    both = resolve;
  });
  const step = tool("step", {
    run: async () => {
      if (++started === 2) both();
      await bothStarted;
      return found("stepped");
    },
  });
  const events = await wired(server, wire, { tools: [step] }).run();
  expect(shownText(events)).toBe("ok done");
  expect(server.request(2).results.map((result) => result.text)).toEqual(["stepped", "stepped"]);
});

test.each(WIRES)("a tool that does not exist is an error result and %s goes on [P01]", async (wire) => {
  await using server = await modelServer();
  server.reply(call("nope"));
  server.reply(say("recovered"));
  const events = await wired(server, wire, { tools: [tool("step")] }).run();
  expect(stopReason(events)).toBe("end");
  expect(shownText(events)).toBe("recovered");
  expect(server.request(2).results[0]?.text).toContain("nope");
  expect(of(events, "tool_result")[0]?.is_error).toBe(true);
});

test.each(WIRES)(
  "a model that insists on a tool which does not exist is stopped on %s [P18]",
  async (wire) => {
    await using server = await modelServer();
    server.otherwise(() => [call("nope")]);
    const b = wired(server, wire, { tools: [tool("step")] });
    expect(stopReason(await b.run())).toBe("limit");
    expect(server.requests.length).toBe(10);
    server.when(/another way/).reply(say("as you like"));
    expect(shownText(await b.run("another way"))).toBe("as you like");
  },
);

test.each(WIRES)("a tool named constructor is unknown like any other on %s [P01]", async (wire) => {
  await using server = await modelServer();
  server.reply(call("constructor"));
  server.reply(say("recovered"));
  const events = await wired(server, wire, { tools: [tool("step")] }).run();
  expect(shownText(events)).toBe("recovered");
  expect(of(events, "tool_result")[0]).toMatchObject({ is_error: true, tool_name: "constructor" });
  expect(server.request(2).results[0]?.text).toContain("constructor");
});

test.each(WIRES)("thinking without a text goes back with its call on %s [P07]", async (wire) => {
  await using server = await modelServer();
  server.reply(
    wire === "openai-responses" ? redacted("SIGN") : think("", { signature: "SIGN" }),
    call("step"),
  );
  server.reply(say("fine"));
  const events = await wired(server, wire, { tools: [tool("step")] }).run();
  expect(shownText(events)).toBe("fine");
  if (wire === "anthropic" || wire === "openai-responses") expect(server.request(2).text).toContain("SIGN");
});

test.each(WIRES)("a callback that throws is an error result and %s goes on [A-AGENT-03]", async (wire) => {
  await using server = await modelServer();
  server.reply(call("step"));
  server.reply(say("recovered"));
  const boom = { beforeTool: () => Promise.reject(new Error("boom")) };
  const events = await wired(server, wire, { tools: [tool("step")], callbacks: [boom] }).run();
  expect(shownText(events)).toBe("recovered");
  expect(server.request(2).results[0]?.text).toContain("boom");
});

test.each(WIRES)(
  "an interrupt in the first of two serial tools never starts the second on %s [A-AGENT-07]",
  async (wire) => {
    await using server = await modelServer();
    server.reply(...twoCalls);
    let started = 0;
    const b: ReturnType<typeof bench> = wired(server, wire, {
      tools: [
        tool("step", {
          serial: true,
          run: () => {
            started++;
            b.stop.abort();
            return Promise.resolve(found("stepped"));
          },
        }),
      ],
    });
    expect(stopReason(await b.run())).toBe("aborted");
    expect(started).toBe(1);
    expect(resultsIn(b.conversation).length).toBe(2);
    server.reply(say("fine"));
    const next = wired(server, wire, { conversation: b.conversation, tools: b.options.tools });
    expect(shownText(await next.run("second"))).toBe("fine");
    expect(server.request(2).results.map((result) => result.text.split(":")[0])).toEqual([
      "stepped",
      "Interrupted before it started",
    ]);
  },
);

test.each(WIRES)(
  "after an interrupt of running tools the next request is valid on %s [C01][A-AGENT-07]",
  async (wire) => {
    await using server = await modelServer();
    server.reply(think("hm"), ...twoCalls);
    let started = 0;
    const b: ReturnType<typeof bench> = wired(server, wire, {
      tools: [
        tool("step", {
          run: (_input, { signal }) =>
            new Promise((_resolve, reject) => {
              signal.addEventListener("abort", () => reject(new Error("cancelled")));
              if (++started === 2) b.stop.abort();
            }),
        }),
      ],
    });
    expect(stopReason(await b.run())).toBe("aborted");
    server.reply(say("fine"));
    const next = wired(server, wire, { conversation: b.conversation, tools: b.options.tools });
    expect(shownText(await next.run("second"))).toBe("fine");
    expect(server.request(2).results.length).toBe(2);
  },
);

test.each(WIRES)(
  "an interrupt in the middle of an answer keeps what was shown on %s [A-AGENT-07]",
  async (wire) => {
    await using server = await modelServer();
    server.reply(say(["half an ", "answer"]), hang());
    const b = wired(server, wire);
    let shown = "";
    const events = await b.run("go", (event) => {
      if (event.type === "text_delta") shown += event.delta;
      if (shown === "half an answer") b.stop.abort();
    });
    expect(stopReason(events)).toBe("aborted");
    await server.waitForAborted();
    expect(b.conversation.list.at(-1)).toMatchObject({ partial: true, parts: [{ text: "half an answer" }] });
    server.reply(say("fine"));
    expect(shownText(await wired(server, wire, { conversation: b.conversation }).run("second"))).toBe("fine");
    expect(server.request(2).assistantTexts).toEqual(["half an answer"]);
    expect(server.request(2).userTexts.join("\n")).toContain("second");
  },
);

test.each(WIRES)("a rate limit tells its status and is waited for as long as %s asks [P03]", async (wire) => {
  await using server = await modelServer();
  server.reply(fail(429, { headers: { "retry-after": "7" } }));
  server.reply(say("at last"));
  const b = wired(server, wire);
  const events = await runPatiently(b);
  const [retry] = of(events, "retry");
  expect(retry?.delay_ms).toBeGreaterThanOrEqual(7_000);
  expect(retry?.reason).toContain("429");
  expect(b.clock.slept).toContain(retry?.delay_ms ?? 0);
  expect(shownText(events)).toBe("at last");
});

test.each(WIRES)(
  "steering given while a tool runs is in the next request to %s [A-AGENT-01]",
  async (wire) => {
    await using server = await modelServer();
    server.reply(call("step"));
    server.reply(say("ok"));
    const b: ReturnType<typeof bench> = wired(server, wire, {
      tools: [
        tool("step", {
          run: () => {
            b.runner.steer("ALSO-DO-X");
            return Promise.resolve(found("stepped"));
          },
        }),
      ],
    });
    await b.run();
    expect(server.request(2).userTexts.at(-1)).toBe("ALSO-DO-X");
    expect(server.request(2).results.length).toBe(1);
  },
);
