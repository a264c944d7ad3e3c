import type { Config } from "../config/config.ts";
import type { loadKeys } from "../config/keys.ts";
import type { Project } from "../config/project.ts";
import type { ProjectTrust } from "../config/trust.ts";
import type { ExtensionSurface } from "../contract/extension-surface.ts";
import type { ModelClient, ModelInfo } from "../contract/model.ts";
import type { ExtensionHost } from "../extension/pi/host/extension-host.ts";

/** Everything the user and a trusted project have set. */
export interface Settings {
  config: Config;
  keys: ReturnType<typeof loadKeys>;
  project: Project;
  trusted: boolean;
  /** The digest of what acts in the project, as it was trusted: for this run, or for longer. */
  trustedAs?: string;
  /** Extensions that were needed before their conversation; the first one goes on with them. */
  early?: EarlyHost;
}

/** Who decides about a project that has something that would act. */
export interface TrustDoors {
  /** As extensions are told of it. */
  mode: string;
  /** Asks a person about a project that is not trusted; absent: it does not act. */
  ask?(project: Project, trust: ProjectTrust): Promise<boolean>;
  /** What extensions may ask with. */
  surface?(): Promise<ExtensionSurface>;
  /** Tells a person of something at once; absent: it is a notice. */
  tell?(level: "info" | "warning", message: string): void;
}

/** Extensions that are loaded before their conversation is built. */
export interface EarlyHost {
  /** Loads what is found by these settings and not loaded yet. */
  load(settings: Pick<Settings, "config" | "project" | "trusted">): Promise<ExtensionHost>;
  /** What was loaded, to be gone on with; from then on it is the caller's to close. */
  take(): ExtensionHost | undefined;
  /** Ends what nobody took. */
  close(): Promise<void>;
}

/** The model of a run and the way to it. */
export interface ChosenModel {
  model: ModelInfo;
  client: ModelClient;
  /** The key in use, so that logs can leave it out; null when none is sent. */
  secret: string | null;
  /** An extension speaks to its service, so that no other process can. */
  brought?: true;
}
