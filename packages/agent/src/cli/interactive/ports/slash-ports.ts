import type { SlashPorts } from "../../../commands/slash/slash-ports.ts";
import type { SurfaceControl } from "../../../contract/interactive.ts";
import { systemClock } from "../../../platform/clock.ts";
import { nearNames } from "../../../platform/near-names.ts";
import { resolveModel } from "../../../provider/registry/resolve.ts";
import { resolveOptions } from "../../choose-model.ts";
import { Notices } from "../../notices.ts";
import type { Program } from "../program.ts";
import { agentsPort } from "./agents-port.ts";
import { contextPort } from "./context-port.ts";
import {
  branchPort,
  type ConversationPortParts,
  compactionPort,
  sessionPort,
  sessionsPort,
} from "./conversation-ports.ts";
import { exportPort } from "./export-port.ts";
import { extensionProgram, extensionsPort, watchedMoves } from "./extensions-port.ts";
import { gitPort } from "./git-port.ts";
import { loginSlashPort } from "./login-port.ts";
import { mcpPort } from "./mcp-port.ts";
import { memoryPort } from "./memory-port.ts";
import { commitModelPort, type ModelPortParts, modelPort, pingPort } from "./model-ports.ts";
import { movePort } from "./move-port.ts";
import { type PlanPortParts, planPort } from "./plan-port.ts";
import { type RunPortParts, runPort } from "./run-port.ts";
import { homeRelative, settingsPort } from "./settings-port.ts";
import { type SkillsPortParts, skillsPort } from "./skills-port.ts";
import { trustPort } from "./trust-port.ts";

export interface SlashPortParts
  extends ConversationPortParts,
    ModelPortParts,
    PlanPortParts,
    RunPortParts,
    SkillsPortParts {
  program: Program;
  surface: SurfaceControl;
  setDraft(text: string): void;
  onSettings(): void;
  quit(restart: boolean): void;
  earlierPrompts: SlashPorts["prompts"]["earlier"];
  compactor: SlashPorts["compactor"];
}

/** Everything that the slash commands need, of this program and its surface. */
export function slashPorts(parts: SlashPortParts): SlashPorts {
  const { program, surface } = parts;
  const app = () => {
    if (program.app !== undefined) return program.app;
    throw new Error("the conversation is not open");
  };
  const ports: SlashPorts = {
    clock: systemClock,
    near: (name, known) => nearNames(name, known),
    settings: settingsPort(program, parts.onSettings),
    session: sessionPort(parts),
    sessions: sessionsPort(parts),
    branches: branchPort(parts),
    compaction: compactionPort(parts),
    moves: watchedMoves(movePort(parts), program),
    context: contextPort(program),
    conversation: { messages: () => program.session?.messages() ?? [] },
    clipboard: { write: (text) => surface.copy(text) },
    prompts: { earlier: parts.earlierPrompts, setDraft: parts.setDraft },
    export: exportPort(program),
    extensions: extensionsPort(program),
    git: gitPort(app),
    commitModel: commitModelPort(program),
    model: modelPort(parts),
    ping: pingPort(program),
    login: loginSlashPort(parts),
    doctor: { checks: () => doctorChecks(program) },
    help: { commands: () => program.commands() },
    keys: {
      list: () => surface.keys.list(),
      conflicts: () => surface.keys.conflicts(),
      file: homeRelative(program.parts.place.home.config),
    },
    themes: surface.themes,
    trust: trustPort(program),
    skills: skillsPort(parts),
    agents: agentsPort(program, surface),
    plan: planPort(parts),
    run: runPort(parts),
    mcp: mcpPort(parts),
    memory: memoryPort(program),
    compactor: parts.compactor,
    program: { quit: () => parts.quit(false), restart: () => parts.quit(true) },
  };
  program.extensionProgram = extensionProgram(ports, program);
  return ports;
}

/** What the output compactor of this conversation did. */
export function compactorPort(program: Program): SlashPorts["compactor"] {
  return {
    enabled: () => program.settings?.config.compactor.enabled ?? true,
    statistics: () =>
      (program.app?.compactor.statistics().tools ?? []).flatMap(({ tool, techniques }) =>
        techniques.map(({ technique, count, charsBefore, charsAfter }) => ({
          tool,
          technique,
          count,
          before: charsBefore,
          after: charsAfter,
        })),
      ),
    reset: () => program.app?.compactor.reset(),
  };
}

async function doctorChecks(program: Program) {
  const { doctorChecks: look } = await import("../../doctor-checks.ts");
  const { flags, place } = program.parts;
  const { settings, app } = program;
  const notices = new Notices();
  if (settings === undefined || app === undefined)
    return [{ name: "program", state: "missing" as const, found: "it has not started yet" }];
  return look({
    home: place.home,
    cwd: place.cwd,
    processes: app.processes,
    confinement: app.doors.shell.confinement,
    resolve: async () =>
      resolveModel(await resolveOptions(flags, settings, place.environment, place.home, notices)),
    logins: async () =>
      (await import("../../login/login-states.ts")).loginChecks(place.home, place.environment),
    extensions: async () =>
      (await import("../../extensions/extension-checks.ts")).extensionChecks(flags, settings, place),
    hooks: async () => (await import("../../hook-checks.ts")).hookChecks(settings, place),
    skills: async () => (await import("../../skill-checks.ts")).skillChecks(settings, place),
    lsp: async () => (await import("../../lsp-checks.ts")).lspChecks(settings, place),
    mcp: async () => (await import("../../mcp-checks.ts")).mcpChecks(settings, place),
    subagents: async () =>
      (await import("../../subagent-checks.ts")).subagentChecks(settings, place, app.processes),
    memory: async () => (await import("../../memory-checks.ts")).memoryChecks(settings, place),
    notices: notices.take(),
  });
}
