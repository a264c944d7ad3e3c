import { CONSENT_GUARD_MS } from "../dialog/consent.ts";
import type { ExtensionPorts } from "./extension-ports.ts";

/**
 * How long what an extension opens drops keys, in milliseconds: it may come while something is typed, whose Enter must not answer. A
 * command that was just sent from an empty editor asks at once.
 */
export function typingGuardMs({ editor, host }: Pick<ExtensionPorts, "editor" | "host">): number {
  return host.busy || !editor.isEmpty ? CONSENT_GUARD_MS : 0;
}
