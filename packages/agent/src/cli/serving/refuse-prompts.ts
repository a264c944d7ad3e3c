import type { Flags } from "../flags.ts";
import { usageError } from "../usage-error.ts";

/** Whom a mode serves, in two sentences of what they do themselves. */
export interface ServedClients {
  mode: "rpc" | "acp";
  prompts: string;
  sessions: string;
}

/** Throws a usage error for a prompt, and for flags that choose or name a session: who is served brings both. */
export function refusePrompts(flags: Flags, { mode, prompts, sessions }: ServedClients): void {
  const { print, words } = flags;
  if (print || words.length > 0)
    throw usageError(
      `--mode ${mode} takes no prompt, but got ${words.length > 0 ? JSON.stringify(words.join(" ").slice(0, 100)) : "-p"}`,
      prompts,
    );
  const given = {
    "--continue": flags.continue,
    "--session": flags.session !== null,
    "--name": flags.name !== null,
    "--stdin": flags.stdin,
  };
  const [flag] = Object.entries(given).find(([, isGiven]) => isGiven) ?? [];
  if (flag !== undefined) throw usageError(`${flag} is nothing for --mode ${mode}`, sessions);
}
