import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { explainSuppressedErrors } from "../suppressed.ts";
import type { Block } from "./blocks.ts";
import { catalogAnswer, defaultModels, type ListedModel } from "./catalog.ts";
import { anthropic } from "./dialects/anthropic.ts";
import type { Dialect } from "./dialects/dialect.ts";
import { gemini } from "./dialects/gemini.ts";
import { ollama } from "./dialects/ollama.ts";
import { openaiChat } from "./dialects/openai-chat.ts";
import { openaiResponses } from "./dialects/openai-responses.ts";
import { bodyProblems } from "./invariants/body.ts";
import { streamProblems } from "./invariants/stream.ts";
import { Issued } from "./issued.ts";
import { play } from "./player.ts";
import { fieldAt, type OtherRequest, type RecordedRequest } from "./recorded-request.ts";
import { type Match, type Rule, Script } from "./script.ts";
import { type Bill, UsageMeter } from "./usage-meter.ts";
import { type Fields, fields, type Wire } from "./wire.ts";

const DIALECTS: readonly Dialect[] = [anthropic, openaiResponses, openaiChat, gemini, ollama];
/** Only ends a hung test. */
const HANG_GUARD_MS = 60_000;

/** A scripted model service for all five wires on one loopback port. Made by `modelServer`. */
export class ModelServer implements AsyncDisposable {
  readonly requests: RecordedRequest[] = [];
  readonly otherRequests: OtherRequest[] = [];
  /** What real services would have refused, one line each. */
  readonly problems: string[] = [];
  /** The models that lists and `/api/show` tell of. */
  models: ListedModel[] = defaultModels();
  readonly #server: Server;
  readonly #script = new Script();
  readonly #issued = new Issued();
  readonly #meter = new UsageMeter();
  readonly #failures: string[] = [];
  readonly #playing = new Set<Promise<void>>();
  readonly #waiters = new Set<() => void>();
  #allowed = false;
  #aborted = 0;
  #closing = false;

  constructor(server: Server) {
    this.#server = server;
    server.on("request", (message: IncomingMessage, response: ServerResponse) => {
      const work = this.#serve(message, response).catch((error: unknown) => {
        this.#failures.push(error instanceof Error ? error.message : String(error));
        response.destroy();
      });
      this.#playing.add(work);
      void work.finally(() => this.#playing.delete(work));
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The base URL a client of this wire is configured with. */
  baseUrl(wire: Wire): string {
    return wire.startsWith("openai-") ? `${this.url}/v1` : this.url;
  }

  /** Answers the next request that no rule matches. Calls queue up. */
  reply(...blocks: Block[]): void {
    this.#script.enqueue(blocks);
  }

  /** Answers requests that match, before the queue is asked. Rules are tried in the order in which they were made. */
  when(match: Match): Rule {
    return this.#script.when(match);
  }

  /** Answers what neither a rule nor the queue answers. */
  otherwise(answer: (request: RecordedRequest) => Block[]): void {
    this.#script.otherwise(answer);
  }

  /** The n-th request for an answer, counted from 1; throws when there is none. */
  request(n: number): RecordedRequest {
    const found = this.requests[n - 1];
    if (!found) throw new Error(`request ${n} was never made: the server got ${this.requests.length}`);
    return found;
  }

  /** The tokens of all answers, as reported. */
  get bill(): Readonly<Bill> {
    return this.#meter.bill;
  }

  /** Connections that the client closed before their answer was complete. */
  get aborted(): number {
    return this.#aborted;
  }

  /** For tests that send bad requests on purpose: problems no longer fail the disposal. */
  allowProblems(): void {
    this.#allowed = true;
  }

  /** Waits until n requests have arrived; gives the n-th. */
  async waitFor(n: number): Promise<RecordedRequest> {
    await this.#until(
      () => this.requests.length >= n,
      () => `${n} requests; ${this.requests.length} came`,
    );
    return this.request(n);
  }

  /** Waits until the client has dropped n connections. */
  async waitForAborted(n = 1): Promise<void> {
    await this.#until(
      () => this.#aborted >= n,
      () => `${n} dropped connections; there were ${this.#aborted}`,
    );
  }

  /** Closes every connection and the port; throws when the script and what happened do not agree. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing = true;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await Promise.all(this.#playing);
    await closed;
    const complaints = [
      ...(this.#allowed ? [] : this.problems),
      ...this.#failures,
      ...this.#script.leftovers(),
    ];
    if (complaints.length > 0) throw new Error(`model server:\n- ${complaints.join("\n- ")}`);
  }

  async #until(done: () => boolean, wanted: () => string): Promise<void> {
    if (done()) return;
    await new Promise<void>((resolve, reject) => {
      const check = (): void => {
        if (!done()) return;
        clearTimeout(guard);
        this.#waiters.delete(check);
        resolve();
      };
      const guard = setTimeout(() => {
        this.#waiters.delete(check);
        reject(new Error(`model server: waited for ${wanted()}`));
      }, HANG_GUARD_MS);
      this.#waiters.add(check);
    });
  }

  #notify(): void {
    for (const check of [...this.#waiters]) check();
  }

  async #serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = await readBody(message);
    const path = message.url ?? "/";
    const plainPath = path.split("?")[0] ?? path;
    const dialect =
      message.method === "POST" ? DIALECTS.find((candidate) => candidate.serves(plainPath)) : undefined;
    if (!dialect) {
      this.#serveOther(message, plainPath, bytes, response);
      return;
    }
    const request = record(message, dialect, bytes, plainPath);
    this.requests.push(request);
    const number = this.requests.length;
    response.on("close", () => {
      if (!response.writableFinished && !this.#closing && !cutByScript) this.#aborted++;
      this.#notify();
    });
    let cutByScript = false;
    const problems = [
      ...bodyProblems(bytes),
      ...dialect.problems(request, this.#issued),
      ...streamProblems(dialect.wire, request.body),
    ];
    const refused = problems[0];
    if (refused !== undefined) {
      this.problems.push(...problems.map((problem) => `request ${number} (${dialect.wire}): ${problem}`));
      this.#notify();
      sendJson(response, 400, dialect.errorBody(400, undefined, refused), dialect.headers(number));
      return;
    }
    const blocks = this.#script.answer(request);
    this.#notify();
    if (!blocks) {
      const text = `no reply was scripted for request ${number} (${dialect.wire}): ${lastWords(request)}`;
      this.#failures.push(text);
      sendJson(response, 400, dialect.errorBody(400, undefined, text), dialect.headers(number));
      return;
    }
    cutByScript = blocks.some((block) => block.kind === "cut");
    const usage = this.#meter.count(request, blocks);
    await play({
      request,
      number,
      blocks,
      dialect,
      usage,
      issued: this.#issued,
      response,
      charged: () => this.#meter.charge(usage),
    });
  }

  #serveOther(message: IncomingMessage, path: string, bytes: Uint8Array, response: ServerResponse): void {
    const headers = headersOf(message);
    const method = message.method ?? "GET";
    const body = parsed(new TextDecoder().decode(bytes));
    this.otherRequests.push({ method, path: message.url ?? "/", headers, body, at: Date.now() });
    const answer = catalogAnswer(method, path, "anthropic-version" in headers, body, this.models);
    if (answer) sendJson(response, answer.status, answer.body, {});
    else sendJson(response, 404, { error: { message: `no such path: ${method} ${path}` } }, {});
  }
}

/** Starts a scripted model service on 127.0.0.1 and a free port. Dispose of it with `await using`. */
export async function modelServer(): Promise<ModelServer> {
  explainSuppressedErrors();
  const server = createServer();
  const made = new ModelServer(server);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  return made;
}

async function readBody(message: IncomingMessage): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of message) chunks.push(chunk as Uint8Array);
  return new Uint8Array(Buffer.concat(chunks));
}

function headersOf(message: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(message.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(", ") : (value ?? ""),
    ]),
  );
}

function parsed(text: string): Fields {
  try {
    return fields(JSON.parse(text));
  } catch {
    // not JSON: the validation says so
    return {};
  }
}

function record(
  message: IncomingMessage,
  dialect: Dialect,
  bytes: Uint8Array,
  plainPath: string,
): RecordedRequest {
  const text = new TextDecoder().decode(bytes);
  const body = parsed(text);
  return {
    ...dialect.read(body, plainPath),
    wire: dialect.wire,
    method: message.method ?? "POST",
    path: message.url ?? plainPath,
    headers: headersOf(message),
    body,
    text,
    bytes,
    at: Date.now(),
    field: (...path) => fieldAt(body, path),
  };
}

function lastWords(request: RecordedRequest): string {
  const words = request.results.at(-1)?.text ?? request.userTexts.at(-1) ?? request.text;
  return JSON.stringify(words.slice(0, 200));
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: Fields,
  headers: Record<string, string>,
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}
