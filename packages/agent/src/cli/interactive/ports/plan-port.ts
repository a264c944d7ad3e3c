import type { PlanPhase, PlanPorts } from "../../../commands/slash/plan-ports.ts";
import { modelName } from "../../../commands/slash/shared/model-port.ts";
import type { Phase } from "../../../plan/spec/phases.ts";
import type { ChosenModel } from "../../run-setup.ts";
import type { ConversationPortParts } from "./conversation-ports.ts";

export interface PlanPortParts extends ConversationPortParts {
  /** Takes another model (and the role it plays) into use. */
  adopt(chosen: ChosenModel, role: string): Promise<void>;
}

/** The role of the model that plans. */
const ROLE = "plan";

/** Planning in the open conversation. */
export function planPort(parts: PlanPortParts): PlanPorts["plan"] {
  const { program } = parts;
  const app = () => program.app!;
  const planning = () => app().plan.open();
  return {
    off: () =>
      program.app === undefined ? "there is no conversation yet; it begins when a model is chosen" : null,
    mode: () => app().planMode.on,
    async setMode(on) {
      app().planMode.set(on);
      const atWork = app().subagents.running();
      return on && atWork > 0
        ? "Subagents that were started before go on with what they may do; /agents stop ID ends one."
        : null;
    },
    specs: async () => (program.app === undefined ? [] : (await planning()).names()),
    async stand() {
      const stand = (await planning()).stand();
      if (stand === null) return null;
      const phases = stand.phases.map(({ phase, ...state }) => ({
        ...asShown(stand.folder, phase),
        ...state,
      }));
      return { ...stand, phases };
    },
    async begin(idea) {
      const { name, known } = (await planning()).find(idea);
      const left = await leaveFor(parts);
      const model = await useRole(parts);
      const planned = await planning();
      const phase = await planned.begin(name, idea);
      const folder = planned.spec!.folder;
      return { spec: name, folder, known, left, model, phase: phase && asShown(folder, phase) };
    },
    async approve() {
      const planned = await planning();
      const { spec } = planned;
      const { approved, next } = await planned.approve();
      const folder = spec!.folder;
      return { spec: spec!.name, approved: asShown(folder, approved), next: next && asShown(folder, next) };
    },
    async back() {
      const planned = await planning();
      const phase = await planned.back();
      return phase && asShown(planned.spec!.folder, phase);
    },
  };
}

/** A plan begins in a conversation of its own, so that nothing said before colours it; an empty one will do. */
async function leaveFor({ program, open }: PlanPortParts): Promise<string | null> {
  const { session } = program;
  if (session === undefined || session.messages().length === 0) return null;
  await open(null);
  return session.folder === null ? null : session.id;
}

/** The model of the role `plan`, where it is set and none was asked for; null: the model stays. */
async function useRole({ program, adopt }: PlanPortParts): Promise<string | null> {
  const roles = program.settings?.config.roles ?? {};
  if (!Object.hasOwn(roles, ROLE) || program.parts.flags.model !== null) return null;
  const chosen = await program.chooseModel({ role: ROLE });
  await adopt(chosen, ROLE);
  return modelName(chosen.model);
}

function asShown(folder: string, { number, title, artifact }: Phase): PlanPhase {
  return { number, title, artifact: `${folder}/${artifact}` };
}
