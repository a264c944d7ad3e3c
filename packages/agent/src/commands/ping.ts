import type { CommandDefinition, CommandResult } from "../contract/command.ts";
import type { JsonObject } from "../contract/json.ts";
import { textOf } from "../contract/messages.ts";
import type { ModelClient, ModelError, ModelInfo, ModelRequest } from "../contract/model.ts";
import type { Clock } from "../contract/services.ts";
import type { Notice } from "../contract/settings.ts";

/** The model that a prompt would go to now, opened in the same way. */
export interface PingTarget {
  model: ModelInfo;
  /** Fit to be shown: without passwords and keys. */
  baseUrl: string;
  /** `masked` shows a few letters of the key at most. */
  key: { variable: string; source: string; masked: string } | null;
  client: ModelClient;
  notices: readonly Notice[];
}

export interface PingPorts {
  ping: {
    /** Throws what a prompt would meet before its first request: no key, an unknown model. */
    target(): Promise<PingTarget>;
    clock: Pick<Clock, "now">;
    /** How long an answer may take, in milliseconds; a service that says nothing must not be waited for without end. 0: no limit. */
    patienceMs: number;
  };
}

const QUESTION = "Reply with the single word: pong";

/**
 * `pi ping [text]`: one small request on the way that prompts take, never repeated, and what came of it: where it went, with which
 * key, how long it took. Exits with 1 when the model did not answer (in time), 130 when interrupted.
 */
export const pingCommand: CommandDefinition<PingPorts> = {
  name: "ping",
  summary: "ask the model for one word, and show where the request went and how long it took",
  usage: "pi ping [text]",
  options: [],
  accepts: ({ words, options }) => words.length <= 1 && Object.keys(options).length === 0,
  async run({ words }, { ping }, signal) {
    const target = await ping.target();
    const patience = ping.patienceMs > 0 ? AbortSignal.timeout(ping.patienceMs) : null;
    const until = patience === null ? signal : AbortSignal.any([signal, patience]);
    const answer = await ask(target, words[0] ?? QUESTION, ping.clock, until);
    if (patience?.aborted && !signal.aborted) answer.error = tooSlow(ping.patienceMs);
    return report(target, answer, signal.aborted);
  },
};

interface Answer {
  text: string;
  firstMs: number | null;
  totalMs: number;
  tokens: { input: number; output: number } | null;
  error: ModelError | null;
}

function tooSlow(patienceMs: number): ModelError {
  return {
    code: "idle",
    message: `no answer within ${patienceMs / 1_000} s`,
    hint: "A model that must be loaded first may need longer: pi ping --timeout 300",
    retryable: true,
  };
}

async function ask(
  { client, model }: PingTarget,
  text: string,
  clock: Pick<Clock, "now">,
  signal: AbortSignal,
): Promise<Answer> {
  const request: ModelRequest = {
    model,
    system: "You are a connection test. Answer in one short line.",
    tools: [],
    messages: [{ role: "user", parts: [{ type: "text", text }], origin: "user" }],
    thinking: "off",
  };
  const started = clock.now();
  const answer: Answer = { text: "", firstMs: null, totalMs: 0, tokens: null, error: null };
  for await (const event of client.stream(request, signal)) {
    answer.firstMs ??= clock.now() - started;
    if (event.type === "error") answer.error = event.error;
    if (event.type !== "end") continue;
    const { usage } = event.message;
    answer.text = textOf(event.message.parts);
    answer.tokens = { input: usage.input + usage.cache_read + usage.cache_write, output: usage.output };
  }
  answer.totalMs = clock.now() - started;
  return answer;
}

function report(target: PingTarget, answer: Answer, aborted: boolean): CommandResult {
  const { model, key } = target;
  const alive = answer.error === null && answer.text.trim() !== "";
  const outcome = aborted
    ? "interrupted"
    : alive
      ? "alive"
      : (answer.error?.message ?? "the answer was empty");
  const rows = [
    ["model", `${model.provider}/${model.id}`],
    ["address", `${target.baseUrl} (${model.wire})`],
    ["key", key ? `${key.variable} from ${key.source}: ${key.masked}` : "none"],
    ["first output", answer.firstMs === null || answer.error ? "-" : `${Math.round(answer.firstMs)} ms`],
    ["total", `${Math.round(answer.totalMs)} ms`],
    ["tokens", answer.tokens ? `${answer.tokens.input} in, ${answer.tokens.output} out` : "-"],
    ["reply", answer.text ? [...answer.text.replaceAll(/\s+/g, " ").trim()].slice(0, 80).join("") : "-"],
    ["result", outcome],
  ];
  if (answer.error?.hint) rows.push(["hint", answer.error.hint]);
  const data: JsonObject = {
    alive,
    provider: model.provider,
    model: model.id,
    wire: model.wire,
    url: target.baseUrl,
    key: key ? { ...key } : null,
    first_ms: answer.firstMs,
    total_ms: answer.totalMs,
    tokens: answer.tokens,
    reply: answer.text,
    ...(answer.error
      ? {
          error: {
            code: answer.error.code,
            message: answer.error.message,
            ...(answer.error.status === undefined ? {} : { status: answer.error.status }),
            ...(answer.error.hint === undefined ? {} : { hint: answer.error.hint }),
          },
        }
      : {}),
  };
  return {
    exitCode: aborted ? 130 : alive ? 0 : 1,
    blocks: [
      ...target.notices.map(({ message }) => ({ kind: "text" as const, text: message })),
      { kind: "table", head: [], rows },
    ],
    data,
  };
}
