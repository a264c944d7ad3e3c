/**
 * An MCP server over stdio that does what its plan (JSON, as its argument) and the arguments of calls of `do` say, right or wrong. It knows
 * nothing of the product; everything that it is sent goes as JSON lines into the file `heard`.
 */
import { appendFileSync, existsSync, readFileSync } from "node:fs";

interface Plan {
  /** Every message that comes in. */
  heard?: string;
  /** Tools beside `do`, in this order. */
  tools?: Record<string, unknown>[];
  /** Tools a page; the last page leads to itself (`loop`) or to ever new ones (`endless`). */
  page?: number;
  pages?: "loop" | "endless";
  /** The list is given when this file is there. */
  listWhen?: string;
  /** `modern`: it knows only the protocol of 2026-07-28, without that handshake. */
  initialize?: "never" | "refuse" | "version" | "die" | "modern" | "nameless";
  /** In the place of the list of tools. */
  list?: unknown;
  /** Before every message: lines that are none. */
  garbage?: boolean;
  /** Once, at the start. */
  stderr?: string;
  flood?: number;
  /** It goes on after the end of its input and SIGTERM. */
  stubborn?: boolean;
  /** Starts a child of its own that outlives it. */
  child?: boolean;
  prompts?: Record<string, unknown>[];
  resources?: Record<string, unknown>[];
}

type Message = { id?: string | number; method?: string; params?: Record<string, unknown>; result?: unknown };

const [, , given = "{}"] = process.argv;
// A long plan stands in a file: `@FILE`.
const plan = JSON.parse(given.startsWith("@") ? readFileSync(given.slice(1), "utf8") : given) as Plan;
let meanwhile: typeof tools | undefined;
let tools = [
  {
    name: "do",
    description: "Does what it is told",
    inputSchema: { type: "object", properties: { what: { type: "string" }, text: { type: "string" } } },
  },
  ...(plan.tools ?? []),
];
let asked = 1000;
/** What results of the newer protocol have besides. */
const COMPLETE = { resultType: "complete", ttlMs: 0, cacheScope: "private" };
const answers = new Map<string | number, (message: Message) => void>();

if (plan.stubborn) process.on("SIGTERM", () => undefined);
if (plan.stderr !== undefined) process.stderr.write(`${plan.stderr}\n`);
for (let line = 0; line < (plan.flood ?? 0); line++) process.stderr.write(`flood ${line} ${"x".repeat(200)}\n`);
if (plan.child) Bun.spawn(["sleep", "600"], { stdin: "ignore", stdout: "inherit", stderr: "ignore" });

function send(message: object): void {
  const whole = plan.initialize === "modern" && "result" in message;
  const sent = whole ? { ...message, result: { ...COMPLETE, ...(message.result as object) } } : message;
  const garbage = plan.garbage ? 'Listening on port 1\n{"no":"message"}\n{broken\n\n' : "";
  process.stdout.write(`${garbage}${JSON.stringify({ jsonrpc: "2.0", ...sent })}\n`);
}

function ask(method: string, params: object): Promise<Message> {
  const id = `ask-${asked++}`;
  send({ id, method, params });
  return new Promise((resolve) => answers.set(id, resolve));
}

async function there(file: string): Promise<void> {
  while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 5));
}

function text(value: string) {
  return { content: [{ type: "text", text: value }] };
}

async function act(id: string | number, params: Record<string, unknown>): Promise<void> {
  const { what, text: given = "" } = (params["arguments"] ?? {}) as { what?: string; text?: string };
  const token = (params["_meta"] as { progressToken?: unknown } | undefined)?.progressToken;
  switch (what) {
    case "hang":
      return;
    case "die":
      process.stderr.write("fatal: out of cheese\n");
      process.exit(3);
      break;
    case "progress":
      for (let step = 1; step <= 3; step++)
        send({
          method: "notifications/progress",
          params: { progressToken: token, progress: step, total: 3, message: `step ${step}` },
        });
      return send({ id, result: text("three steps") });
    case "keep-busy": {
      // Progress until the file is there.
      const timer = setInterval(
        () => send({ method: "notifications/progress", params: { progressToken: token, progress: performance.now() } }),
        5,
      );
      await there(given);
      clearInterval(timer);
      return send({ id, result: text("done at last") });
    }
    case "pieces": {
      const line = `${JSON.stringify({ jsonrpc: "2.0", id, result: text("日本語 🎉 é\u2028") })}\n`;
      for (const byte of new TextEncoder().encode(line)) process.stdout.write(new Uint8Array([byte]));
      return;
    }
    case "big":
      return send({ id, result: text("0123456789\n".repeat(30_000)) });
    case "images":
      return send({
        id,
        result: { content: Array.from({ length: 1000 }, () => ({ type: "image", mimeType: "image/png", data: given })) },
      });
    case "content":
      return send({ id, result: JSON.parse(given) });
    case "fail":
      return send({ id, result: { ...text("no such thing"), isError: true } });
    case "refuse":
      return send({ id, error: { code: -32602, message: "bad arguments" } });
    case "strange-id":
      send({ id: 4711, result: text("for somebody else") });
      return send({ id, result: text("for you") });
    case "raw":
      // The answer as it is given, with the request's id in the place of ID.
      return void process.stdout.write(`${given.replace("ID", JSON.stringify(id))}\n`);
    case "twice":
      send({ id, result: text("first") });
      return send({ id, result: text("second") });
    case "environment":
      return send({ id, result: text(JSON.stringify({ ...process.env, cwd: process.cwd() })) });
    case "roots":
      return send({ id, result: text(JSON.stringify((await ask("roots/list", {})).result)) });
    case "sample":
      return send({ id, result: text(JSON.stringify(await ask("sampling/createMessage", { messages: [], maxTokens: 1 }))) });
    case "elicit":
      return send({
        id,
        result: text(
          JSON.stringify((await ask("elicitation/create", JSON.parse(given) as object)).result),
        ),
      });
    case "ping":
      return send({ id, result: text(JSON.stringify(await ask("ping", {}))) });
    case "retool":
      tools = JSON.parse(given);
      send({ id, result: text("changed") });
      return send({ method: "notifications/tools/list_changed" });
    case "retool-meanwhile":
      // They change once more while they are read: the answer that is on its way is old.
      meanwhile = JSON.parse(given);
      send({ id, result: text("changed") });
      return send({ method: "notifications/tools/list_changed" });
    case "log":
      send({ method: "notifications/message", params: { level: "warning", logger: "fake", data: given } });
      return send({ id, result: text("logged") });
    default:
      return send({ id, result: text(given === "" ? JSON.stringify(params["arguments"] ?? {}) : given) });
  }
}

function answerList(id: number | string, params: Record<string, unknown>): void {
  const result = list(params);
  if (meanwhile !== undefined) {
    tools = meanwhile;
    meanwhile = undefined;
    send({ method: "notifications/tools/list_changed" });
  }
  send({ id, result });
}

function list(params: Record<string, unknown>) {
  if ("list" in plan) return { tools: plan.list };
  if (plan.page === undefined) return { tools };
  const from = Number(params["cursor"] ?? 0);
  const page = tools.slice(from % tools.length, (from % tools.length) + plan.page);
  const next = from + plan.page;
  if (next < tools.length) return { tools: page, nextCursor: String(next) };
  if (plan.pages === "loop") return { tools: page, nextCursor: "0" };
  return plan.pages === "endless" ? { tools: page, nextCursor: String(next) } : { tools: page };
}

async function take(message: Message): Promise<void> {
  const { id, method, params = {} } = message;
  if (plan.heard !== undefined) appendFileSync(plan.heard, `${JSON.stringify(message)}\n`);
  if (method === undefined) return answers.get(id!)?.(message);
  if (id === undefined) return;
  switch (method) {
    case "initialize": {
      if (plan.initialize === "never") return;
      if (plan.initialize === "die") process.exit(1);
      if (plan.initialize === "modern") return send({ id, error: { code: -32601, message: "no initialize" } });
      if (plan.initialize === "refuse") return send({ id, error: { code: -32603, message: "not today" } });
      const version = plan.initialize === "version" ? "1999-01-01" : params["protocolVersion"];
      return send({
        id,
        result: {
          protocolVersion: version,
          capabilities: capabilities(),
          ...(plan.initialize === "nameless" ? {} : { serverInfo: { name: "fake", version: "1" } }),
        },
      });
    }
    case "server/discover":
      if (plan.initialize !== "modern") break;
      return send({
        id,
        result: {
          supportedVersions: ["2026-07-28"],
          capabilities: capabilities(),
          serverInfo: { name: "fake", version: "2" },
        },
      });
    case "tools/list":
      if (plan.listWhen !== undefined) await there(plan.listWhen);
      return answerList(id, params);
    case "tools/call":
      return act(id, params);
    case "prompts/list":
      return send({ id, result: { prompts: plan.prompts } });
    case "prompts/get":
      return send({
        id,
        result: { messages: [{ role: "user", content: { type: "text", text: `Prompt ${JSON.stringify(params)}` } }] },
      });
    case "completion/complete":
      return send({ id, result: { completion: { values: ["one", "two words"] } } });
    case "resources/list":
      return send({ id, result: { resources: plan.resources } });
    case "resources/read":
      return send({ id, result: { contents: [{ uri: params["uri"], mimeType: "text/plain", text: "the content" }] } });
    case "ping":
      return send({ id, result: {} });
  }
  send({ id, error: { code: -32601, message: `no ${method}` } });
}

function capabilities(): object {
  return {
    tools: { listChanged: true },
    logging: {},
    ...(plan.prompts === undefined ? {} : { prompts: {}, completions: {} }),
    ...(plan.resources === undefined ? {} : { resources: {} }),
  };
}

let rest = "";
const decoder = new TextDecoder();
process.stdin.on("data", (bytes: Uint8Array) => {
  const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
  rest = lines.pop()!;
  for (const line of lines) void take(JSON.parse(line) as Message);
});
process.stdin.on("end", () => {
  if (plan.stubborn) setInterval(() => undefined, 1_000);
  else process.exit(0);
});
