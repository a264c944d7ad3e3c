import type { FileDoor } from "../contract/files.ts";
import type { LanguageServers } from "../contract/language-servers.ts";
import type { ProcessDoor } from "../contract/process.ts";
import type { Clock } from "../contract/services.ts";
import type { SearchPlaces } from "./find-program.ts";
import { LanguageQueries } from "./language-queries.ts";
import { type LanguageServerLimits, LIMITS } from "./limits.ts";
import { type ServerSetting, withSettings } from "./server-definition.ts";
import { ServerPool } from "./server-pool.ts";
import { SERVERS } from "./server-table.ts";
import { ServerWorkspace } from "./server-workspace.ts";

export interface LanguageServerParts {
  files: FileDoor;
  processes: ProcessDoor;
  clock: Clock;
  places: SearchPlaces;
  servers: Readonly<Record<string, ServerSetting>>;
  limits?: Partial<LanguageServerLimits>;
}

/** The language servers of a session. Nothing is started before it is needed. */
export interface LanguageServersOfSession {
  queries: LanguageServers;
  workspace: ServerWorkspace;
  limits: LanguageServerLimits;
  /** Shuts all of them down, within seconds. */
  close(): Promise<void>;
}

export function createLanguageServers(parts: LanguageServerParts): LanguageServersOfSession {
  const { files, clock, processes, places } = parts;
  const limits = { ...LIMITS, ...parts.limits };
  const pool: ServerPool = new ServerPool({
    definitions: withSettings(SERVERS, parts.servers),
    places,
    processes,
    clock,
    limits,
    onReady: (server) => workspace.opened(server),
  });
  const workspace = new ServerWorkspace(pool, files, clock);
  const { questionMs, settleMs } = limits;
  return {
    queries: new LanguageQueries({ workspace, files, clock, questionMs, settleMs }),
    workspace,
    limits,
    close: () => pool.close(),
  };
}
