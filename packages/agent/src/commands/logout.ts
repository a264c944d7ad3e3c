import type { CommandDefinition } from "../contract/command.ts";
import { holdsKey } from "./login/key-like.ts";
import { runLogout } from "./login/run-logout.ts";
import { asResult, keyOnCommandLine, type LoginCommandPorts } from "./login.ts";

/** `pi logout [provider]`: gives the tokens back where the service takes them, and removes tokens and key from this machine. */
export const logoutCommand: CommandDefinition<LoginCommandPorts> = {
  name: "logout",
  summary: "end a login and remove its tokens and key from this machine",
  usage: "pi logout [provider]",
  options: [{ name: "json", kind: "flag", summary: "as JSON" }],
  accepts: ({ words, options }) =>
    (words.length <= 1 || holdsKey(words)) && Object.keys(options).every((name) => name === "json"),
  async run({ words }, ports, signal) {
    if (holdsKey(words)) return keyOnCommandLine(words);
    const dialogs = await ports.person.dialogs();
    return asResult(await runLogout(words[0] ?? null, { ports, dialogs, signal }));
  },
};
