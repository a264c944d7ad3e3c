import { expect, test } from "bun:test";
import { call, rawCall, say, think } from "../blocks.ts";
import { type ModelServer, modelServer } from "../server.ts";
import { events, fineBody, post, refusal } from "../test-support/requests.ts";
import type { Fields } from "../wire.ts";

const SKIP = "skip_thought_signature_validator";
const user = (...parts: Fields[]): Fields => ({ role: "user", parts });
const model = (...parts: Fields[]): Fields => ({ role: "model", parts });
const text = (value: string): Fields => ({ text: value });
const made = (name: string, more: Fields = {}): Fields => ({
  functionCall: { name, args: {} },
  thoughtSignature: SKIP,
  ...more,
});
const answer = (name: string): Fields => ({ functionResponse: { name, response: { output: "r" } } });

const refused: [title: string, more: Fields, said: string][] = [
  ["a role of another wire", { contents: [{ role: "assistant", parts: [text("a")] }] }, "valid role"],
  ["no parts", { contents: [user()] }, "must not be empty"],
  ["an empty text part", { contents: [user(text(""))] }, "empty text part"],
  ["a part without data", { contents: [user({})] }, "oneof field 'data'"],
  ["an empty system instruction", { systemInstruction: { parts: [text("")] } }, "systemInstruction"],
  [
    "fewer responses than calls",
    { contents: [user(text("a")), model(made("read"), made("read")), user(answer("read"))] },
    "number of function response parts",
  ],
  [
    "no response at all",
    { contents: [user(text("a")), model(made("read")), user(text("b"))] },
    "number of function response parts",
  ],
  [
    "a response of another name",
    { contents: [user(text("a")), model(made("read")), user(answer("write"))] },
    "is named write",
  ],
  [
    "a response to nothing",
    { contents: [user(text("a")), model(text("b")), user(answer("read"))] },
    "immediately after a function call turn",
  ],
  [
    "a last turn of the model",
    { contents: [user(text("a")), model(text("b"))] },
    "must end with a user turn",
  ],
  [
    "a call without a signature in the current turn",
    {
      contents: [user(text("a")), model({ functionCall: { name: "read", args: {} } }), user(answer("read"))],
    },
    "missing a thought_signature",
  ],
  [
    "a signature that was never given",
    {
      contents: [
        user(text("a")),
        model(made("read", { thoughtSignature: "Zm9yZ2Vk" })),
        user(answer("read")),
      ],
    },
    "Corrupted thought signature",
  ],
  [
    "arguments that are no object",
    {
      contents: [
        user(text("a")),
        model({ functionCall: { name: "read", args: "x" }, thoughtSignature: SKIP }),
        user(answer("read")),
      ],
    },
    "must be an object",
  ],
  [
    "both ways to set thinking",
    { generationConfig: { thinkingConfig: { thinkingBudget: 1, thinkingLevel: "LOW" } } },
    "only one of",
  ],
  [
    "both forms of parameters",
    {
      tools: [
        {
          functionDeclarations: [
            { name: "x", parameters: { type: "OBJECT" }, parametersJsonSchema: { type: "object" } },
          ],
        },
      ],
    },
    "both",
  ],
];
for (const [title, more, said] of refused)
  test(`${title} is refused`, async () => {
    await using server = await modelServer();
    expect(await refusal(server, "gemini", fineBody("gemini", more))).toContain(said);
  });

async function calledParts(server: ModelServer): Promise<Fields[]> {
  server.reply(think("hmm"), call("read", { file_path: "a" }), call("read", { file_path: "b" }));
  const sent = events(await (await post(server, "gemini", fineBody("gemini"))).text());
  return sent
    .flatMap((event) =>
      (event["candidates"] as Fields[]).flatMap(
        (candidate) => (candidate["content"] as Fields)["parts"] as Fields[],
      ),
    )
    .filter((part) => part["functionCall"] !== undefined);
}
const followUp = (parts: Fields[]): Fields =>
  fineBody("gemini", { contents: [user(text("hi")), model(...parts), user(answer("read"), answer("read"))] });

test("only the first of parallel calls carries a signature, and it is taken back verbatim", async () => {
  await using server = await modelServer();
  const parts = await calledParts(server);
  expect(parts.map((part) => part["thoughtSignature"] !== undefined)).toEqual([true, false]);
  server.reply(say("done"));
  expect((await post(server, "gemini", followUp(parts))).status).toBe(200);
});

test("a signature that moved to another call is refused", async () => {
  await using server = await modelServer();
  const [first, second] = await calledParts(server);
  const { thoughtSignature, ...bare } = first!;
  expect(await refusal(server, "gemini", followUp([bare, { ...second, thoughtSignature }]))).toContain(
    "Corrupted",
  );
});

test("a call of an earlier turn needs no signature", async () => {
  await using server = await modelServer();
  server.reply(say("done"));
  const contents = [
    user(text("a")),
    model({ functionCall: { name: "read", args: {} } }),
    user(answer("read")),
    model(text("b")),
    user(text("c")),
  ];
  expect((await post(server, "gemini", fineBody("gemini", { contents }))).status).toBe(200);
});

test("broken arguments become a malformed function call", async () => {
  await using server = await modelServer();
  server.reply(rawCall("read", '{"file_path":'));
  expect(await (await post(server, "gemini", fineBody("gemini"))).text()).toContain(
    "MALFORMED_FUNCTION_CALL",
  );
});
