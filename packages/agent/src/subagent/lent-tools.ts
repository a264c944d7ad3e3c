import type { AgentType } from "../contract/subagents.ts";
import type { AnyTool } from "../contract/tool.ts";

/** What of a caller's tool decides whether it is lent. */
export type OwnTool = Pick<AnyTool, "name" | "undeclared">;

/** They stand for the tools that are found by search; a subagent that is lent those makes its own where they do not fit its budget. */
const SEARCH: readonly string[] = ["mcp-search", "mcp-call"];

/** The names of the caller's tools that a subagent of this type is lent. A type that lists `mcp-search` is lent all that the caller finds with it. */
export function lentTools(own: readonly OwnTool[], type: AgentType, mayStartOthers: boolean): string[] {
  const listed = type.tools;
  const searches = listed?.some((name) => SEARCH.includes(name)) ?? true;
  return own
    .filter(({ name, undeclared }) => {
      if (SEARCH.includes(name)) return false;
      if (name === "agent") return mayStartOthers;
      return listed === null || listed.includes(name) || (undeclared === true && searches);
    })
    .map(({ name }) => name);
}

/** The names that a type lists and its caller has no tool of: misspelt, another program's, or left out of this run. */
export function missingTools(own: readonly OwnTool[], type: AgentType): string[] {
  const known = new Set([...own.map(({ name }) => name), ...SEARCH, "agent"]);
  return (type.tools ?? []).filter((name) => !known.has(name));
}
