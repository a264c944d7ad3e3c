import { slashLine } from "../contract/slash-command.ts";
import type { App } from "./app.ts";

/** The prompt that `/name arguments` of a skill, a template or an MCP server stands for; any other prompt as it is. Rejects with a PiError when a server does not give it. */
export async function expandPrompt(
  app: Pick<App, "skills" | "mcp">,
  prompt: string,
  signal: AbortSignal,
): Promise<string> {
  const line = slashLine(prompt);
  if (line === null) return prompt;
  const { name, argument } = line;
  const own = app.skills?.library?.prompt(name, argument);
  if (own !== undefined) return own;
  const prompts = (await app.mcp.opened())?.prompts;
  if (!(await prompts?.known(name))) return prompt;
  return await prompts!.text(name, argument, signal);
}
