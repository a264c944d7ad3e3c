import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunnerOptions } from "../agent/options.ts";
import type { Runner } from "../agent/runner.ts";
import type { Compactor } from "../compactor/compactor.ts";
import type { SandboxTier } from "../contract/process.ts";
import type { Logger } from "../contract/services.ts";
import type { AnyTool } from "../contract/tool.ts";
import { createTokenBudget, type DayBudget } from "../guardrail/token-budget.ts";
import { createLogger, type SessionLogger } from "../logger/logger.ts";
import type { PlanMode } from "../plan/mode/plan-mode.ts";
import { systemClock } from "../platform/clock.ts";
import { newId } from "../platform/ids.ts";
import { createProcessRegistry, type ProcessRegistry } from "../platform/processes/registry.ts";
import { findRipgrep } from "../platform/ripgrep.ts";
import { priceOf } from "../provider/registry/cost.ts";
import { createFileDoor } from "../sandbox/files/file-door.ts";
import { createReadLedger } from "../sandbox/ledger.ts";
import type { Shell } from "../sandbox/shell/shell.ts";
import { createSpillDoor } from "../sandbox/spill.ts";
import type { Session } from "../session/session.ts";
import { bashTool } from "../tools/bash/bash.ts";
import { bashKillTool } from "../tools/bash-kill/bash-kill.ts";
import { bashOutputTool } from "../tools/bash-output/bash-output.ts";
import { editTool } from "../tools/edit/edit.ts";
import { createFindTool } from "../tools/find/find.ts";
import { gitFileDiffTool } from "../tools/git-file-diff/git-file-diff.ts";
import { gitHunkTool } from "../tools/git-hunk/git-hunk.ts";
import { gitOverviewTool } from "../tools/git-overview/git-overview.ts";
import { createGrepTool } from "../tools/grep/grep.ts";
import { lsTool } from "../tools/ls/ls.ts";
import { readTool } from "../tools/read/read.ts";
import {
  type BackgroundCommands,
  createBackgroundCommands,
} from "../tools/shared/commands/background-commands.ts";
import { treeTool } from "../tools/tree/tree.ts";
import { writeTool } from "../tools/write/write.ts";
import type { AppDoors, AppParts } from "./app-parts.ts";
import { readContextFiles } from "./context-files.ts";
import type { LateExtensions } from "./extensions/conversation-extensions.ts";
import type { Flags } from "./flags.ts";
import { type Checkpoints, lateCheckpoints } from "./late-checkpoints.ts";
import { lateExtensions } from "./late-extensions.ts";
import { lateHooks } from "./late-hooks.ts";
import { lateLanguageServers } from "./late-lsp.ts";
import { builtInNames, type LateMcp, lateMcp } from "./late-mcp.ts";
import { type LateMemory, lateMemory } from "./late-memory.ts";
import { type LatePlan, latePlan } from "./late-plan.ts";
import { type LateSkills, lateSkills } from "./late-skills.ts";
import { type LateSubagents, lateSubagents } from "./late-subagents.ts";
import { noteEnvironment } from "./note-environment.ts";
import { hookProcesses, joinPlanMode, switchedShell } from "./plan-mode.ts";
import type { ChosenModel } from "./run-setup.ts";
import { createShellFor, sandboxTier } from "./shell.ts";
import { buildSystemPrompt, type ContextFile } from "./system-prompt.ts";
import { chooseTools } from "./tool-list.ts";
import { watched } from "./watched-conversation.ts";
import { wrapTools } from "./wrap-tools.ts";

/** A conversation ready to run. */
export interface App {
  runner: Runner;
  session: Session;
  logger: Logger;
  doors: AppDoors;
  processes: ProcessRegistry;
  background: BackgroundCommands;
  budget: DayBudget;
  contextFiles: readonly ContextFile[];
  compactor: Compactor;
  /** Null with `--no-skills`. */
  skills: LateSkills | null;
  mcp: LateMcp;
  memory: LateMemory;
  subagents: LateSubagents;
  /** The switch of plan mode: only reading, and writing below `specs/`. */
  planMode: PlanMode;
  plan: LatePlan;
  extensions: LateExtensions;
  checkpoints: Checkpoints;
  /** What the runner is built from; read anew at the start of each run. */
  options: Readonly<RunnerOptions>;
  /** Goes on with another model from the next run on. */
  useModel(chosen: ChosenModel): void;
  setThinking(level: RunnerOptions["thinking"]): void;
  /** Ends every process and writes what is left. A second call does nothing. */
  close(): Promise<void>;
}

/** The one place that builds everything. Nothing here talks to a network; heavy parts load at their first use. */
export async function buildApp(parts: AppParts): Promise<App> {
  const { flags, settings, home, environment, cwd, chosen, session, notices } = parts;
  const { config } = settings;
  const background = createBackgroundCommands({ clock: systemClock });
  const ripgrep = once(() => findRipgrep(home.cache));
  const languages = lateLanguageServers({ settings, home, environment, doors: () => doors });
  const extending = lateExtensions(parts);
  const extensionHost = async () => (await extending).host;
  const memory = await lateMemory({ ...parts, budget: () => budget, extensions: extensionHost });
  const subagents = await lateSubagents({
    ...parts,
    doors: () => doors,
    running: () => options,
    hub: () => mcp.opened(),
    extensions: extensionHost,
    team: () => join(session.folder ?? output, "agents"),
    around: (paths, write) => checkpoints.around(paths, write),
    planned: () => planMode.on,
  });
  const all: AnyTool[] = [
    readTool,
    writeTool,
    editTool,
    bashTool({ background }),
    bashOutputTool({ background }),
    bashKillTool({ background }),
    createGrepTool(ripgrep),
    createFindTool(ripgrep),
    lsTool,
    treeTool,
    gitOverviewTool,
    gitFileDiffTool,
    gitHunkTool,
    ...languages.tools,
    ...memory.tools,
    ...subagents.tools,
  ];
  // Before anything is written: a wrong name is refused and leaves nothing behind.
  const extensions = await extending;
  const own = (names: readonly string[]) =>
    extensions.without(memory.withoutUndeclared(builtInNames(names, { settings, home })));
  const tools = chooseTools(all, flags.tools && own(flags.tools), own(flags.excludeTools));
  const secrets = chosen.secret === null ? [] : [chosen.secret];
  const processes = createProcessRegistry({
    environment,
    ownerId: newId(),
    clock: systemClock,
    ...(config.sandbox.environment === undefined ? {} : { allow: config.sandbox.environment }),
    secretValues: secrets,
  });
  // Servers start beside everything else.
  const mcp = await lateMcp(
    {
      ...parts,
      flags: serverFlags(parts),
      only: parts.subagent?.handoff.servers,
      processes,
      onChange: parts.onMcpChange,
    },
    tools,
  );
  const spillFolder = session.folder === null ? null : join(session.folder, "output");
  const temporary = spillFolder === null ? await temporaryFolder() : null;
  const output = spillFolder ?? temporary!.path;
  const skills = flags.noSkills
    ? null
    : await lateSkills({ settings, home, cwd, notices, resources: extensions.resources });
  const files = createFileDoor({ root: cwd, extraRoots: () => [output, ...(skills?.readable ?? [])] });
  const tier = sandboxTier(settings);
  const notConfined = (reason: string) => notices.warn(`bash is not confined on this machine: ${reason}`);
  const place = { home, cwd: files.root };
  const readable = [output];
  const ordinary = createShellFor(settings, place, processes, {
    readable,
    required: parts.subagent?.handoff.agent.readOnly ?? false,
    onInactive: notConfined,
  });
  const reader = createShellFor(settings, place, processes, { readable, tier: "read-only", required: true });
  const plan = latePlan({
    ...parts,
    doors: () => doors,
    mode: () => planMode,
    send(text) {
      // No words of the person's.
      memory.typedPart(text, "");
      if (parts.send === undefined) runner.followUp(text);
      else parts.send(text);
    },
  });
  const planMode = joinPlanMode({
    ...parts,
    doors: { files },
    reader,
    subagents,
    hub: () => mcp.opened(),
    tools: () => ({ all: options.tools, own: mcp.tools() }),
    planned: async () => (plan.current === null ? null : (await plan.open()).spec),
  });
  const shell = switchedShell(() => planMode.on, ordinary, reader);
  const doors: AppDoors = {
    cwd: files.root,
    sessionId: session.id,
    files,
    ledger: createReadLedger(),
    processes,
    shell,
    spill: createSpillDoor(output),
  };
  const logger = flags.noSession ? silentLogger : openLogger(parts, secrets);
  const contextFiles = flags.noContextFiles ? [] : await readContextFiles(cwd, home, notices);
  const budget = createTokenBudget({
    file: home.usage,
    limit: config.guardrail.max_daily_tokens,
    now: Date.now,
    onNotice: (message) => notices.warn(message),
  });
  const checkpoints = await lateCheckpoints({
    session,
    files,
    processes,
    // One-shot runs are about speed, and nobody goes back in the middle of them.
    watchCommands: parts.mode === "interactive",
    onProblem: (message) => notices.warn(message),
  });
  const hooks = await lateHooks({
    settings,
    environment,
    notices,
    ask: parts.ask ?? null,
    doors,
    processes: hookProcesses(() => planMode.on, processes, reader, files.root),
  });
  const wrapped = await wrapTools(parts, doors, output, { checkpoints, languages });
  const { compactor } = wrapped;
  // Hooks first: plan mode and the rules have to see the input that a hook leaves.
  const around = [
    planMode.callbacks,
    plan.callbacks,
    ...wrapped.callbacks,
    memory.callbacks,
    subagents.callbacks,
  ];
  const callbacks = [...hooks.callbacks, ...extensions.callbacks, ...around];
  const noteOnce = once(() => noteEnvironment(session, files.root, sandboxWords(shell, tier)));
  const options: RunnerOptions = {
    conversation: extensions.conversation(
      watched(session, {
        before(message) {
          noteOnce();
          memory.before(message);
          checkpoints.appending(message);
        },
        after(message) {
          checkpoints.appended(message);
          parts.onAppend?.(message);
          memory.after(message);
        },
      }),
    ),
    model: chosen.model,
    client: subagents.sharing(chosen.client, chosen.model.provider),
    system: memory.withInstruction(
      buildSystemPrompt({
        replacement: flags.system,
        files: contextFiles,
        skills: tools.includes(readTool) ? (skills?.library?.instruction() ?? "") : "",
        addition: flags.appendSystem,
      }),
    ),
    tools: extensions.tools(tools),
    beforeRun() {
      mcp.takeOver();
      options.tools = extensions.tools(mcp.tools());
    },
    toolContext: (callId, signal, progress) => ({
      ...doors,
      ...wrapped.context,
      model: options.model,
      callId,
      signal,
      progress,
    }),
    callbacks,
    budget,
    clock: systemClock,
    newId,
    random: Math.random,
    agentName: "pi",
    cwd: files.root,
    ...(flags.maxTurns === null ? {} : { maxTurns: flags.maxTurns }),
    thinking: config.thinking,
    retry: { maxDelayMs: config.retry.maxDelay * 1_000 },
    idle: { firstByteMs: config.idle.firstByte * 1_000, betweenMs: config.idle.between * 1_000 },
    compaction: config.autoCompact,
    spill: doors.spill,
    priceOf,
  };
  const runner = extensions.runner(options);
  session.saveSettings({ model: chosen.model.id, provider: chosen.model.provider });
  if (tier !== "off" && !shell.confinement.active) notConfined(shell.confinement.reason ?? "no sandbox");
  await memory.begin();
  hooks.begin({ resumed: session.messages().length > 0, mode: parts.mode });
  const close = once(async () => {
    await extensions.close();
    await subagents.close();
    await hooks.end();
    // Side by side: programs need some hundredths of a second to end.
    await Promise.all([memory.close(), checkpoints.close(), mcp.close(), languages.close()]);
    await processes.endAll();
    budget.flush();
    session.close();
    logger.close();
    await temporary?.remove();
  });
  if (parts.mode !== "interactive") await mcp.ready();
  const app: App = {
    runner,
    session,
    logger,
    doors,
    processes,
    background,
    budget,
    contextFiles,
    compactor,
    skills,
    mcp,
    memory,
    subagents,
    planMode,
    plan,
    extensions,
    checkpoints,
    options,
    useModel(next) {
      extensions.modelChanged(next.model, options.model);
      options.model = next.model;
      options.client = subagents.sharing(next.client, next.model.provider);
      if (next.secret !== null && !secrets.includes(next.secret)) {
        secrets.push(next.secret);
        logger.hide(next.secret);
      }
      session.saveSettings({ model: next.model.id, provider: next.model.provider });
    },
    setThinking(level) {
      if (level !== options.thinking) extensions.thinkingChanged(level, options.thinking);
      options.thinking = level;
      session.saveSettings({ thinking: level });
    },
    close,
  };
  await extensions.begin({ ...app, tools: () => mcp.tools() });
  return app;
}

/** A subagent without a tool of a server starts none. */
function serverFlags({ flags, subagent }: AppParts): Flags {
  return subagent?.handoff.servers.length === 0 ? { ...flags, tools: [] } : flags;
}

function sandboxWords(shell: Shell, tier: SandboxTier): string {
  return shell.confinement.active ? `confined (${tier})` : "not confined";
}

const silentLogger: SessionLogger = {
  log: () => undefined,
  hide: () => undefined,
  close: () => undefined,
};

function openLogger(
  { home, chosen, session, mode, notices }: AppParts,
  secrets: readonly string[],
): SessionLogger {
  return createLogger({
    folder: home.logs,
    now: Date.now,
    sessionId: session.id,
    model: `${chosen.model.provider}/${chosen.model.id}`,
    mode,
    secrets,
    onNotice: (message) => notices.warn(message),
  });
}

/** A private folder for cut output when there is no session folder. */
async function temporaryFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const { mkdtemp, realpath, rm } = await import("node:fs/promises");
  const path = await mkdtemp(join(await realpath(tmpdir()), "pi-"));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
