import type { SlashCommand } from "../../contract/slash-command.ts";
import { completeWords } from "./shared/complete-words.ts";
import { refused, said } from "./shared/outcome.ts";
import { type SettingsPort, whereSaved } from "./shared/settings-port.ts";
import { slashInfo } from "./slash-infos.ts";

const WAYS = [
  ["off", "no signal"],
  ["bell", "the terminal's bell"],
  ["desktop", "a notification of the desktop, where the terminal can"],
] as const;

/** `/notify off|bell|desktop`: how the end of a long answer is signalled, saved in the user's config. */
export const notifyCommand: SlashCommand<SettingsPort> = {
  ...slashInfo("notify"),
  complete: async (argument) => completeWords(argument, WAYS),
  async run(argument, { ports: { settings }, dialogs, signal }) {
    const current = settings.value(["notify"]) ?? "off";
    const wanted = argument.toLowerCase();
    const way =
      wanted === ""
        ? await dialogs.choose(
            {
              title: "Signal for the end of a long answer",
              choices: WAYS.map(([value, description]) => ({
                value: value as string,
                label: `${value}${value === current ? " (current)" : ""}`,
                description,
              })),
              initial: Math.max(
                0,
                WAYS.findIndex(([value]) => value === current),
              ),
            },
            signal,
          )
        : wanted;
    if (way === null) return said(`The signal stays "${String(current)}".`);
    if (!WAYS.some(([value]) => value === way))
      return refused(`/notify does not know "${argument}".`, "/notify off, /notify bell or /notify desktop.");
    const saved = await settings.save(["notify"], way);
    return said(`The signal for the end of a long answer is "${way}" now. ${whereSaved(saved)}`);
  },
};
