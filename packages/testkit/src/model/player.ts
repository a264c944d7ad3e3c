import type { ServerResponse } from "node:http";
import type { Block, UsageNumbers } from "./blocks.ts";
import type { Dialect, Encoder } from "./dialects/dialect.ts";
import type { Issued } from "./issued.ts";
import type { RecordedRequest } from "./recorded-request.ts";

/** Everything one answer needs. */
export interface Performance {
  request: RecordedRequest;
  number: number;
  blocks: readonly Block[];
  dialect: Dialect;
  usage: UsageNumbers;
  issued: Issued;
  response: ServerResponse;
  /** Called when the numbers have been reported, before the last frame goes out. */
  charged(): void;
}

/** Plays one scripted answer into a response; returns when it is over or the client has gone. */
export async function play(performance: Performance): Promise<void> {
  const { blocks, response } = performance;
  const first = blocks[0];
  if (first?.kind === "fail") {
    sendFailure(performance, first);
    return;
  }
  if (blocks.some((block) => block.kind === "fail"))
    throw new Error("fail() must be the first block of a reply: a status cannot follow a body");
  const writer = new BodyWriter(response, performance);
  const encoder = performance.dialect.encoder(performance);
  let stop: string | undefined;
  for (const block of blocks) if (block.kind === "stop") stop = block.reason;
  for (const block of blocks) {
    if (response.destroyed) return;
    if (await writer.perform(block, encoder)) return;
  }
  const last = encoder.finish(stop);
  performance.charged();
  await writer.begin(encoder);
  for (const frame of last) await writer.text(frame);
  if (!response.destroyed) response.end();
}

function sendFailure(performance: Performance, block: Extract<Block, { kind: "fail" }>): void {
  const { dialect, response, number } = performance;
  const body = block.body ?? dialect.errorBody(block.status, undefined, `scripted failure ${block.status}`);
  response.writeHead(block.status, {
    "content-type": typeof body === "string" ? "text/html" : "application/json",
    ...dialect.headers(number),
    ...block.headers,
  });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

const gone = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => (response.destroyed ? resolve() : response.once("close", () => resolve())));

class BodyWriter {
  readonly #response: ServerResponse;
  readonly #performance: Performance;
  #begun = false;
  #size: number | undefined;

  constructor(response: ServerResponse, performance: Performance) {
    this.#response = response;
    this.#performance = performance;
  }

  /** Does one block; true when the answer is over with it. */
  async perform(block: Block, encoder: Encoder): Promise<boolean> {
    switch (block.kind) {
      case "usage":
      case "stop":
        return false;
      case "splitBytes":
        this.#size = block.size;
        return false;
      case "hold":
        await Promise.race([block.until, gone(this.#response)]);
        return false;
      case "hang":
        await gone(this.#response);
        return true;
      case "cut":
        await this.#flushed();
        this.#response.socket?.destroy();
        this.#response.destroy();
        return true;
      case "end":
        await this.begin(encoder);
        this.#response.end();
        return true;
      case "streamError":
        await this.begin(encoder);
        for (const frame of encoder.failure(block.type, block.message)) await this.text(frame);
        this.#response.end();
        return true;
      case "bytes":
        await this.begin(encoder);
        this.#performance.issued.sendRaw(block.data);
        await this.#write(block.data);
        return false;
      case "comment":
      case "ping":
        await this.begin(encoder);
        for (const frame of block.kind === "ping" ? encoder.ping() : encoder.comment(block.text))
          await this.text(frame);
        return false;
      case "fail":
        return true;
      default:
        await this.begin(encoder);
        for (const frame of encoder.content(block)) await this.text(frame);
        return false;
    }
  }

  /** Sends the headers and the opening frames, once. */
  async begin(encoder: Encoder): Promise<void> {
    if (this.#begun) return;
    this.#begun = true;
    const { dialect, number } = this.#performance;
    this.#response.writeHead(200, {
      "content-type": dialect.contentType,
      "cache-control": "no-cache",
      ...dialect.headers(number),
    });
    this.#response.flushHeaders();
    for (const frame of encoder.begin()) await this.text(frame);
  }

  text(frame: string): Promise<void> {
    return this.#write(new TextEncoder().encode(frame));
  }

  async #write(data: Uint8Array): Promise<void> {
    const size = this.#size ?? data.length;
    for (let at = 0; at < data.length && !this.#response.destroyed; at += size) {
      this.#response.write(data.subarray(at, at + size));
      if (this.#size === undefined) continue;
      // A piece should reach its reader alone. A timer makes that nearly sure but slow: kept for cut characters.
      const inCharacter = ((data[at + size] ?? 0) & 0xc0) === 0x80;
      if (inCharacter || data.length / size <= 8) await this.#flushed();
      else await this.#turn();
    }
  }

  /** Two looks at the network: one writes, one lets a reader in this process read. */
  async #turn(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** Time in which written bytes leave. */
  #flushed(): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, 2));
  }
}
