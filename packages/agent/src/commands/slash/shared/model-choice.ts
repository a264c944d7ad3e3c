import type { SlashContext } from "../../../contract/slash-command.ts";
import { count } from "./format.ts";
import { type ListedModel, type ModelPorts, modelName } from "./model-port.ts";
import type { WantedModel } from "./model-words.ts";

/** Lets the person choose: roles first, then models with a key, then the others. The current model is marked. Null: dismissed. */
export async function chooseModel({
  ports,
  dialogs,
  signal,
}: SlashContext<ModelPorts>): Promise<WantedModel | null> {
  const { models, notices } = await ports.model.list(signal);
  if (signal.aborted) return null;
  const current = ports.model.current();
  const currentName = current === null ? null : modelName(current.model);
  const roles = ports.model.roles().map(({ role, model }) => ({
    value: { role } as WantedModel,
    label: `role ${role}${role === current?.role ? " (current)" : ""}`,
    description: model ?? "not set: the session's model plays it",
  }));
  const listed = [...models.filter((entry) => entry.usable), ...models.filter((entry) => !entry.usable)];
  const choices = [
    ...roles,
    ...listed.map((entry) => ({
      value: { model: modelName(entry.model) } as WantedModel,
      label: `${modelName(entry.model)}${modelName(entry.model) === currentName ? " (current)" : ""}`,
      description: describe(entry),
    })),
  ];
  const marked = choices.findIndex((choice) => choice.value.model === currentName && currentName !== null);
  return dialogs.choose(
    {
      title: "Model",
      detail: [
        currentName === null
          ? "no model is chosen yet"
          : `now: ${currentName}, thinking ${current!.thinking}`,
        ...notices.map((notice) => notice.message),
      ].join("\n"),
      choices,
      initial: Math.max(0, marked),
      filter: true,
    },
    signal,
  );
}

function describe({ model, usable }: ListedModel): string {
  const facts = [model.name];
  if (!usable) facts.push("no key");
  if (model.known) facts.push(`${count(model.contextWindow)} tokens`);
  if (model.reasoning) facts.push("reasons");
  if (model.images) facts.push("images");
  if (model.cost) facts.push(`$${model.cost.input} in, $${model.cost.output} out per million`);
  return facts.join(" · ");
}
