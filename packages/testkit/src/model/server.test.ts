import { expect, test } from "bun:test";
import {
  bytes,
  call,
  cut,
  end,
  fail,
  hang,
  hold,
  say,
  splitBytes,
  stop,
  streamError,
  think,
  usage,
} from "./blocks.ts";
import { modelServer } from "./server.ts";
import { events, fineBody, post, WIRES } from "./test-support/requests.ts";

for (const wire of WIRES) {
  test(`${wire}: a scripted answer arrives with text, a call and a final event`, async () => {
    await using server = await modelServer();
    server.reply(think("hmm"), say(["on", "e €"]), call("read", { file_path: "a" }));
    const response = await post(server, wire, fineBody(wire));
    const text = await response.text();
    expect(response.status).toBe(200);
    expect(text).toContain("e €");
    expect(text).toContain("hmm");
    expect(text).toContain("file_path");
    expect(text).toMatch(/message_stop|response\.completed|\[DONE\]|"finishReason":"STOP"|"done":true/);
  });

  test(`${wire}: a request is read into the neutral form`, async () => {
    await using server = await modelServer();
    server.reply(say("fine"));
    await (await post(server, wire, fineBody(wire))).text();
    const request = server.request(1);
    expect(request.wire).toBe(wire);
    expect(request.userTexts).toEqual(["hi"]);
    expect(request.tools.map((tool) => tool.name)).toEqual(["read"]);
    expect(request.tools[0]?.schema["type"]).toBe("object");
  });

  test(`${wire}: a stream that is cut is no clean end`, async () => {
    await using server = await modelServer();
    server.reply(say("half"), cut());
    const response = await post(server, wire, fineBody(wire));
    await expect(response.text()).rejects.toThrow();
    expect(server.aborted).toBe(0);
  });

  test(`${wire}: a stream that merely ends has no final event`, async () => {
    await using server = await modelServer();
    server.reply(say("half"), end());
    const text = await (await post(server, wire, fineBody(wire))).text();
    expect(text).toContain("half");
    expect(text).not.toMatch(/message_stop|response\.completed|\[DONE\]|finishReason|"done":true/);
  });

  test(`${wire}: usage can be set`, async () => {
    await using server = await modelServer();
    server.reply(say("x"), usage({ input: 4321, output: 1234 }));
    const text = await (await post(server, wire, fineBody(wire))).text();
    expect(text).toContain("4321");
    expect(text).toContain("1234");
    expect(server.bill).toMatchObject({ input: 4321, output: 1234, requests: 1 });
  });

  test(`${wire}: an error inside of the stream carries its message`, async () => {
    await using server = await modelServer();
    server.reply(say("half"), streamError("overloaded_error", "too busy"));
    const response = await post(server, wire, fineBody(wire));
    expect(response.status).toBe(200);
    expect(await response.text()).toContain("too busy");
  });

  test(`${wire}: a status failure has the wire's own error body and the given headers`, async () => {
    await using server = await modelServer();
    server.reply(fail(429, { headers: { "retry-after": "7" } }));
    const response = await post(server, wire, fineBody(wire));
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toBe("7");
    expect(await response.json()).toHaveProperty("error");
  });
}

test("split bytes go through the middle of a character", async () => {
  await using server = await modelServer();
  server.reply(splitBytes(1), say("€".repeat(20)));
  const response = await post(server, "ollama", fineBody("ollama"));
  const chunks: Uint8Array[] = [];
  const reader = response.body!.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) chunks.push(part.value);
  const strict = new TextDecoder("utf-8", { fatal: true });
  const broken = chunks.filter((chunk) => {
    try {
      strict.decode(chunk);
      return false;
    } catch {
      // part of a character
      return true;
    }
  });
  expect(broken.length).toBeGreaterThan(0);
  expect(new TextDecoder().decode(Buffer.concat(chunks))).toContain("€");
});

test("a held answer waits for its promise", async () => {
  await using server = await modelServer();
  const gate = Promise.withResolvers<void>();
  server.reply(say("before"), hold(gate.promise), say("after"));
  const response = await post(server, "openai-chat", fineBody("openai-chat"));
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let seen = "";
  while (!seen.includes("before")) seen += (await reader.read()).value ?? "";
  expect(seen).not.toContain("after");
  gate.resolve();
  for (let part = await reader.read(); !part.done; part = await reader.read()) seen += part.value;
  expect(seen).toContain("after");
});

test("a client that leaves a hanging answer is counted", async () => {
  await using server = await modelServer();
  server.reply(hang());
  const controller = new AbortController();
  const asked = post(server, "anthropic", fineBody("anthropic"), { signal: controller.signal });
  await server.waitFor(1);
  controller.abort();
  await expect(asked).rejects.toThrow();
  await server.waitForAborted(1);
  expect(server.aborted).toBe(1);
});

test("rules come before the queue, once-rules answer once, and otherwise comes last", async () => {
  await using server = await modelServer();
  server.when(/"hi"/).once().reply(say("from the rule"));
  server.reply(say("from the queue"));
  server.otherwise(() => [say("from the fallback")]);
  const answers: string[] = [];
  for (let n = 0; n < 3; n++) answers.push(await (await post(server, "ollama", fineBody("ollama"))).text());
  expect(answers[0]).toContain("from the rule");
  expect(answers[1]).toContain("from the queue");
  expect(answers[2]).toContain("from the fallback");
});

test("an unscripted request is refused and fails the disposal", async () => {
  const server = await modelServer();
  expect((await post(server, "anthropic", fineBody("anthropic"))).status).toBe(400);
  await expect((async () => server[Symbol.asyncDispose]())()).rejects.toThrow("no reply was scripted");
});

test("a reply that nobody asked for fails the disposal", async () => {
  const server = await modelServer();
  server.reply(say("unheard"));
  await expect((async () => server[Symbol.asyncDispose]())()).rejects.toThrow("unheard");
});

test("a problem that was not allowed fails the disposal", async () => {
  const server = await modelServer();
  await post(server, "anthropic", { model: "m" });
  await expect((async () => server[Symbol.asyncDispose]())()).rejects.toThrow("max_tokens");
});

test("disposal closes the port and hanging answers", async () => {
  const server = await modelServer();
  server.reply(hang());
  const asked = post(server, "ollama", fineBody("ollama")).then(
    () => "answered",
    () => "closed",
  );
  await server.waitFor(1);
  const url = server.url;
  await server[Symbol.asyncDispose]();
  expect(await asked).toBe("closed");
  await expect(fetch(url)).rejects.toThrow();
});

test("model lists are answered in each service's form and are no requests", async () => {
  await using server = await modelServer();
  server.models = [{ id: "m1", contextWindow: 1000 }];
  const get = async (path: string, headers: Record<string, string> = {}): Promise<string> =>
    (await fetch(server.url + path, { headers })).text();
  expect(await get("/v1/models", { "anthropic-version": "2023-06-01" })).toContain('"max_input_tokens":1000');
  expect(await get("/v1/models")).toContain('"object":"list"');
  expect(await get("/v1beta/models")).toContain('"models/m1"');
  expect(await get("/api/tags")).toContain('"name":"m1"');
  const show = await fetch(`${server.url}/api/show`, {
    method: "POST",
    body: JSON.stringify({ model: "m1" }),
  });
  expect(await show.text()).toContain('"test.context_length":1000');
  expect(server.requests.length).toBe(0);
  expect(server.otherRequests.length).toBe(5);
});

test("a stop word becomes the wire's own, and a word of the wire goes through", async () => {
  await using server = await modelServer();
  server.reply(say("x"), stop("length"));
  server.reply(say("x"), stop("model_context_window_exceeded"));
  expect(await (await post(server, "anthropic", fineBody("anthropic"))).text()).toContain('"max_tokens"');
  const second = events(await (await post(server, "anthropic", fineBody("anthropic"))).text());
  expect(JSON.stringify(second)).toContain("model_context_window_exceeded");
});

test("a failed test is told before the complaint of the disposal", async () => {
  const run = async (): Promise<void> => {
    await using server = await modelServer();
    server.reply(say("unheard"));
    throw new Error("what the test found");
  };
  await expect(run()).rejects.toThrow(/what the test found[\s\S]*and at its disposal[\s\S]*unheard/);
});

test("what raw bytes gave out may come back", async () => {
  await using server = await modelServer();
  server.reply(bytes('data: {"thinking":"x","signature":"raw-sig"}\n\n'), end());
  server.reply(say("done"));
  await (await post(server, "anthropic", fineBody("anthropic"))).text();
  const thinking = { type: "thinking", thinking: "x", signature: "raw-sig" };
  const messages = [
    { role: "user", content: "hi" },
    { role: "assistant", content: [thinking, { type: "text", text: "a" }] },
    { role: "user", content: "go on" },
  ];
  expect((await post(server, "anthropic", fineBody("anthropic", { messages }))).status).toBe(200);
});
