import type { Handshake, HostName } from "../../hosts/shared/handshake.ts";
import type { Places } from "../../runtime/config/places.ts";

/** What a registration needs of the world: the parts of `CliWorld` it may use, and where this package lies. */
export interface HostWorld {
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly places: Places;
  /** The version of this package; a handshake of another one is told. */
  readonly version: string;
  /** The folder of this package, which holds `package.json` and `dist/hosts/`; undefined where the program runs without it (a lone executable). */
  readonly packageFolder: string | undefined;
}

/** What registering came to. */
export interface Registered {
  /** The settings file of the host. */
  readonly file: string;
  /** What stands in it now that did not stand there before; empty: it was registered already. */
  readonly added: readonly string[];
  /** What a person should do or know, one sentence each. */
  readonly notes: readonly string[];
}

/** Whether a host has memory, as far as can be told from outside. */
export interface HostStatus {
  /** It stands in the host's settings. */
  readonly registered: boolean;
  /** The settings file that was looked at. */
  readonly file: string;
  /** When and how the host loaded it last; null: never. */
  readonly loaded: Handshake | null;
  /** What is wrong, and what to do: in words, without secrets. */
  readonly problems: readonly HostProblem[];
}

export interface HostProblem {
  readonly found: string;
  readonly hint: string;
}

/** A host that memory can be registered with. */
export interface HostRegistration {
  readonly name: HostName;
  /** Its name for people. */
  readonly title: string;
  /** Puts this package into the host's settings: adds only, changes nothing when it stands there, keeps comments. Rejects with a CliError for settings that are broken; they are left as they are. */
  register(world: HostWorld): Promise<Registered>;
  /** Only reads. Never rejects for broken settings: those are a problem. */
  status(world: HostWorld): Promise<HostStatus>;
}
