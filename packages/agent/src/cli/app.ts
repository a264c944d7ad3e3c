import { release, tmpdir } from "node:os";
import { join } from "node:path";
import type { RunnerOptions } from "../agent/options.ts";
import { Runner } from "../agent/runner.ts";
import type { Compactor } from "../compactor/compactor.ts";
import type { Callbacks } from "../contract/callbacks.ts";
import type { AskDoor } from "../contract/consent.ts";
import type { UserMessage } from "../contract/messages.ts";
import { textOf } from "../contract/messages.ts";
import type { SandboxTier } from "../contract/process.ts";
import type { Logger } from "../contract/services.ts";
import type { Conversation } from "../contract/session.ts";
import type { AnyTool, ToolContext } from "../contract/tool.ts";
import { createTokenBudget, type DayBudget } from "../guardrail/token-budget.ts";
import { createLogger, type SessionLogger } from "../logger/logger.ts";
import { systemClock } from "../platform/clock.ts";
import type { HomeFolders } from "../platform/home.ts";
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
import type { ChosenModel } from "./choose-model.ts";
import { readContextFiles } from "./context-files.ts";
import type { Flags } from "./flags.ts";
import { type Checkpoints, lateCheckpoints } from "./late-checkpoints.ts";
import { lateCompactor, readSpilled } from "./late-compactor.ts";
import { lateHooks } from "./late-hooks.ts";
import { type LateSkills, lateSkills } from "./late-skills.ts";
import type { Notices } from "./notices.ts";
import type { Settings } from "./settings.ts";
import { createShellFor, sandboxTier } from "./shell.ts";
import { buildSystemPrompt, type ContextFile, environmentNote } from "./system-prompt.ts";
import { chooseTools } from "./tool-list.ts";

/** What an app is built from. */
export interface AppParts {
  flags: Flags;
  settings: Settings;
  home: HomeFolders;
  environment: Readonly<Record<string, string | undefined>>;
  /** The project folder: a real path. */
  cwd: string;
  mode: string;
  chosen: ChosenModel;
  session: Session;
  notices: Notices;
  /** Asks a person before calls that a rule says to ask for; absent: there is nobody, and such calls are refused. */
  ask?: AskDoor;
  /** Sees every message that goes into the conversation, after it was stored. */
  onAppend?: Conversation["append"];
}

/** What belongs to one conversation and lives as long as it does. */
export type AppDoors = Omit<ToolContext, "callId" | "signal" | "progress" | "model">;

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
  ];
  // Before anything is written: a wrong name is refused and leaves nothing behind.
  const tools = chooseTools(all, flags.tools, flags.excludeTools);
  const secrets = chosen.secret === null ? [] : [chosen.secret];
  const processes = createProcessRegistry({
    environment,
    ownerId: newId(),
    clock: systemClock,
    ...(config.sandbox.environment === undefined ? {} : { allow: config.sandbox.environment }),
    secretValues: secrets,
  });
  const spillFolder = session.folder === null ? null : join(session.folder, "output");
  const temporary = spillFolder === null ? await temporaryFolder() : null;
  const output = spillFolder ?? temporary!.path;
  const skills = flags.noSkills ? null : await lateSkills({ settings, home, cwd, notices });
  const files = createFileDoor({ root: cwd, extraRoots: () => [output, ...(skills?.readable ?? [])] });
  const tier = sandboxTier(settings);
  const notConfined = (reason: string) => notices.warn(`bash is not confined on this machine: ${reason}`);
  const shell = createShellFor(settings, { home, cwd: files.root }, processes, {
    readable: [output],
    onInactive: notConfined,
  });
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
  const hooks = await lateHooks({ settings, environment, notices, ask: parts.ask ?? null, doors });
  const wrapped = await wrapTools(parts, doors, output, checkpoints);
  const { compactor } = wrapped;
  // Hooks first: the rules have to see the input that a hook leaves.
  const callbacks = [...hooks.callbacks, ...wrapped.callbacks];
  const noteOnce = once(() => noteEnvironment(session, files.root, sandboxWords(shell, tier)));
  const options: RunnerOptions = {
    conversation: watched(session, {
      before(message) {
        noteOnce();
        checkpoints.appending(message);
      },
      after(message) {
        checkpoints.appended(message);
        parts.onAppend?.(message);
      },
    }),
    model: chosen.model,
    client: chosen.client,
    system: buildSystemPrompt({
      replacement: flags.system,
      files: contextFiles,
      skills: tools.includes(readTool) ? (skills?.library?.instruction() ?? "") : "",
      addition: flags.appendSystem,
    }),
    tools,
    toolContext: (callId, signal, progress) => ({
      ...doors,
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
  const runner = new Runner(options);
  session.saveSettings({ model: chosen.model.id, provider: chosen.model.provider });
  if (tier !== "off" && !shell.confinement.active) notConfined(shell.confinement.reason ?? "no sandbox");
  hooks.begin({ resumed: session.messages().length > 0, mode: parts.mode });
  const close = once(async () => {
    await hooks.end();
    await checkpoints.close();
    await processes.endAll();
    budget.flush();
    session.close();
    logger.close();
    await temporary?.remove();
  });
  return {
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
    checkpoints,
    options,
    useModel(next) {
      options.model = next.model;
      options.client = next.client;
      if (next.secret !== null && !secrets.includes(next.secret)) {
        secrets.push(next.secret);
        logger.hide(next.secret);
      }
      session.saveSettings({ model: next.model.id, provider: next.model.provider });
    },
    setThinking(level) {
      options.thinking = level;
      session.saveSettings({ thinking: level });
    },
    close,
  };
}

/** What wraps the tools from outside, in the order in which it acts. Parts that have nothing to do are not loaded. */
async function wrapTools(
  { settings, home, notices, ask }: Pick<AppParts, "settings" | "home" | "notices" | "ask">,
  doors: AppDoors,
  output: string,
  checkpoints: Checkpoints,
): Promise<{ callbacks: Callbacks[]; compactor: Compactor }> {
  const { permissions, compactor: setting } = settings.config;
  const callbacks: Callbacks[] = [];
  if (permissions.ask.length + permissions.deny.length > 0) {
    const { createPermissions } = await import("../permission/permissions.ts");
    const { keepRule } = await import("./keep-rule.ts");
    const rules = createPermissions({
      rules: permissions,
      ask: ask ?? null,
      files: doors.files,
      persist: (rule) => keepRule(rule, home),
      onProblem: (message) => notices.warn(message),
    });
    for (const { message } of rules.problems) notices.warn(message);
    callbacks.push(rules);
  }
  const compactor = lateCompactor({
    enabled: () => setting.enabled,
    spill: doors.spill,
    readSpilled: (path) => readSpilled(path, output),
  });
  // After the permissions: what they refuse changes nothing.
  return { callbacks: [...callbacks, checkpoints.callbacks, compactor], compactor };
}

/** The conversation as the loop sees it: `before` is told of each message before it is stored, `after` after that. */
function watched(
  session: Session,
  { before, after }: Record<"before" | "after", Conversation["append"]>,
): Conversation {
  const append: Conversation["append"] = (message) => {
    before(message);
    session.append(message);
    after(message);
  };
  return Object.create(session, { append: { value: append } }) as Conversation;
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

/** Tells the model where it works, before the first message, and again when it changed (another day, another folder). */
function noteEnvironment(session: Session, cwd: string, sandbox: string): void {
  const text = environmentNote({
    cwd,
    platform: `${process.platform} ${release()}`,
    date: new Date().toISOString().slice(0, 10),
    sandbox,
  });
  const last = session
    .messages()
    .findLast((message) => message.role === "user" && isEnvironmentNote(message));
  if (last && textOf(last.parts) === text) return;
  const reminder: UserMessage = { role: "user", origin: "reminder", parts: [{ type: "text", text }] };
  session.append(reminder);
}

/** Hooks and skills leave reminders of their own. */
function isEnvironmentNote({ origin, parts }: UserMessage): boolean {
  return origin === "reminder" && textOf(parts).startsWith("<environment>");
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
