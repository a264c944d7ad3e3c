import { exitCode } from "../../modes/shared/exit-code.ts";
import type { Streams } from "../../modes/shared/surface.ts";
import { visibleText } from "../../modes/shared/visible-text.ts";
import type { Flags } from "../flags.ts";
import type { Interruptions } from "../interruption.ts";
import type { Notices } from "../notices.ts";
import type { Place } from "../place.ts";
import { VERSION } from "../version.ts";

export interface InteractiveParts {
  prompt: string;
  flags: Flags;
  place: Place;
  streams: Streams;
  interruptions: Interruptions;
  notices: Notices;
}

/**
 * Runs the interactive program until it ends, and returns the exit code. The first frame is drawn before anything else is loaded. What
 * would be written to stderr meanwhile is held back until the screen is the shell's again.
 */
export async function runInteractive(parts: InteractiveParts): Promise<number> {
  const { flags, place, streams, interruptions } = parts;
  const held = holdErrors(streams);
  const { openSurface } = await import("../../modes/interactive/surface.ts");
  const { Host } = await import("./host.ts");
  const host = new Host(parts, parts.prompt);
  const { createDoors } = await import("./doors.ts");
  const surface = openSurface({
    host,
    version: VERSION,
    doors: createDoors(place),
    cwd: place.cwd,
  });
  const stop = () => host.quit();
  interruptions.signal.addEventListener("abort", stop, { once: true });
  if (interruptions.signal.aborted) stop();
  let restart: boolean;
  try {
    ({ restart } = await surface.ended);
  } finally {
    interruptions.signal.removeEventListener("abort", stop);
    await surface.close();
    await held.release();
  }
  await host.close();
  const { failure } = host;
  if (failure !== undefined) throw failure;
  await farewell(host, streams);
  if (restart) {
    const { replaceProcess, restartArguments } = await import("./restart.ts");
    return replaceProcess(restartArguments(process.argv.slice(2), flags.words, host.sessionId));
  }
  const { cause } = interruptions;
  return cause === null ? 0 : exitCode("aborted", "", cause);
}

/** Keeps what is meant for stderr until the terminal shows it, and nothing else writes over the screen. */
function holdErrors(streams: Streams): { release(): Promise<void> } {
  const { err } = streams;
  const texts: string[] = [];
  streams.err = (text) => {
    texts.push(text);
    return Promise.resolve();
  };
  const loud = ["log", "info", "warn", "error", "debug", "trace"] as const;
  const spoken = loud.map((name) => console[name]);
  for (const name of loud)
    console[name] = (...words: unknown[]) => void texts.push(`${words.map(String).join(" ")}\n`);
  return {
    async release() {
      for (const [index, name] of loud.entries()) console[name] = spoken[index]!;
      streams.err = err;
      for (const text of texts) await err(text);
    },
  };
}

/** What is left on the shell's screen: how to come back. */
async function farewell(host: { sessionId: string | null; title: string | undefined }, streams: Streams) {
  if (host.sessionId === null) return;
  const title = host.title === undefined ? "" : ` (${visibleText(host.title)})`;
  await streams.out(`To go on with this conversation${title}: pi --session ${host.sessionId}\n`);
}
