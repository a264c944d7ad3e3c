import { ndJsonStream, type Stream } from "@agentclientprotocol/sdk";
import { AcpServer } from "../modes/acp/acp-server.ts";
import { answersBeforeEnd } from "../modes/acp/answers-before-end.ts";
import type { Streams } from "../modes/shared/surface.ts";
import { visibleText } from "../modes/shared/visible-text.ts";
import { systemClock } from "../platform/clock.ts";
import { encodeJsonLine } from "../platform/json-lines.ts";
import { readSmallFile } from "../platform/read-small-file.ts";
import { realFolder } from "../platform/real-folder.ts";
import type { Flags } from "./flags.ts";
import type { Interruptions } from "./interruption.ts";
import type { Notices } from "./notices.ts";
import { ownProgram } from "./own-program.ts";
import type { Place } from "./place.ts";
import { refusePrompts } from "./serving/refuse-prompts.ts";
import { createSessionHub } from "./serving/session-hub.ts";
import { VERSION } from "./version.ts";

export interface AcpParts {
  flags: Flags;
  place: Place;
  streams: Streams;
  interruptions: Interruptions;
  notices: Notices;
}

/** A file beyond this is shown by the pieces that were replaced. Bytes. */
const MOST_SHOWN = 1024 * 1024;

/**
 * Serves an editor on stdin and stdout until it closes stdin or goes away; then every session is stopped and saved. Returns the exit
 * code. Throws a usage error for a prompt, and for flags that name a session: both are the editor's choice.
 */
export async function runAcp({ flags, place, streams, interruptions, notices }: AcpParts): Promise<number> {
  refusePrompts(flags, {
    mode: "acp",
    prompts: "Prompts come from the editor.",
    sessions: "The editor chooses its sessions itself.",
  });
  keepStdoutPure();
  const hub = createSessionHub({ flags, place, mode: "acp", notices });
  const server = new AcpServer({
    hub,
    program: { version: VERSION, command: ownProgram() },
    readText,
    realFolder,
    ready: async () => {
      await hub.modelFor(place.cwd);
    },
  });
  try {
    await server.serve(answersBeforeEnd(pipes(streams), systemClock), interruptions.signal);
  } finally {
    await hub.close();
    for (const { level, message } of notices.take()) await streams.err(`${level}: ${visibleText(message)}\n`);
  }
  return 0;
}

/** The protocol's messages on stdin and stdout, in lines that no reader can split or find unreadable. */
function pipes({ out }: Streams): Stream {
  const decoder = new TextDecoder();
  // The SDK answers itself what is no message.
  const answers = new WritableStream<Uint8Array>({ write: (bytes) => out(decoder.decode(bytes)) });
  const { readable } = ndJsonStream(answers, Bun.stdin.stream());
  return { readable, writable: new WritableStream({ write: (message) => out(encodeJsonLine(message)) }) };
}

/** Whatever code of others prints would break the protocol: it goes to stderr, which editors keep as a log. */
function keepStdoutPure(): void {
  const { error } = console;
  Object.assign(console, { log: error, info: error, debug: error, table: error, dir: error });
}

function readText(path: string): string | null | undefined {
  try {
    const text = readSmallFile(path, MOST_SHOWN);
    // no text, or not UTF-8
    return text.includes("\0") || text.includes("\uFFFD") ? undefined : text;
  } catch (thrown) {
    return (thrown as { code?: unknown }).code === "ENOENT" ? null : undefined;
  }
}
