import type { ModuleHost } from "../host/module-ports.ts";
import { PLAIN_THEME } from "../host/plain-theme.ts";
import { currentExtension } from "../load/running-extension.ts";

/** The colours that the shims draw with. */
export interface PiTheme {
  fg(role: string, text: string): string;
  bg(role: string, text: string): string;
  bold(text: string): string;
  italic(text: string): string;
  underline(text: string): string;
  strikethrough(text: string): string;
}

let host: ModuleHost | undefined;

/** The conversation that the modules work for where it is not known whose code runs: the newest one of the process. */
export function setModuleHost(next: ModuleHost): void {
  host = next;
}

/** Throws while no conversation is open. */
export function moduleHost(): ModuleHost {
  const found = currentExtension()?.modules ?? host;
  if (found === undefined) throw new Error("no conversation is open yet: do it in a session_start handler");
  return found;
}

/** The theme that is drawn now, or one without colours. */
export function piTheme(): PiTheme {
  return ((currentExtension()?.modules ?? host)?.theme() as PiTheme | undefined) ?? PLAIN_THEME;
}
