import type { SessionConfigOption, SessionModeState } from "@agentclientprotocol/sdk";
import type { ThinkingLevel } from "../../contract/model.ts";
import type { HubModel, HubSession } from "../../contract/session-hub.ts";
import { invalidParams } from "./protocol-error.ts";

const MODES = [
  { id: "default", name: "Default", description: "Reads, changes files and runs commands" },
  { id: "plan", name: "Plan", description: "Only reads, and writes below specs/" },
] as const;

const THINKING: Readonly<Record<ThinkingLevel, string>> = {
  off: "Off",
  minimal: "Minimal",
  low: "Low",
  medium: "Medium",
  high: "High",
  xhigh: "Very high",
  max: "Most",
};

/** The modes, for editors that know modes and no options. */
export function modeState(session: HubSession): SessionModeState {
  return { currentModeId: session.mode, availableModes: MODES.map((mode) => ({ ...mode })) };
}

/** What a person can set in a session. `models` are those that can be used; the one in use is offered in any case. */
export function configOptions(session: HubSession, models: readonly HubModel[]): SessionConfigOption[] {
  const { provider, id, thinking } = session.model();
  const current = `${provider}/${id}`;
  const offered = models.map((model) => ({ value: `${model.provider}/${model.id}`, name: model.name }));
  if (!offered.some(({ value }) => value === current)) offered.unshift({ value: current, name: id });
  return [
    {
      type: "select",
      id: "mode",
      name: "Mode",
      category: "mode",
      currentValue: session.mode,
      options: MODES.map(({ id: value, ...mode }) => ({ value, ...mode })),
    },
    {
      type: "select",
      id: "model",
      name: "Model",
      category: "model",
      currentValue: current,
      options: offered,
    },
    {
      type: "select",
      id: "thinking",
      name: "Thinking",
      category: "thought_level",
      currentValue: thinking,
      options: Object.entries(THINKING).map(([value, name]) => ({ value, name })),
    },
  ];
}

/** Sets one option. Throws `invalid_params` for one that there is not, else what the session throws. */
export async function setConfigOption(
  session: HubSession,
  option: string,
  value: string | boolean,
): Promise<void> {
  const known = Object.hasOwn(SETTERS, option) ? SETTERS[option] : undefined;
  if (known === undefined || typeof value !== "string")
    throw invalidParams(`there is no option ${JSON.stringify(option)} that takes ${JSON.stringify(value)}`);
  await known(session, value);
}

/** Sets the mode. Throws `invalid_params` for one that there is not. */
export async function setMode(session: HubSession, mode: string): Promise<void> {
  const known = MODES.find(({ id }) => id === mode);
  if (known === undefined)
    throw invalidParams(`there is no mode ${JSON.stringify(mode)}`, "the modes are default and plan");
  await session.setMode(known.id);
}

const SETTERS: Readonly<Record<string, (session: HubSession, value: string) => Promise<void>>> = {
  mode: setMode,
  model: (session, value) => session.useModel(value),
  async thinking(session, value) {
    if (!isThinkingLevel(value))
      throw invalidParams(
        `there is no thinking level ${JSON.stringify(value)}`,
        `the levels are ${Object.keys(THINKING).join(", ")}`,
      );
    session.setThinking(value);
  },
};

function isThinkingLevel(value: string): value is ThinkingLevel {
  return Object.hasOwn(THINKING, value);
}
