import type { ExtensionHost } from "../../extension/pi/host/extension-host.ts";
import type { TrustVerdict } from "../../extension/pi/host/project-trust.ts";
import type { HomeFolders } from "../../platform/home.ts";
import type { Flags } from "../flags.ts";
import { mayHaveExtensions } from "../late-extensions.ts";
import type { Notices } from "../notices.ts";
import type { Settings, TrustDoors } from "../settings.ts";

export interface EarlyParts {
  flags: Flags;
  environment: Readonly<Record<string, string | undefined>>;
  cwd: string;
  home: HomeFolders;
  notices: Notices;
  doors: TrustDoors;
  /** As they are without the project. */
  settings: Pick<Settings, "config" | "project" | "trusted">;
}

/**
 * The extensions of the command line and the user, loaded before it is known whether the project is trusted, because one of them may
 * decide that (`project_trust`). What is loaded is kept for the conversation: no extension is loaded twice.
 */
export class EarlyExtensions {
  readonly #parts: EarlyParts;
  #host: ExtensionHost | undefined;

  constructor(parts: EarlyParts) {
    this.#parts = parts;
  }

  /** Loads and asks them. Null when none decides; never rejects for a fault of theirs. */
  async trustVerdict(): Promise<TrustVerdict | null> {
    if (!mayHaveExtensions(this.#parts)) return null;
    const { foundExtensions, loadHost } = await import("./load-host.ts");
    const { doors, notices, cwd } = this.#parts;
    const tell = doors.tell ?? ((level, message) => notices.add({ level, message }));
    const { entries } = foundExtensions(this.#parts);
    this.#host = await loadHost(entries, { ...this.#parts, mode: doors.mode, tell, fresh: false });
    return await this.#host.trustOf({
      cwd,
      mode: doors.mode,
      surface: (await doors.surface?.()) ?? null,
      heard: (message) => tell("info", message),
    });
  }

  /** What was loaded, to be gone on with; from then on it is the caller's to close. */
  take(): ExtensionHost | undefined {
    const host = this.#host;
    this.#host = undefined;
    return host;
  }

  /** Ends what nobody took. */
  async close(): Promise<void> {
    await this.take()?.close("quit");
  }
}
