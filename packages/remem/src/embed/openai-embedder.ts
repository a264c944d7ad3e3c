import type { Embedder, EmbeddingSpace } from "../core/ports/embedder.ts";
import { EmbedderError } from "./embedder-error.ts";
import { spaceFingerprint } from "./fingerprint.ts";
import { readAnswer } from "./openai/answer.ts";
import { type Endpoint, endpointOf } from "./openai/endpoint.ts";
import { requestEmbeddings } from "./openai/request.ts";

export interface OpenAIEmbedderOptions {
  /** With its version, such as `https://api.openai.com/v1` or `http://127.0.0.1:11434/v1` (Ollama). */
  readonly baseUrl: string;
  readonly model: string;
  /** Length of the model's vectors. */
  readonly dimensions: number;
  /** Asks the service for vectors of `dimensions`; only for models that can shorten theirs. Default false. */
  readonly shorten?: boolean;
  /** Sent as bearer token, to this host only. It is never read from the environment. */
  readonly apiKey?: string;
  /** What the model wants before a question and before a text that is found. Default: nothing. */
  readonly queryInstruction?: string;
  readonly documentInstruction?: string;
  /** How much the vectors count against words, 0 to 1. Default 0.4. */
  readonly weight?: number;
  /** Texts a request. Default 64. */
  readonly batch?: number;
  /** For one attempt. Default 30,000. */
  readonly timeoutMs?: number;
  /** For documents; a question is asked once, because somebody waits for it. Default 3. */
  readonly attempts?: number;
  /** Waits between attempts, injected so that tests need not. */
  readonly wait?: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
}

/** Static vectors are best at 0.3; sentence embeddings know more and deserve more, and most questions are still answered by their words. */
const MODEL_WEIGHT = 0.4;
/** UTF-16 units of a text that are sent: within the 8,192 tokens that most services take, in any script. */
const LONGEST_TEXT = 6_000;

/** Embeddings of any service that speaks OpenAI's `/embeddings`. Rejects with an EmbedderError, which names the host and the status. */
export class OpenAIEmbedder implements Embedder {
  readonly immediate = false;
  readonly space: EmbeddingSpace;
  readonly #options: OpenAIEmbedderOptions;
  readonly #endpoint: Endpoint;

  /** Throws an EmbedderError for settings that cannot work. */
  constructor(options: OpenAIEmbedderOptions) {
    const { model, dimensions } = options;
    if (!Number.isInteger(dimensions) || dimensions < 1)
      throw new EmbedderError(
        "bad_settings",
        `the dimensions of the embedding model are ${dimensions}, which is no length of a vector`,
        "set them to the number its documentation names, such as 1536",
      );
    this.#options = options;
    this.#endpoint = endpointOf(options.baseUrl);
    this.space = {
      fingerprint: spaceFingerprint("openai", [
        this.#endpoint.url,
        model,
        dimensions,
        options.queryInstruction ?? "",
        options.documentInstruction ?? "",
      ]),
      dimensions,
      weight: options.weight ?? MODEL_WEIGHT,
    };
  }

  async embed(
    texts: readonly string[],
    purpose: "document" | "query",
    signal?: AbortSignal,
  ): Promise<Float32Array[]> {
    const { batch = 64 } = this.#options;
    const vectors: Float32Array[] = [];
    for (let start = 0; start < texts.length; start += batch)
      vectors.push(...(await this.#embedBatch(texts.slice(start, start + batch), purpose, signal)));
    return vectors;
  }

  /** Services refuse blank texts, so these are not sent: they have no vector. */
  async #embedBatch(
    texts: readonly string[],
    purpose: "document" | "query",
    signal: AbortSignal | undefined,
  ): Promise<Float32Array[]> {
    const { dimensions } = this.space;
    const sent = texts.filter((text) => text.trim() !== "");
    const made = sent.length === 0 ? [] : await this.#ask(sent, purpose, signal);
    let next = 0;
    return texts.map((text) => (text.trim() === "" ? new Float32Array(dimensions) : made[next++]!));
  }

  async #ask(
    texts: readonly string[],
    purpose: "document" | "query",
    signal: AbortSignal | undefined,
  ): Promise<Float32Array[]> {
    const { model, apiKey, shorten, attempts = 3, timeoutMs = 30_000, wait = pause } = this.#options;
    const { queryInstruction = "", documentInstruction = "" } = this.#options;
    const { dimensions } = this.space;
    const instruction = purpose === "query" ? queryInstruction : documentInstruction;
    const answer = await requestEmbeddings({
      endpoint: this.#endpoint,
      apiKey,
      body: {
        model,
        input: texts.map((text) => instruction + text.slice(0, LONGEST_TEXT).toWellFormed()),
        encoding_format: "float",
        ...(shorten === true ? { dimensions } : {}),
      },
      attempts: purpose === "query" ? 1 : attempts,
      timeoutMs,
      wait,
      signal,
    });
    return readAnswer(answer, { host: this.#endpoint.host, count: texts.length, dimensions });
  }
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, milliseconds);
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
