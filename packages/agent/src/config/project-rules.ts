import { isJsonObject, type Json, type JsonObject } from "../contract/json.ts";
import type { Notice } from "../contract/settings.ts";

/** What a project file may do with a key, by the user's value: the value to take, or why it is ignored. */
type Rule = (value: Json, user: Json | undefined, setByUser: boolean) => { take: Json } | { ignore: string };

const allowed: Rule = (value) => ({ take: value });
const never: Rule = () => ({ ignore: "a project may not set it" });
const added: Rule = (value, user) => ({
  take: [...new Set([...(Array.isArray(user) ? user : []), ...(value as Json[])])],
});
const lowered: Rule = (value, user) =>
  typeof user !== "number" || (value as number) <= user
    ? { take: value }
    : { ignore: `a project may only lower it (yours is ${user})` };
const onlyOff: Rule = (value, user) =>
  value === false || value === user ? { take: value } : { ignore: "a project may only switch it off" };

/** Only further towards the end of `order` than what holds for the user. */
const stricter =
  (order: readonly string[], initial: string): Rule =>
  (value, user) => {
    const held = typeof user === "string" ? user : initial;
    return order.indexOf(value as string) >= order.indexOf(held)
      ? { take: value }
      : { ignore: `a project may only make it stricter (yours is "${held}")` };
  };
const language: Rule = (value, user, setByUser) =>
  setByUser ? stricter(["full", "min", "off"], "min")(value, user, true) : { take: value };
const onlyDisabled: Rule = (value) =>
  Object.values(value as JsonObject).every(
    (server) => isJsonObject(server) && server["disabled"] === true && Object.keys(server).length === 1,
  )
    ? { take: value }
    : { ignore: "a project may only disable language servers" };
const servers: Rule = (value, user) => {
  const own = value as JsonObject[];
  const kept = (Array.isArray(user) ? user : []).filter(
    (entry) => !own.some((server) => isJsonObject(entry) && server["name"] === entry["name"]),
  );
  return { take: [...kept, ...own] };
};

/** Every key of the schema, or its parts: a key without a rule is ignored, so that a new one is never open by accident. */
export const PROJECT_RULES: Readonly<Record<string, Rule>> = {
  roles: allowed,
  providers: never,
  headers: never,
  caCert: never,
  insecure: never,
  thinking: allowed,
  "memory.enabled": onlyOff,
  "memory.db_path": never,
  "memory.token_budget": lowered,
  "memory.max_pending": lowered,
  "memory.lookback_hours": lowered,
  "memory.prompt_token_budget": lowered,
  "memory.retention_days": never,
  "memory.excluded_tools": added,
  "memory.excluded_paths": added,
  "memory.privacy": never,
  "memory.compression": never,
  hooks: (value, user) => ({ take: [...(Array.isArray(user) ? user : []), ...(value as Json[])] }),
  "mcp.servers": servers,
  "mcp.startupWait": allowed,
  "mcp.startTimeout": allowed,
  "mcp.timeout": allowed,
  "mcp.maxTimeout": allowed,
  "mcp.toolBudget": allowed,
  guardrail: never,
  compactor: allowed,
  theme: allowed,
  "sandbox.tier": stricter(["off", "workspace-write", "read-only"], "workspace-write"),
  "sandbox.network": onlyOff,
  "sandbox.caches": never,
  "sandbox.environment": never,
  "lsp.mode": language,
  "lsp.format": onlyOff,
  "lsp.servers": onlyDisabled,
  extensions: added,
  keybindings: allowed,
  retry: allowed,
  autoCompact: allowed,
  notify: allowed,
  packages: added,
  retention: never,
  oauth: never,
  idle: allowed,
  editor: allowed,
  "subagent.maxDepth": lowered,
  "subagent.maxPerSession": lowered,
  "permissions.allow": never,
  "permissions.ask": added,
  "permissions.deny": added,
};

/**
 * The part of a trusted project's layer that counts: it may narrow what the user allows and never widen it. Lists that only
 * grow are returned whole (the user's entries, then the project's). Each ignored key is named in a notice.
 */
export function narrowProject(
  project: JsonObject,
  user: JsonObject,
  userFile: JsonObject,
  file: string,
): { value: JsonObject; notices: Notice[] } {
  const notices: Notice[] = [];
  const value: JsonObject = {};
  const decide = (
    path: string,
    wanted: Json,
    held: Json | undefined,
    setByUser: boolean,
  ): Json | undefined => {
    const rule = Object.hasOwn(PROJECT_RULES, path) ? PROJECT_RULES[path]! : never;
    const decision = rule(wanted, held, setByUser);
    if ("take" in decision) return decision.take;
    notices.push({
      level: "warning",
      message: `${file}: "${path}" is ignored: ${decision.ignore}; set it in your own config file`,
    });
    return undefined;
  };
  for (const [key, wanted] of Object.entries(project)) {
    const held = user[key];
    const own = userFile[key];
    if (Object.hasOwn(PROJECT_RULES, key) || !isJsonObject(wanted)) {
      const taken = decide(key, wanted, held, own !== undefined);
      if (taken !== undefined) value[key] = taken;
      continue;
    }
    const part: JsonObject = {};
    for (const [inner, entry] of Object.entries(wanted)) {
      const below = isJsonObject(held) ? held[inner] : undefined;
      const set = isJsonObject(own) && own[inner] !== undefined;
      const taken = decide(`${key}.${inner}`, entry, below, set);
      if (taken !== undefined) part[inner] = taken;
    }
    value[key] = part;
  }
  return { value, notices };
}
