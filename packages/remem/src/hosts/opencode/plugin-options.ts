import type { SettingsLayer } from "../../runtime/config/memory-config.ts";

/** Ways to prompt in which the host does not say whether a person typed. */
const OTHER_ENTRANCES = ["run", "serve"] as const;

export type OtherEntrance = (typeof OTHER_ENTRANCES)[number];

export interface PluginOptions {
  /** Where prompts count as typed by a person, besides the terminal program. */
  readonly typed: ReadonlySet<OtherEntrance>;
  /** How long a request may wait for what belongs before its prompt, in milliseconds; mostly it is there already. */
  readonly waitMs: number;
  /** Settings of the memory engine; they win over the user's file. */
  readonly settings: SettingsLayer | undefined;
  /** What was wrong, in words. */
  readonly problems: readonly string[];
}

const WAIT_MS = { usual: 450, least: 50, most: 10_000 } as const;
const NONE: PluginOptions = { typed: new Set(), waitMs: WAIT_MS.usual, settings: undefined, problems: [] };

/**
 * Reads the options that stand beside the plugin in OpenCode's settings: `typed`, `waitMs`, and the settings of the memory engine, which
 * checks its own. What is wrong is named and left out.
 */
export function readPluginOptions(given: unknown): PluginOptions {
  if (given === undefined || given === null) return NONE;
  if (typeof given !== "object" || Array.isArray(given))
    return { ...NONE, problems: ["the options of the plugin are no object; they are left out"] };
  const { typed, waitMs, ...settings } = given as Readonly<Record<string, unknown>>;
  const entrances = readTyped(typed);
  const wait = readWait(waitMs);
  return {
    typed: entrances.typed,
    waitMs: wait.waitMs,
    settings: Object.keys(settings).length === 0 ? undefined : (settings as SettingsLayer),
    problems: [...entrances.problems, ...wait.problems],
  };
}

function readTyped(given: unknown): Pick<PluginOptions, "typed" | "problems"> {
  const names: readonly unknown[] = Array.isArray(given) ? given : given === undefined ? [] : [given];
  const known = OTHER_ENTRANCES.map((name) => JSON.stringify(name)).join(" and ");
  return {
    typed: new Set(OTHER_ENTRANCES.filter((name) => names.includes(name))),
    problems: names
      .filter((name) => !OTHER_ENTRANCES.some((each) => each === name))
      .map((name) => `typed: ${JSON.stringify(name)} is left out; it may hold ${known}`),
  };
}

function readWait(given: unknown): Pick<PluginOptions, "waitMs" | "problems"> {
  const { usual, least, most } = WAIT_MS;
  if (given === undefined) return { waitMs: usual, problems: [] };
  if (typeof given === "number" && given >= least && given <= most) return { waitMs: given, problems: [] };
  const problem = `waitMs: ${JSON.stringify(given)} is left out; it is a number from ${least} to ${most}`;
  return { waitMs: usual, problems: [problem] };
}
