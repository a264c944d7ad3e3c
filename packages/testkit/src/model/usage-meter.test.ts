import { expect, test } from "bun:test";
import { say } from "./blocks.ts";
import { commonPrefix, promptBytes } from "./prompt-prefix.ts";
import { modelServer } from "./server.ts";
import { fineBody, post } from "./test-support/requests.ts";

const LONG = "a long instruction. ".repeat(50);

test("Anthropic reads from the cache only what a mark put there", async () => {
  await using server = await modelServer();
  server.otherwise(() => [say("ok")]);
  const marked = { system: [{ type: "text", text: LONG, cache_control: { type: "ephemeral" } }] };
  await (await post(server, "anthropic", fineBody("anthropic", marked))).text();
  const first = { ...server.bill };
  await (await post(server, "anthropic", fineBody("anthropic", marked))).text();
  expect(first.cache_read).toBe(0);
  expect(first.cache_write).toBeGreaterThan(200);
  expect(server.bill.cache_read).toBe(first.cache_write);
  expect(server.bill.cache_write).toBe(first.cache_write);
});

test("Anthropic without a mark caches nothing", async () => {
  await using server = await modelServer();
  server.otherwise(() => [say("ok")]);
  for (let n = 0; n < 2; n++)
    await (await post(server, "anthropic", fineBody("anthropic", { system: LONG }))).text();
  expect(server.bill.cache_read).toBe(0);
  expect(server.bill.input).toBeGreaterThan(400);
});

test("OpenAI caches the common beginning by itself", async () => {
  await using server = await modelServer();
  server.otherwise(() => [say("ok")]);
  const body = (last: string) =>
    fineBody("openai-chat", {
      messages: [
        { role: "system", content: LONG },
        { role: "user", content: last },
      ],
    });
  await (await post(server, "openai-chat", body("one"))).text();
  await (await post(server, "openai-chat", body("two"))).text();
  expect(server.bill.cache_read).toBeGreaterThan(200);
});

test("a history that only grows keeps the whole earlier prompt as prefix", async () => {
  await using server = await modelServer();
  server.otherwise(() => [say("ok")]);
  const start = [{ role: "user", content: "one" }];
  const grown = [...start, { role: "assistant", content: "ok" }, { role: "user", content: "two" }];
  const rewritten = [{ role: "user", content: "ONE" }, ...grown.slice(1)];
  for (const messages of [start, grown, rewritten])
    await (await post(server, "anthropic", fineBody("anthropic", { messages }))).text();
  const [a, b, c] = [server.request(1), server.request(2), server.request(3)];
  expect(commonPrefix(a, b)).toBe(promptBytes(a));
  expect(commonPrefix(a, c)).toBeLessThan(promptBytes(a));
});
