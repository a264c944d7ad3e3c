import type { LoginWay } from "../../contract/logins.ts";
import type { SlashCommand } from "../../contract/slash-command.ts";
import type { LoginPorts } from "../login/login-ports.ts";
import { stateWords, WAY_WORDS } from "../login/login-words.ts";
import { runLogin } from "../login/run-login.ts";
import { completeWords, firstWord } from "./shared/complete-words.ts";
import { refused, said, table } from "./shared/outcome.ts";
import { slashInfo } from "./slash-infos.ts";

/** `/login [provider] [browser | device | key]`, `/login status`: acts in the running program at once. */
export const loginSlashCommand: SlashCommand<LoginPorts> = {
  ...slashInfo("login"),
  async complete(argument, { login }) {
    const [first, rest] = firstWord(argument);
    const choices = await login.choices();
    const choice = choices.find(({ provider }) => provider === first);
    if (choice === undefined || !argument.includes(" "))
      return completeWords(argument, [
        ...choices.map(({ provider, title }) => [provider, title] as const),
        ["status", "who is logged in, and until when"],
      ]);
    const ways = choice.ways.map((way) => [way, WAY_WORDS[way]] as const);
    return completeWords(rest, ways).map((entry) => ({ ...entry, value: `${first} ${entry.value}` }));
  },
  async run(argument, { ports, dialogs, signal }) {
    const [first, rest] = firstWord(argument);
    if (first === "status" && rest === "") return status(ports);
    const way = rest.trim();
    if (way !== "" && !Object.hasOwn(WAY_WORDS, way))
      // What was typed is not repeated: it may be a key.
      return refused(
        `/login ${first} takes browser, device or key.`,
        "A key is asked for, and never typed into the prompt.",
      );
    const provider = first === "" ? null : first;
    return runLogin({ provider, way: way === "" ? null : (way as LoginWay) }, { ports, dialogs, signal });
  },
};

async function status({ login }: LoginPorts) {
  const states = await login.states();
  if (states.length === 0) return said("Nobody is logged in, and no key is set. /login changes that.");
  const rows = states.map((state) => [state.provider, stateWords(state, login.now()), state.source]);
  return { blocks: [table(["provider", "logged in", "from"], rows)] };
}
