import type { SlashOutcome } from "../../contract/slash-command.ts";
import { didYouMean } from "../slash/shared/near-port.ts";
import { declined, refused, said } from "../slash/shared/outcome.ts";
import { mayBeKey } from "./key-like.ts";
import { stateWords } from "./login-words.ts";
import type { LoginContext } from "./run-login.ts";

/** Logs a person out of a provider: of the only one, or (`provider` null) of the one that they choose. */
export async function runLogout(provider: string | null, context: LoginContext): Promise<SlashOutcome> {
  const { ports, dialogs, signal } = context;
  const states = await ports.login.states();
  if (states.length === 0) return said("Nobody is logged in, and no key is kept.");
  const only = states.length === 1 ? states[0]!.provider : null;
  const chosen =
    provider ??
    only ??
    (await dialogs?.choose(
      {
        title: "Log out of",
        choices: states.map((state) => ({
          value: state.provider,
          label: state.provider,
          description: stateWords(state, ports.login.now()),
        })),
      },
      signal,
    )) ??
    null;
  const names = states.map((state) => state.provider);
  if (chosen === null)
    return dialogs === null
      ? refused("pi logout needs the name of a provider.", `One of: ${names.join(", ")}.`)
      : declined();
  if (!names.includes(chosen))
    return refused(
      mayBeKey(chosen) ? "Nobody is logged in under that name." : `Nobody is logged in to "${chosen}".`,
      didYouMean(ports.near(chosen, names), `There are: ${names.join(", ")}.`),
    );
  const { done, left } = await ports.login.logOut(chosen, signal);
  if (done.length === 0) return refused(`There was nothing to remove for ${chosen}.`, ...left);
  return said(...done, ...left);
}
