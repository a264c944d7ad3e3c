import { errorMessage, isPiError } from "../../contract/errors.ts";
import type { SlashCommand, SlashContext, SlashOutcome } from "../../contract/slash-command.ts";
import { completeWords } from "./shared/complete-words.ts";
import { chooseModel } from "./shared/model-choice.ts";
import { type ModelPorts, modelName, type UsedModel } from "./shared/model-port.ts";
import { parseModelWords, THINKING_LEVELS, type WantedModel } from "./shared/model-words.ts";
import { refused, said } from "./shared/outcome.ts";
import { whereSaved } from "./shared/settings-port.ts";
import { slashInfo } from "./slash-infos.ts";

/**
 * `/model [role | model] [thinking] [--session]`. A model's name is saved as `roles.default`, a level as `thinking`; a role is
 * never saved, and with `--session` nothing is.
 */
export const modelCommand: SlashCommand<ModelPorts> = {
  ...slashInfo("model"),
  async complete(argument, { model }, signal) {
    const { models } = await model.list(signal);
    return completeWords(argument, [
      ...model.roles().map(({ role, model: name }) => [role, name ?? "the session's model"] as const),
      ...models
        .filter((listed) => listed.usable)
        .map((listed) => [modelName(listed.model), listed.model.name] as const),
      ...THINKING_LEVELS.map((level) => [level, "how much it reasons"] as const),
    ]);
  },
  async run(argument, context) {
    const { ports } = context;
    const roles = ports.model.roles().map(({ role }) => role);
    const words = parseModelWords(argument, roles, ports);
    if ("problem" in words) return refused(words.problem, words.hint);
    const { session } = words;
    if (words.wanted !== null) return use(words.wanted, session, context);
    const chosen = await chooseModel(context);
    return chosen === null ? said("The model stays as it is.") : use(chosen, session, context);
  },
};

async function use(
  wanted: WantedModel,
  session: boolean,
  { ports, signal }: SlashContext<ModelPorts>,
): Promise<SlashOutcome> {
  const used = await ports.model.use(wanted, signal);
  const { model, thinking, role, notices } = used;
  const name = modelName(model);
  const playing = wanted.role === undefined ? "" : ` (the role ${role})`;
  const reasons = model.reasoning ? `, thinking ${thinking}` : "";
  const done = [
    `The model is ${name}${playing}${reasons} from the next request on.`,
    ...levelNotes(wanted, used),
    ...notices.map((notice) => notice.message),
  ];
  try {
    return said(...done, await remember(wanted, used, session, ports));
  } catch (error) {
    if (!isPiError(error)) throw error;
    return refused(done[0]!, ...done.slice(1), `It was not saved: ${errorMessage(error)}`, error.hint ?? "");
  }
}

function levelNotes({ thinking: wanted }: WantedModel, { model, thinking }: UsedModel): string[] {
  if (wanted === undefined || wanted === "off") return [];
  if (!model.reasoning) return [`${modelName(model)} does not reason, so "${wanted}" has no effect.`];
  return wanted === thinking ? [] : [`It does not offer "${wanted}"; "${thinking}" is the nearest.`];
}

/** Saves what the words ask to be saved, and says where it is or why it is not. */
async function remember(
  { role, model: named, thinking }: WantedModel,
  used: UsedModel,
  session: boolean,
  { settings }: ModelPorts,
): Promise<string> {
  if (session) return "For this session only; nothing was saved.";
  if (role !== undefined)
    return "A role is not saved as the default: this holds for this session. /model MODEL saves one.";
  const saved = [];
  if (named !== undefined) saved.push(await settings.save(["roles", "default"], modelName(used.model)));
  if (thinking !== undefined) saved.push(await settings.save(["thinking"], thinking));
  const keys = [
    ...(named === undefined ? [] : ["roles.default"]),
    ...(thinking === undefined ? [] : ["thinking"]),
  ];
  const overridden = saved.find((one) => one.overriddenBy !== undefined) ?? saved[0]!;
  return whereSaved(overridden).replace("Saved", `Saved as ${keys.join(" and ")}`);
}
