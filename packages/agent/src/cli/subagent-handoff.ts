/** What a subagent is handed of its caller's settings, servers and models. */
import type { JsonObject } from "../contract/json.ts";
import type { ModelInfo } from "../contract/model.ts";
import type { AgentType } from "../contract/subagents.ts";
import type { McpHub } from "../extension/mcp/mcp-hub.ts";
import { resolveModel } from "../provider/registry/resolve.ts";
import type { Handoff } from "../subagent/handoff.ts";
import { resolveOptions, resolveRunModel } from "./choose-model.ts";
import type { SubagentParts } from "./subagent-parts.ts";

/** Hooks that judge calls hold for subagents, too; those that tell of a session or of what a person said are for the one with the person. */
const HOOKS_OF_CALLS: readonly string[] = ["before_tool", "after_tool", "before_compact"];

/** The configuration of this run, less what a subagent must not have. */
export function narrowedConfig(
  { settings }: Pick<SubagentParts, "settings">,
  servers: readonly string[],
  readOnly: boolean,
): JsonObject {
  const { config } = settings;
  const { sandbox, memory, mcp, hooks } = config;
  const own = {
    ...config,
    sandbox: readOnly ? { ...sandbox, tier: "read-only" as const } : sandbox,
    memory: { ...memory, enabled: false },
    mcp: { ...mcp, servers: mcp.servers.filter(({ name }) => servers.includes(name)) },
    hooks: hooks.filter(({ event }) => HOOKS_OF_CALLS.includes(event)),
  };
  return JSON.parse(JSON.stringify(own)) as JsonObject;
}

/** The names of the servers that lend some of these tools. */
export function serversOf(hub: McpHub | null, tools: readonly string[]): readonly string[] {
  if (hub === null) return [];
  const lenders = hub.lenders();
  const lending = tools.flatMap((tool) => lenders.get(tool) ?? []);
  const withResources = tools.includes("mcp-resources")
    ? hub.servers.filter(({ catalog }) => catalog?.resources === true).map(({ name }) => name)
    : [];
  return [...new Set([...lending, ...withResources])];
}

/** The model that plays a type, and the way to it. Rejects with a PiError. */
export async function modelFor(
  parts: SubagentParts,
  type: AgentType,
): Promise<{ model: ModelInfo; provider: Handoff["provider"] }> {
  const { subagent, flags, settings, environment, home, notices } = parts;
  const { model } = parts.running();
  const roles = settings.config.roles;
  const asRun = type.model === null && (type.role === null || !Object.hasOwn(roles, type.role));
  // What was handed to a subagent is all it knows of providers.
  if (subagent !== undefined && asRun)
    return { model: subagent.handoff.model, provider: subagent.handoff.provider };
  const options = await resolveOptions(flags, settings, environment, home, notices);
  // A subagent has no extensions.
  const around = { ...parts, doors: { mode: parts.mode }, host: await parts.extensions() };
  const resolve = (asked: typeof options) =>
    subagent === undefined ? resolveRunModel(asked, around) : resolveModel(asked);
  const request = asRun ? `${model.provider}/${model.id}` : type.model;
  const wanted = { ...options, request, role: request === null ? type.role : null };
  const own = await resolve(wanted);
  // An address and headers from the command line are for the provider of the run: with another one's key they must not meet.
  const resolved =
    own.model.provider === model.provider ? own : await resolve({ ...wanted, url: null, flagHeaders: {} });
  const { provider: name, wire, baseUrl, apiKey, headers } = resolved.settings;
  return {
    model: resolved.model,
    provider: {
      name,
      wire,
      baseUrl,
      headers,
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(resolved.login === null ? {} : { login: true as const }),
    },
  };
}

/** An environment as it can be handed over. */
export function definedOnly(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
