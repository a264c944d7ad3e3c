import { expect, test } from "bun:test";
import { say } from "../blocks.ts";
import { modelServer } from "../server.ts";
import { fineBody, post, refusal, WIRES } from "../test-support/requests.ts";

for (const wire of WIRES) {
  test(`${wire}: half a surrogate pair is refused, also when the JSON text escapes it`, async () => {
    await using server = await modelServer();
    const text = JSON.stringify(fineBody(wire)).replace('"hi"', '"\\ud83d"');
    expect(await refusal(server, wire, text)).toContain("surrogate");
  });

  test(`${wire}: a whole pair is fine`, async () => {
    await using server = await modelServer();
    server.reply(say("ok"));
    const text = JSON.stringify(fineBody(wire)).replace('"hi"', '"\\ud83d\\ude00"');
    expect((await post(server, wire, text)).status).toBe(200);
    expect(server.problems).toEqual([]);
  });

  test(`${wire}: a tool whose schema is no object schema is refused`, async () => {
    await using server = await modelServer();
    const text = JSON.stringify(fineBody(wire)).replace(
      '"type":"object","properties"',
      '"type":"array","properties"',
    );
    expect(await refusal(server, wire, text)).toContain("root type");
  });

  test(`${wire}: an unknown type deep in a schema is refused`, async () => {
    await using server = await modelServer();
    const text = JSON.stringify(fineBody(wire)).replace('"type":"string"', '"type":"text"');
    expect(await refusal(server, wire, text)).toContain("unknown type");
  });

  test(`${wire}: a required name that is no property is refused`, async () => {
    await using server = await modelServer();
    const text = JSON.stringify(fineBody(wire)).replace('"required":["file_path"]', '"required":["path"]');
    expect(await refusal(server, wire, text)).toContain("no property");
  });

  test(`${wire}: a tool name with a space is refused`, async () => {
    await using server = await modelServer();
    const text = JSON.stringify(fineBody(wire)).replace('"name":"read"', '"name":"read it"');
    expect(await refusal(server, wire, text)).toContain("read it");
  });

  test(`${wire}: an unknown top-level member is refused`, async () => {
    await using server = await modelServer();
    expect(await refusal(server, wire, fineBody(wire, { surprise: 1 }))).toContain("surprise");
  });
}

test("malformed UTF-8 is refused", async () => {
  await using server = await modelServer();
  const bytes = new TextEncoder().encode(JSON.stringify(fineBody("anthropic")));
  bytes[bytes.indexOf(0x68)] = 0xff;
  expect(await refusal(server, "anthropic", bytes)).toContain("UTF-8");
});

test("what is no JSON is refused", async () => {
  await using server = await modelServer();
  expect(await refusal(server, "ollama", "{oops")).toContain("not JSON");
});

test("more than 32 MB is refused", async () => {
  await using server = await modelServer();
  const big = fineBody("anthropic", { system: "x".repeat(33 * 1024 * 1024) });
  expect(await refusal(server, "anthropic", big)).toContain("bytes");
});

test("a request for a whole answer is refused, because this server only streams", async () => {
  await using server = await modelServer();
  for (const wire of ["anthropic", "openai-responses", "openai-chat", "ollama"] as const)
    expect(
      await refusal(server, wire, fineBody(wire, { stream: false, stream_options: undefined })),
    ).toContain("stream");
});
