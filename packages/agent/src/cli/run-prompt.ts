import type { Config } from "../config/config.ts";
import { errorMessage, isPiError } from "../contract/errors.ts";
import type { AgentEvent } from "../contract/events.ts";
import type { UserMessage } from "../contract/messages.ts";
import { runJsonMode } from "../modes/json/json-mode.ts";
import { runPrintMode } from "../modes/print/print-mode.ts";
import { exitCode } from "../modes/shared/exit-code.ts";
import type { Streams } from "../modes/shared/surface.ts";
import { visibleText } from "../modes/shared/visible-text.ts";
import type { App } from "./app.ts";
import { expandPrompt } from "./expand-prompt.ts";
import type { Flags } from "./flags.ts";
import type { Interruptions } from "./interruption.ts";
import { logEvents } from "./log-events.ts";
import type { Notices } from "./notices.ts";
import { openApp } from "./open-app.ts";
import { resumeSession } from "./open-session.ts";
import type { Place } from "./place.ts";
import type { ChosenModel } from "./run-setup.ts";
import { loadSettings } from "./settings.ts";

/** What one run is made of. */
export interface RunParts {
  prompt: string;
  flags: Flags;
  mode: "print" | "json";
  place: Place;
  streams: Streams;
  interruptions: Interruptions;
  notices: Notices;
  /** The model, where it is not to be chosen (`pi demo`). */
  given?: ChosenModel;
}

/** Answers one prompt in print or JSON mode. Returns the exit code; throws a PiError for what fails before any request. */
export async function runPrompt(parts: RunParts): Promise<number> {
  const { prompt, flags, mode, streams, interruptions, notices } = parts;
  const { app, retention } = await prepare(parts);
  try {
    const text = await expandPrompt(app, prompt, interruptions.signal);
    app.memory.typedPart(text, text === prompt ? typedWords(flags) : "");
    app.logger.log({ type: "user", content: text });
    const input: UserMessage = { role: "user", origin: "user", parts: [{ type: "text", text }] };
    const { signal } = interruptions;
    signal.addEventListener("abort", () => {
      if (interruptions.cause === "timeout")
        notices.warn(`the run was stopped after ${flags.timeoutSeconds} s (--timeout)`);
    });
    const run = flags.debug ? tellMore(app, signal, input, streams) : app.runner.run(input, signal);
    const events = notices.within(logEvents(run, app.logger));
    const end =
      mode === "json"
        ? await runJsonMode(events, app.session.id, streams)
        : await runPrintMode(events, streams);
    const code = exitCode(end.stop, end.text, interruptions.cause);
    // What could not be saved must not look like success.
    return code === 0 && app.session.degraded ? 1 : code;
  } finally {
    await app.close();
    if (!flags.noSession && (retention.days > 0 || retention.maxBytes > 0)) {
      const { keepWithin } = await import("./sessions/keep-within.ts");
      notices.add(...(await keepWithin(retention, parts.place.home, app.session.id, interruptions.signal)));
    }
    // What failed while closing has no place among the events any more.
    for (const { level, message } of notices.take()) await streams.err(`${level}: ${visibleText(message)}\n`);
  }
}

/** Longer ones were put together by a program (an issue's text in an argument, say). Characters. */
const MOST_TYPED = 4_000;

/** What a person wrote of the prompt: the words of the command line, and nothing that was piped in. */
function typedWords({ words }: Flags): string {
  const typed = words.join(" ");
  return typed.length > MOST_TYPED ? "" : typed;
}

/** `--debug`: where the session is, and what each turn and the whole run used, on stderr. */
async function* tellMore(
  app: App,
  signal: AbortSignal,
  input: UserMessage,
  streams: Streams,
): AsyncGenerator<AgentEvent> {
  await streams.err(`debug: session ${app.session.id} in ${app.session.folder ?? "memory"}\n`);
  for await (const event of app.runner.run(input, signal)) {
    yield event;
    if (event.type === "message_start") await streams.err(`debug: model ${event.provider}/${event.model}\n`);
    if (event.type !== "turn_end" && event.type !== "message_end") continue;
    const { input: fresh, output, cache_read, cache_write, cost_usd } = event.usage;
    const cost = cost_usd === undefined ? "" : `, $${cost_usd.toFixed(4)}`;
    const what =
      event.type === "turn_end"
        ? `turn ${event.turn}`
        : `all (turns: ${event.turns}, ${event.duration_ms} ms)`;
    await streams.err(
      `debug: ${what}, ${event.stop_reason}: ${fresh} in, ${cache_read} cached, ${cache_write} to cache, ${output} out${cost}\n`,
    );
  }
}

async function prepare({
  flags,
  mode,
  place,
  notices,
  given,
}: RunParts): Promise<{ app: App; retention: Config["retention"] }> {
  const { environment, home, cwd } = place;
  const settings = await loadSettings(flags, environment, cwd, home, notices, { mode });
  const resumed = await resumeSession(flags, cwd, home, notices);
  const app = await openApp({ flags, settings, place, mode, notices, resumed, given });
  return { app, retention: settings.config.retention };
}

/** In JSON mode a failure before any request is told as events too, so that a reader of the stream sees why it ended. */
export function failureEvents(error: unknown, cwd: string): AgentEvent[] {
  const known = isPiError(error) ? error : null;
  return [
    { type: "message_start", agent: "pi", model: "", provider: "", role: "assistant", cwd },
    {
      type: "error",
      code: known?.code ?? "internal",
      message: errorMessage(error),
      ...(known?.hint === undefined ? {} : { hint: known.hint }),
      retryable: false,
    },
    {
      type: "message_end",
      stop_reason: known?.code === "aborted" ? "aborted" : "error",
      text: "",
      turns: 0,
      usage: { input: 0, output: 0, cache_read: 0, cache_write: 0, reasoning: 0, total: 0 },
      duration_ms: 0,
    },
  ];
}
