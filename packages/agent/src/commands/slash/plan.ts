import type { SlashCommand, SlashOutcome } from "../../contract/slash-command.ts";
import type { PlanPhase, PlanPorts, PlanStand } from "./plan-ports.ts";
import { completeWords } from "./shared/complete-words.ts";
import { refused, said, table, text } from "./shared/outcome.ts";
import { slashInfo } from "./slash-infos.ts";

const WORDS: Readonly<Record<string, string>> = {
  approve: "what is written is right: begin the next phase",
  back: "go back to the phase before",
  status: "how far the spec is",
  on: "plan mode: nothing but specs/ is written",
  off: "allow changes again",
};

type Plan = PlanPorts["plan"];

/** `/plan [IDEA | approve | back | status | on | off]`: plan mode, and planning a feature phase by phase. */
export const planCommand: SlashCommand<PlanPorts> = {
  ...slashInfo("plan"),
  async complete(argument, { plan }) {
    const specs = (await plan.specs()).map((name) => [name, "go on with this spec"] as const);
    return completeWords(argument, [...Object.entries(WORDS), ...specs]);
  },
  async run(argument, { ports: { plan } }) {
    const off = plan.off();
    if (off !== null) return refused(`Nothing can be planned now: ${off}.`);
    const act = ACTIONS[argument.toLowerCase()];
    return act === undefined ? begun(await plan.begin(argument)) : await act(plan);
  },
};

const ACTIONS: Readonly<Record<string, (plan: Plan) => Promise<SlashOutcome>>> = {
  "": (plan) => switched(plan, !plan.mode()),
  on: (plan) => switched(plan, true),
  off: (plan) => switched(plan, false),
  async status(plan) {
    const [stand, specs] = [await plan.stand(), await plan.specs()];
    const mode = text(`Plan mode is ${plan.mode() ? "on" : "off"}.`);
    if (stand !== null) return { blocks: [mode, ...standBlocks(stand)] };
    const known =
      specs.length === 0
        ? "/plan IDEA begins a spec."
        : `Specs: ${specs.join(", ")}. /plan NAME goes on with one.`;
    return { blocks: [mode, text(`No spec is planned in this conversation. ${known}`)] };
  },
  async approve(plan) {
    const { spec, approved, next } = await plan.approve();
    const first = `Phase ${approved.number} (${approved.title}) is approved.`;
    if (next !== null) return said(first, `Now: ${phaseText(next)}.`);
    return said(first, `The spec is complete and plan mode is off. /run ${spec} carries it out.`);
  },
  async back(plan) {
    const phase = await plan.back();
    if (phase === null) return refused("This is the first phase; there is none before it.");
    return said(`Back at ${phaseText(phase)}. What later phases wrote stays until it is written anew.`);
  },
};

async function switched(plan: Plan, on: boolean): Promise<SlashOutcome> {
  if (on === plan.mode()) return said(`Plan mode is ${on ? "on" : "off"} already.`);
  const note = await plan.setMode(on);
  const first = on
    ? "Plan mode is on: nothing is written but files below specs/, and commands run where they can change nothing. /plan ends it."
    : "Plan mode is off: changes are allowed again.";
  return said(first, ...(note === null ? [] : [note]));
}

function begun({
  folder,
  known,
  phase,
  spec,
  left,
  model,
}: Awaited<ReturnType<Plan["begin"]>>): SlashOutcome {
  if (phase === null)
    return said(
      `All phases of ${folder} are approved. /run ${spec} carries it out; /plan back opens the last one again.`,
    );
  return said(
    `${known ? "Going on with" : "New spec"} ${folder}, in plan mode: ${phaseText(phase)}.`,
    "You approve each phase (/plan approve) before the next begins; /plan status shows all seven.",
    ...(left === null ? [] : [`This is a new conversation; /resume ${left} brings the old one back.`]),
    ...(model === null ? [] : [`The model of the role plan is ${model}.`]),
  );
}

function phaseText({ number, title, artifact }: PlanPhase): string {
  return `phase ${number} of 7, ${title} (${artifact})`;
}

function standBlocks({ spec, folder, phases, missing }: PlanStand) {
  const rows = phases.map(({ number, title, artifact, state, written }) => [
    state === "approved" ? "✓" : state === "current" ? "›" : " ",
    `${number} ${title}`,
    artifact,
    state === "approved" ? "approved" : written ? "written" : "",
  ]);
  const current = phases.find(({ state }) => state === "current");
  const next =
    current === undefined
      ? `All phases are approved: /run ${spec} carries it out.`
      : missing === null
        ? "/plan approve approves the current phase."
        : `The current phase cannot be approved yet: ${missing}.`;
  return [text(folder), table([], rows), text(next)];
}
