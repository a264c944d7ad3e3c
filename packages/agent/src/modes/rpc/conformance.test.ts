/** JSON-RPC 2.0 on the wire: framing, ids, errors and batches. */
import { expect, test } from "bun:test";
import { RPC_METHODS } from "./rpc-server.ts";
import { type Received, rpcBench } from "./test-support/rpc-bench.ts";

const status = (id: string) => `{"jsonrpc":"2.0","id":${id},"method":"status"}`;

test.each([
  '"text"',
  '""',
  "0",
  "-7",
  "1.5",
  "null",
  "9007199254740991",
  "12345678901234567890",
  "0.12345678901234567890",
  "1e400",
  '"\\u00e4 \\u2028"',
])("the id %s comes back as it was sent [A-OUT-04][H05]", async (id) => {
  await using bench = await rpcBench();
  const client = await bench.connect();
  let raw = "";
  client.socket.on("data", (chunk: Buffer) => {
    raw += chunk.toString();
  });
  client.write(`${status(id)}\n`);
  await client.until(() => true);
  const sent = id.replace("\\u00e4", "ä");
  expect(raw.trimEnd().endsWith(`"id":${sent}}`)).toBe(true);
  expect(raw).toContain('"result":{');
});

const wrong: [what: string, line: string, code: number, reason: string, id: unknown][] = [
  ["what is no JSON", "{nonsense", -32700, "parse_error", null],
  ["half a message", '{"jsonrpc":"2.0","id":1,', -32700, "parse_error", null],
  ["a batch that is cut", '[{"jsonrpc":"2.0","id":1,"method":"status"},', -32700, "parse_error", null],
  ["an empty batch", "[]", -32600, "invalid_request", null],
  ["a number", "1", -32600, "invalid_request", null],
  ["null", "null", -32600, "invalid_request", null],
  ["a request without jsonrpc", '{"id":1,"method":"status"}', -32600, "invalid_request", 1],
  ["an older jsonrpc", '{"jsonrpc":"1.0","id":1,"method":"status"}', -32600, "invalid_request", 1],
  ["an id that is an object", '{"jsonrpc":"2.0","id":{},"method":"status"}', -32600, "invalid_request", null],
  ["an id that is true", '{"jsonrpc":"2.0","id":true,"method":"status"}', -32600, "invalid_request", null],
  ["a method that is a number", '{"jsonrpc":"2.0","id":1,"method":1}', -32600, "invalid_request", 1],
  ["an answer", '{"jsonrpc":"2.0","id":1,"result":{}}', -32600, "invalid_request", 1],
  ["an unknown method", '{"jsonrpc":"2.0","id":1,"method":"nothing"}', -32601, "method_not_found", 1],
  ["a method of all objects", '{"jsonrpc":"2.0","id":1,"method":"toString"}', -32601, "method_not_found", 1],
  [
    "parameters in a list",
    '{"jsonrpc":"2.0","id":1,"method":"status","params":[1]}',
    -32602,
    "invalid_params",
    1,
  ],
  ["a missing parameter", '{"jsonrpc":"2.0","id":1,"method":"prompt"}', -32602, "invalid_params", 1],
  [
    "a parameter of another type",
    '{"jsonrpc":"2.0","id":1,"method":"prompt","params":{"text":1}}',
    -32602,
    "invalid_params",
    1,
  ],
  [
    "an empty prompt",
    '{"jsonrpc":"2.0","id":1,"method":"prompt","params":{"text":" "}}',
    -32602,
    "invalid_params",
    1,
  ],
  [
    "a mistyped parameter",
    '{"jsonrpc":"2.0","id":1,"method":"prompt","params":{"text":"x","sesion_id":"y"}}',
    -32602,
    "invalid_params",
    1,
  ],
  [
    "an image that is no base64",
    '{"jsonrpc":"2.0","id":1,"method":"prompt","params":{"text":"x","images":[{"mime_type":"image/png","data":"*"}]}}',
    -32602,
    "invalid_params",
    1,
  ],
  [
    "a session that is not there",
    '{"jsonrpc":"2.0","id":1,"method":"cancel","params":{"session_id":"nothing"}}',
    -32003,
    "no_session",
    1,
  ],
];

test.each(wrong)(
  "%s is an error of the protocol, and the connection goes on [A-OUT-04][H05]",
  async (_, line, code, reason, id) => {
    await using bench = await rpcBench();
    const client = await bench.connect();
    client.write(`${line}\n`);
    const answer = (await client.until(() => true)) as Received;
    expect(answer).toMatchObject({ jsonrpc: "2.0", id, error: { code, data: { code: reason } } });
    expect((await client.ask("status")).result).toBeDefined();
    expect(client.lines).toHaveLength(2);
  },
);

test.each([["1"], ["1.5"], ["null"]])(
  "a line that is nested beyond all sense, with the id %s, does not end the server [H05]",
  async (id) => {
    await using bench = await rpcBench();
    const client = await bench.connect();
    const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
    client.write(`{"jsonrpc":"2.0","id":${id},"method":"status","params":{"a":${deep}}}\n`);
    expect(await client.until(() => true)).toMatchObject({ error: { code: expect.any(Number) } });
    expect((await client.ask("status")).result).toBeDefined();
  },
);

test("bytes that are no UTF-8 are a parse error, and the next line is understood [H05]", async () => {
  await using bench = await rpcBench();
  const client = await bench.connect();
  client.write(new Uint8Array([0x22, 0xff, 0xfe, 0x22, 0x0a]));
  expect(await client.until(() => true)).toMatchObject({ id: null, error: { code: -32700 } });
  expect((await client.ask("status")).result).toBeDefined();
});

test("a line may come in pieces, with CRLF, after blank ones, and many in one piece [H01][H05]", async () => {
  await using bench = await rpcBench();
  const client = await bench.connect();
  const line = `\r\n\n${status("1")}\r\n`;
  for (const byte of new TextEncoder().encode(line)) client.write(new Uint8Array([byte]));
  await client.until((each) => (each as Received).id === 1);
  client.write(`${status("2")}\n${status("3")}\n${status("4")}\n`);
  for (const id of [2, 3, 4]) await client.until((each) => (each as Received).id === id);
  expect(client.lines).toHaveLength(4);
});

test("line separators of other programs are text, both ways [H01]", async () => {
  await using bench = await rpcBench();
  const client = await bench.connect();
  const title = "a\u2028b\u2029c\u0085d\re";
  const { result } = await client.ask("session.create", { title });
  const { result: list } = await client.ask("session.list");
  expect(JSON.stringify(list)).toContain(String(result!["session_id"]));
  expect(client.lines).toHaveLength(2);
});

test("a notification gets no answer, not even for what is wrong with it [A-OUT-04][H05]", async () => {
  await using bench = await rpcBench();
  const client = await bench.connect();
  client.write('{"jsonrpc":"2.0","method":"status"}\n{"jsonrpc":"2.0","method":"nothing"}\n');
  client.write(
    '{"jsonrpc":"2.0","method":"prompt","params":{}}\n{"jsonrpc":"2.0","method":"prompt","params":[1]}\n',
  );
  await client.ask("status", undefined, "last");
  expect(client.lines).toHaveLength(1);
});

test("a batch is answered once, as a list, without the notifications in it [A-OUT-04][H05]", async () => {
  await using bench = await rpcBench();
  const client = await bench.connect();
  client.write(
    `[${status("1")},{"jsonrpc":"2.0","method":"status"},7,{"jsonrpc":"2.0","id":"b","method":"nothing"}]\n`,
  );
  const answers = (await client.until(Array.isArray)) as Received[];
  expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([
    [1, undefined],
    [null, -32600],
    ["b", -32601],
  ]);
  client.write('[{"jsonrpc":"2.0","method":"status"}]\n');
  await client.ask("status");
  expect(client.lines).toHaveLength(2);
});

test("a batch that is too long is refused as a whole [H05]", async () => {
  await using bench = await rpcBench();
  const client = await bench.connect();
  client.write(`[${Array(1_001).fill("1").join(",")}]\n`);
  expect(await client.until(() => true)).toMatchObject({ id: null, error: { code: -32600 } });
});

test("a line of 50 MB is refused without being kept, and the connection goes on [H05]", async () => {
  await using bench = await rpcBench();
  const client = await bench.connect();
  const piece = "x".repeat(1024 * 1024);
  for (let sent = 0; sent < 50; sent++) client.write(piece);
  client.write("\n");
  const answer = (await client.until(() => true)) as Received;
  expect(answer.error).toMatchObject({ code: -32600, message: expect.stringContaining("52428800 bytes") });
  expect((await client.ask("status")).result).toBeDefined();
});

test("a message without LF counts when the client ends its side, and half of one does not [H05]", async () => {
  await using bench = await rpcBench();
  const whole = await bench.connect({ halfOpen: true });
  whole.socket.end(status("1"));
  expect(await whole.until(() => true)).toMatchObject({ id: 1 });
  await whole.closed;
  const half = await bench.connect({ halfOpen: true });
  half.socket.end('{"jsonrpc":"2.0","id":2,"meth');
  expect(await half.until(() => true)).toMatchObject({ id: null, error: { code: -32700 } });
  await half.closed;
});

test("every method says which parameters it does not take [A-OUT-04]", async () => {
  await using bench = await rpcBench();
  const client = await bench.connect();
  for (const method of RPC_METHODS.keys())
    expect((await client.ask(method, { no_such: 1 })).error).toMatchObject({ code: -32602 });
});
