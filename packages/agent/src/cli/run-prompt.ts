import { errorMessage, isPiError } from "../contract/errors.ts";
import type { AgentEvent } from "../contract/events.ts";
import type { UserMessage } from "../contract/messages.ts";
import { runJsonMode } from "../modes/json/json-mode.ts";
import { runPrintMode } from "../modes/print/print-mode.ts";
import { exitCode } from "../modes/shared/exit-code.ts";
import type { Streams } from "../modes/shared/surface.ts";
import { type App, buildApp } from "./app.ts";
import { type ChosenModel, chooseModel, resolveOptions } from "./choose-model.ts";
import type { Flags } from "./flags.ts";
import type { Interruptions } from "./interruption.ts";
import { logEvents } from "./log-events.ts";
import type { Notices } from "./notices.ts";
import { newSession, resumeSession } from "./open-session.ts";
import type { Place } from "./place.ts";
import { loadSettings } from "./settings.ts";

/** Answers one prompt in print or JSON mode. Returns the exit code; throws a PiError for what fails before any request. */
export async function runPrompt(
  prompt: string,
  flags: Flags,
  mode: "print" | "json",
  place: Place,
  streams: Streams,
  interruptions: Interruptions,
  notices: Notices,
  given?: ChosenModel,
): Promise<number> {
  const app = await prepare(flags, mode, place, notices, given);
  try {
    app.logger.log({ type: "user", content: prompt });
    const input: UserMessage = { role: "user", origin: "user", parts: [{ type: "text", text: prompt }] };
    const events = notices.within(logEvents(app.runner.run(input, interruptions.signal), app.logger));
    const end =
      mode === "json"
        ? await runJsonMode(events, app.session.id, streams)
        : await runPrintMode(events, streams);
    const code = exitCode(end.stop, end.text, interruptions.cause);
    // What could not be saved must not look like success.
    return code === 0 && app.session.degraded ? 1 : code;
  } finally {
    await app.close();
  }
}

async function prepare(
  flags: Flags,
  mode: string,
  place: Place,
  notices: Notices,
  given: ChosenModel | undefined,
): Promise<App> {
  const { environment, home, cwd } = place;
  const settings = await loadSettings(flags, environment, cwd, home, notices);
  const resumed = resumeSession(flags, cwd, home, notices);
  try {
    const chosen =
      given ??
      (await chooseModel(
        await resolveOptions(flags, settings, environment, home, notices),
        resumed?.settings ?? null,
        notices,
      ));
    notices.add(...settings.keys.notices());
    const facts = { cwd, mode, model: chosen.model.id, provider: chosen.model.provider };
    const session = resumed ?? newSession(flags, facts, home, notices);
    return await buildApp({ flags, settings, home, environment, cwd, mode, chosen, session, notices });
  } catch (error) {
    resumed?.close();
    throw error;
  }
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
