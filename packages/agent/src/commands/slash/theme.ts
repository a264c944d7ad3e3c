import type { SlashCommand, SlashContext, SlashOutcome } from "../../contract/slash-command.ts";
import { completeWords } from "./shared/complete-words.ts";
import { didYouMean, type NearPort } from "./shared/near-port.ts";
import { refused, said } from "./shared/outcome.ts";
import { type SettingsPort, whereSaved } from "./shared/settings-port.ts";
import { slashInfo } from "./slash-infos.ts";

export interface ThemePorts extends SettingsPort, NearPort {
  themes: {
    list(): readonly ThemeSummary[];
    /** The theme that is drawn now. */
    current(): string;
    /** Draws with another theme until it is told otherwise; null draws with the one that is set. */
    preview(name: string | null): void;
  };
}

export interface ThemeSummary {
  name: string;
  /** For people. */
  title: string;
  kind: "dark" | "light";
}

/** Follows the terminal's background; what a config without `theme` does, too. */
const AUTO = "auto";

/** `/theme [name]`: the colours, saved in the user's config. Without a name a list that previews the marked theme. */
export const themeCommand: SlashCommand<ThemePorts> = {
  ...slashInfo("theme"),
  complete: async (argument, { themes }) =>
    completeWords(argument, [
      ...themes.list().map((theme) => [theme.name, theme.kind] as const),
      [AUTO, "follow the terminal's background"],
    ]),
  async run(argument, context) {
    const { themes, near } = context.ports;
    if (argument === "") return choose(context);
    const name = argument.toLowerCase();
    const names = [...themes.list().map((theme) => theme.name), AUTO];
    const found = names.find((known) => known.toLowerCase() === name);
    if (found !== undefined) return set(found, context);
    return refused(
      `There is no theme "${argument}".`,
      didYouMean(near(argument, names), `Themes: ${names.join(", ")}.`),
    );
  },
};

async function choose(context: SlashContext<ThemePorts>): Promise<SlashOutcome> {
  const { ports, dialogs, signal } = context;
  const { themes } = ports;
  const list = themes.list();
  const current = ports.settings.value(["theme"]) === undefined ? AUTO : themes.current();
  const choices = [
    ...list.map(({ name, title, kind }) => ({ value: name, label: title, description: kind as string })),
    { value: AUTO, label: "Automatic", description: "follows the terminal's background" },
  ];
  let chosen: string | null = null;
  try {
    chosen = await dialogs.choose(
      {
        title: "Theme",
        choices: choices.map((choice) =>
          choice.value === current ? { ...choice, label: `${choice.label} (current)` } : choice,
        ),
        initial: choices.findIndex((choice) => choice.value === current),
        onMark: (name) => themes.preview(name === AUTO ? null : name),
      },
      signal,
    );
  } finally {
    themes.preview(null);
  }
  return chosen === null ? said("The theme stays as it is.") : set(chosen, context);
}

async function set(name: string, { ports }: SlashContext<ThemePorts>): Promise<SlashOutcome> {
  const saved = await ports.settings.save(["theme"], name === AUTO ? undefined : name);
  return said(
    `${name === AUTO ? "The theme follows the terminal's background now." : `The theme is "${name}" now.`} ${whereSaved(saved)}`,
  );
}
