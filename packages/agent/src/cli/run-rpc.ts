import { resolve } from "node:path";
import type { Notice } from "../contract/settings.ts";
import { runRpcMode } from "../modes/rpc/rpc-mode.ts";
import { exitCode } from "../modes/shared/exit-code.ts";
import type { Streams } from "../modes/shared/surface.ts";
import { visibleText } from "../modes/shared/visible-text.ts";
import { systemClock } from "../platform/clock.ts";
import type { Flags } from "./flags.ts";
import type { Interruptions } from "./interruption.ts";
import type { Place } from "./place.ts";
import { refusePrompts } from "./serving/refuse-prompts.ts";
import { createSessionHub } from "./serving/session-hub.ts";
import { SpokenNotices } from "./serving/spoken-notices.ts";
import { VERSION } from "./version.ts";

/** What the server is started with. */
export interface RpcParts {
  flags: Flags;
  place: Place;
  streams: Streams;
  interruptions: Interruptions;
}

/** Clients get this long to read the end of their runs. */
const PATIENCE_MS = 2_000;
/** One that has stopped reading during a run is given up after this. */
const GRACE_MS = 10_000;

/** Serves sessions until a signal or a client ends it. Returns the exit code: 0, also after SIGTERM. */
export async function runRpc({ flags, place, streams, interruptions }: RpcParts): Promise<number> {
  refusePrompts(flags, {
    mode: "rpc",
    prompts: "Clients send prompts over the socket; docs/rpc.md says how.",
    sessions: "Clients name their sessions themselves.",
  });
  const tell = (message: string) => void streams.err(`${visibleText(message)}\n`);
  const say = ({ level, message }: Notice) => tell(`${level}: ${message}`);
  const hub = createSessionHub({ flags, place, mode: "rpc", notices: new SpokenNotices(say) });
  await runRpcMode({
    hub,
    socket: flags.socket === null ? null : socketAt(flags.socket, place.cwd),
    environment: place.environment,
    cwd: place.cwd,
    version: VERSION,
    signal: interruptions.signal,
    async onReady({ socket }) {
      tell(`pi listens at ${socket}; Ctrl+C ends it`);
      await streams.out(`${JSON.stringify({ type: "ready", socket, pid: process.pid, version: VERSION })}\n`);
    },
    tell,
    patience: () => systemClock.sleep(PATIENCE_MS),
    grace(over) {
      const timer = setTimeout(over, GRACE_MS);
      return () => clearTimeout(timer);
    },
  });
  const { cause } = interruptions;
  return cause === "timeout" || cause === "fault" ? exitCode("aborted", "", cause) : 0;
}

function socketAt(path: string, cwd: string): string {
  return process.platform === "win32" && path.startsWith("\\\\.\\pipe\\") ? path : resolve(cwd, path);
}
