import type { Flags } from "../flags.ts";
import type { Notices } from "../notices.ts";
import type { Place } from "../place.ts";

/** What a process that serves many conversations is started with. */
export interface HubParts {
  /** Apply to every session; `--trust` only to the project of the folder that the process was started in. */
  flags: Flags;
  place: Place;
  /** Kept in the sessions that it makes: `--continue` takes up none of them. */
  mode: "rpc" | "acp";
  /** Hears what concerns no session. */
  notices: Notices;
}
