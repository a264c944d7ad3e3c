import type { App } from "./app.ts";

/** The prompt that `/name arguments` of a skill, a template or an MCP server stands for; any other prompt as it is. Rejects with a PiError when a server does not give it. */
export async function expandPrompt(
  app: Pick<App, "skills" | "mcp">,
  prompt: string,
  signal: AbortSignal,
): Promise<string> {
  const [, name, argument = ""] = /^\s*\/([A-Za-z][\w:.-]*)(?:\s+([\s\S]*))?$/.exec(prompt) ?? [];
  if (name === undefined) return prompt;
  const own = app.skills?.library?.prompt(name, argument);
  if (own !== undefined) return own;
  const prompts = (await app.mcp.opened())?.prompts;
  if (!(await prompts?.known(name))) return prompt;
  return await prompts!.text(name, argument, signal);
}
