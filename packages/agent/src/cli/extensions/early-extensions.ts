import type { ExtensionHost } from "../../extension/pi/host/extension-host.ts";
import type { TrustVerdict } from "../../extension/pi/host/project-trust.ts";
import type { HomeFolders } from "../../platform/home.ts";
import type { Flags } from "../flags.ts";
import type { Notices } from "../notices.ts";
import type { EarlyHost, Settings, TrustDoors } from "../run-setup.ts";
import { mayHaveExtensions } from "./may-have-extensions.ts";

export interface EarlyParts {
  flags: Flags;
  environment: Readonly<Record<string, string | undefined>>;
  cwd: string;
  home: HomeFolders;
  notices: Notices;
  doors: TrustDoors;
}

type FoundBy = Pick<Settings, "config" | "project" | "trusted">;

/**
 * Extensions that are loaded before their conversation is built, because one of them may decide whether the project is trusted
 * (`project_trust`), or bring the service of the model. What is loaded is kept for the conversation: no extension is loaded twice.
 */
export class EarlyExtensions implements EarlyHost {
  readonly #parts: EarlyParts;
  #host: ExtensionHost | undefined;

  constructor(parts: EarlyParts) {
    this.#parts = parts;
  }

  /** Asks those of the command line and the user; `settings` are without the project. Null when none decides; never rejects for a fault of theirs. */
  async trustVerdict(settings: FoundBy): Promise<TrustVerdict | null> {
    if (!mayHaveExtensions({ ...this.#parts, settings })) return null;
    const { doors, cwd } = this.#parts;
    const host = await this.load(settings);
    return await host.trustOf({
      cwd,
      mode: doors.mode,
      surface: (await doors.surface?.()) ?? null,
      heard: (message) => this.#tell("info", message),
    });
  }

  /** Loads what is found by these settings and not loaded yet. */
  async load(settings: FoundBy): Promise<ExtensionHost> {
    const { foundExtensions, loadHost } = await import("./load-host.ts");
    const { mode } = this.#parts.doors;
    const { entries } = foundExtensions({ ...this.#parts, settings });
    if (this.#host !== undefined) await this.#host.extend(entries);
    else this.#host = await loadHost(entries, { ...this.#parts, mode, tell: this.#tell, fresh: false });
    return this.#host;
  }

  readonly #tell: NonNullable<TrustDoors["tell"]> = (level, message) => {
    const { doors, notices } = this.#parts;
    if (doors.tell === undefined) notices.add({ level, message });
    else doors.tell(level, message);
  };

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
