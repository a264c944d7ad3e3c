import { basename } from "node:path";
import { uriOf } from "./file-uri.ts";
import type { ServerDefinition } from "./server-definition.ts";
import type { ServerFeatures } from "./server-features.ts";

/** Who is asking. */
export interface AskingServer {
  definition: ServerDefinition;
  root: string;
}

type Answer = { result: unknown } | "unknown";

/** What we answer a server's own requests with. Edits are never applied for it: only tools change files. */
const ANSWERS: Readonly<
  Record<string, (params: unknown, asking: AskingServer, features: ServerFeatures | undefined) => unknown>
> = {
  "workspace/configuration": (params, { definition }) => {
    const { items } = (params ?? {}) as { items?: unknown };
    return Array.isArray(items)
      ? items.map((item) => setting(definition.settings, (item as { section?: unknown } | null)?.section))
      : [];
  },
  "workspace/workspaceFolders": (_, { root }) => [{ uri: uriOf(root), name: basename(root) }],
  "workspace/applyEdit": () => ({
    applied: false,
    failureReason: "this client changes no files for a server",
  }),
  "client/registerCapability": (params, _, features) => features?.register(params) ?? null,
  "client/unregisterCapability": (params, _, features) => features?.unregister(params) ?? null,
  "window/showMessageRequest": () => null,
  "window/showDocument": () => ({ success: false }),
  "window/workDoneProgress/create": () => null,
  "workspace/diagnostic/refresh": () => null,
};

export function answerServerRequest(
  method: string,
  params: unknown,
  asking: AskingServer,
  features: ServerFeatures | undefined,
): Answer {
  const answer = Object.hasOwn(ANSWERS, method) ? ANSWERS[method] : undefined;
  return answer === undefined ? "unknown" : { result: answer(params, asking, features) };
}

/** `a.b` is looked up as it stands, then part by part; null for what nobody set. Without a section: everything. */
function setting(settings: Readonly<Record<string, unknown>> | undefined, section: unknown): unknown {
  if (settings === undefined) return null;
  if (typeof section !== "string" || section === "") return settings;
  if (Object.hasOwn(settings, section)) return settings[section];
  let value: unknown = settings;
  for (const part of section.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return null;
    value = (value as Record<string, unknown>)[part];
  }
  return value ?? null;
}
