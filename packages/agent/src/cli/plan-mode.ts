import type { ProcessDoor, ProcessSpec } from "../contract/process.ts";
import type { AnyTool } from "../contract/tool.ts";
import type { McpHub } from "../extension/mcp/mcp-hub.ts";
import { SwitchedPlanMode } from "../plan/mode/plan-mode.ts";
import type { PlannedSpec } from "../plan/spec/planned-spec.ts";
import { systemClock } from "../platform/clock.ts";
import { runBounded } from "../platform/processes/bounded-run.ts";
import type { Shell } from "../sandbox/shell/shell.ts";
import type { AppDoors, AppParts } from "./app-parts.ts";
import type { LateSubagents } from "./late-subagents.ts";

/** What plan mode of a conversation is made from. */
export interface PlanModeJoin extends Pick<AppParts, "flags" | "session" | "subagent" | "mode" | "notices"> {
  doors: Pick<AppDoors, "files">;
  /** Confines commands to writing nothing, or refuses them. */
  reader: Shell;
  subagents: Pick<LateSubagents, "types" | "started">;
  /** The MCP servers; null when there are none. */
  hub(): Promise<McpHub | null>;
  /** The tools of the run in progress, and those of them that are ours or of tool servers. */
  tools(): { all: readonly AnyTool[]; own: readonly AnyTool[] };
  /** The spec that is planned in this conversation. */
  planned(): Promise<PlannedSpec | null>;
}

/** Plan mode as the session was left with it, or as this run is to begin. */
export function joinPlanMode({ flags, session, subagent, ...parts }: PlanModeJoin): SwitchedPlanMode {
  // A subagent goes on as its caller is now, whatever it was before.
  const on = subagent?.handoff.planMode ?? (flags.planMode || session.settings[SETTING] === true);
  if (on) session.saveSettings({ [SETTING]: true });
  // The terminal shows it in its status line.
  if (on && !flags.planMode && (parts.mode === "print" || parts.mode === "json"))
    parts.notices.warn(
      "this session is in plan mode: nothing is written but below specs/ (/plan in the terminal ends it)",
    );
  return new SwitchedPlanMode({
    on,
    quiet: subagent !== undefined,
    conversation: session,
    save: (now) => session.saveSettings({ [SETTING]: now }),
    facts: {
      files: parts.doors.files,
      own(name) {
        const { all, own } = parts.tools();
        const tool = all.find((each) => each.name === name);
        return tool !== undefined && own.includes(tool);
      },
      confinement: () => parts.reader.confinement,
      agentTypes: () => parts.subagents.types,
      agentTypeOf: (id) => parts.subagents.started?.get(id)?.type.name ?? /^(.+)-\w+$/.exec(id)?.[1],
      declaredReadOnly: async (tool) => saysItOnlyReads(await parts.hub(), tool),
      async specProblem(path) {
        const { specProblem } = await import("../plan/spec/write-rules.ts");
        return specProblem(path, await parts.planned());
      },
    },
  });
}

/** The key of the session's setting. */
const SETTING = "plan_mode";

/** Two shells as one: in plan mode commands run in the one that may write nothing. */
export function switchedShell(planned: () => boolean, ordinary: Shell, reader: Shell): Shell {
  const current = () => (planned() ? reader : ordinary);
  return {
    get confinement() {
      return current().confinement;
    },
    start: (command, options) => current().start(command, options),
    prepare: () => current().prepare(),
  };
}

/**
 * The processes that hooks are run by: in plan mode where nothing can be written. Where there is no such place they do not start, which
 * counts as a hook that failed.
 */
export function hookProcesses(
  planned: () => boolean,
  ordinary: ProcessDoor,
  reader: Shell,
  cwd: string,
): Pick<ProcessDoor, "run"> {
  return {
    async run(spec, limits) {
      if (!planned()) return await ordinary.run(spec, limits);
      return await runBounded(await reader.start(asLine(spec), { cwd }), limits, systemClock);
    },
  };
}

/** A program and its input as one command line; commands of a shell have no stdin of their own. */
function asLine({ argv, stdin }: ProcessSpec): string {
  const program = argv.map(quoted).join(" ");
  if (!(stdin instanceof Uint8Array)) return `${program} < /dev/null`;
  return `printf %s ${quoted(new TextDecoder().decode(stdin))} 2>/dev/null | ${program}`;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Whether every server that has a tool of this name says that it only reads. */
async function saysItOnlyReads(hub: McpHub | null, tool: string): Promise<boolean> {
  if (hub === null) return false;
  const { toolName } = await import("../extension/mcp/tools/tool-name.ts");
  const listed = hub.servers.flatMap(({ name: server, catalog }) =>
    (catalog?.tools ?? []).filter(({ name }) => toolName(server, name) === tool),
  );
  return (
    listed.length > 0 &&
    listed.every(
      ({ annotations }) => annotations?.readOnlyHint === true && annotations.destructiveHint !== true,
    )
  );
}
