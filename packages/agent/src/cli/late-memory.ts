import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Memory } from "agentic-remem/runtime";
import { estimateTokens, tokenFamily } from "../agent/token-estimate.ts";
import type { Callbacks } from "../contract/callbacks.ts";
import { MEMORY_TOOLS } from "../contract/memory.ts";
import { type Message, textOf } from "../contract/messages.ts";
import type { TokenBudget } from "../contract/services.ts";
import type { AnyTool } from "../contract/tool.ts";
import type { ExtensionHost } from "../extension/pi/host/extension-host.ts";
import { AgentMemory } from "../memory/agent-memory.ts";
import { mayHoldMemories, memoryPlaces } from "../memory/memory-places.ts";
import { isPrompt } from "../memory/persons-words.ts";
import { writeFileAtomic } from "../platform/atomic-file.ts";
import type { HomeFolders } from "../platform/home.ts";
import { ensurePrivateFolder } from "../platform/private-folder.ts";
import { isTerminal } from "../platform/terminal.ts";
import type { Session } from "../session/session.ts";
import { memGetTool } from "../tools/mem-get/mem-get.ts";
import { memSearchTool } from "../tools/mem-search/mem-search.ts";
import { memTimelineTool } from "../tools/mem-timeline/mem-timeline.ts";
import { chooseRunModel, resolveOptions } from "./choose-model.ts";
import type { Flags } from "./flags.ts";
import { Notices } from "./notices.ts";
import type { ChosenModel, Settings } from "./run-setup.ts";

export interface LateMemoryOptions {
  settings: Settings;
  flags: Flags;
  home: HomeFolders;
  environment: Readonly<Record<string, string | undefined>>;
  /** The project folder. */
  cwd: string;
  mode: string;
  session: Session;
  /** Conversations that the person cleared away in this program. */
  cleared?: ReadonlySet<string>;
  notices: Notices;
  /** The model of the run: it compresses where the role `smol` is not set. */
  chosen: ChosenModel;
  /** The day's tokens; not used before the conversation is built. */
  budget(): TokenBudget;
  /** Those of the conversation; null when it has none. */
  extensions(): Promise<ExtensionHost | null>;
}

/** The long-term memory of a conversation. Nothing of its engine is loaded while nothing is remembered and nothing is to be. */
export interface LateMemory {
  readonly callbacks: Callbacks;
  /** Declared only when memory was on and held something at the session's start, so that requests begin with the same bytes. */
  readonly tools: readonly AnyTool[];
  /** Whether requests of this session declare memory. */
  readonly declared: boolean;
  /** Tokens that compression took in this program. */
  readonly spent: number;
  /** The system text with what a model has to know of recalled text, by the same rule as the tools. */
  withInstruction(system: string): string;
  /** The database file of the settings. */
  readonly file: string;
  /** The switch, as it is now. */
  enabled(): boolean;
  /** The names without those of memory tools that exist and are not declared in this session. */
  withoutUndeclared(names: readonly string[]): readonly string[];
  /** Of the prompt `text` only `typed` is a person's own. */
  typedPart(text: string, typed: string): void;
  /** The conversation is built. With its first prompt the person is told once that memory is on. */
  begin(): Promise<void>;
  /** Stores what belongs before and behind a message; `store` is not told of what it stores itself. */
  before(message: Message): void;
  after(message: Message): void;
  /** The engine, opened at the first call, with all that was seen so far handed over to it. */
  open(): Promise<Memory>;
  close(): Promise<void>;
}

/** The model is waited for by then, in all likelihood. */
const LATER_MS = 5;
/** Kept in a session's settings: whether its requests declare memory. */
const SETTING = "memory";

export async function lateMemory(options: LateMemoryOptions): Promise<LateMemory> {
  const { settings, flags, home, environment, session } = options;
  const { memory: setting } = settings.config;
  const places = memoryPlaces({
    configured: setting.db_path,
    root: home.root,
    user: home.user,
    environment,
  });
  const captures = !flags.noSession;
  // A subagent's task is a model's words, and what it does is told by the one it works for.
  const enabled = () => settings.config.memory.enabled && options.mode !== "subagent";
  const resumed = session.head !== null;
  let instruction = "";
  let spent = 0;
  let untold = false;
  let opening: Promise<Memory> | undefined;
  const open = (): Promise<Memory> => {
    opening ??= openEngine(options, captures, (tokens) => {
      spent += tokens;
    });
    return opening;
  };
  let declared = false;
  if (enabled() && resumed) declared = session.settings[SETTING] === true;
  else if (enabled() && mayHoldMemories(places, environment))
    declared = await holdsSomething(await open(), session.id);
  if (declared) {
    ({ instruction } = await open());
    session.saveSettings({ [SETTING]: true });
  }
  const memory = new AgentMemory({
    conversation: session,
    open,
    enabled,
    captures,
    cleared: options.cleared ?? new Set(),
    recalls: declared,
    later(work) {
      const timer = setTimeout(work, LATER_MS);
      timer.unref();
      return () => clearTimeout(timer);
    },
  });
  const store = (message: Message | undefined) => {
    if (message === undefined) return;
    session.append(message);
    // A printed answer comes with nothing else; the session's log holds the text itself.
    if (options.mode !== "print") options.notices.add({ level: "info", message: recalledWords(message) });
  };
  const { door } = memory;
  return {
    callbacks: memory.callbacks,
    tools: declared ? [memSearchTool(door), memTimelineTool(door), memGetTool(door)] : [],
    declared,
    get spent() {
      return spent;
    },
    withInstruction: (system) => (instruction === "" ? system : `${system}\n\n${instruction}`),
    file: places.store,
    enabled,
    withoutUndeclared: (names) => (declared ? names : names.filter((name) => !NAMES.has(name))),
    typedPart: (text, typed) => memory.words.say(text, typed),
    async begin() {
      untold = enabled() && captures && (await isUntold(places.store, options.mode));
    },
    before(message) {
      if (untold && isPrompt(message)) tell(places.store, home.user, options.notices);
      if (isPrompt(message)) untold = false;
      store(memory.before(message));
    },
    after: (message) => store(memory.after(message)),
    open: () => memory.upToDate(),
    close: () => memory.close(),
  };
}

const NAMES: ReadonlySet<string> = new Set(MEMORY_TOOLS);

async function openEngine(
  options: LateMemoryOptions,
  captures: boolean,
  onUsage: (tokens: number) => void,
): Promise<Memory> {
  const { settings, home, environment, cwd, mode, notices } = options;
  const { memory: setting } = settings.config;
  const { openEngine: openNow } = await import("../memory/open-engine.ts");
  const interactive = mode === "interactive";
  const compresses = interactive && captures && setting.compression.enabled;
  return openNow({
    cwd,
    root: home.root,
    user: home.user,
    environment,
    setting,
    interactive,
    captures,
    model: compresses ? await smallModel(options, onUsage) : undefined,
    onNotice: (notice) => notices.add(notice),
  });
}

async function smallModel(options: LateMemoryOptions, onUsage: (tokens: number) => void) {
  const { settings, flags, environment, home, chosen, budget } = options;
  const { memoryModel } = await import("./memory-model.ts");
  return memoryModel({
    async choose() {
      if (!Object.hasOwn(settings.config.roles, "smol")) return chosen;
      const notices = new Notices();
      const resolved = await resolveOptions(flags, settings, environment, home, notices);
      const around = { ...options, notices, doors: { mode: options.mode }, host: await options.extensions() };
      return chooseRunModel({ ...resolved, request: null, role: "smol" }, null, around);
    },
    budget,
    onUsage,
  });
}

/** Whether anything is remembered that this session may read. A store that cannot be opened holds nothing; the engine has told of it. */
async function holdsSomething(memory: Memory, sessionId: string): Promise<boolean> {
  const state = await memory.ready();
  if (state !== "ready" && state !== "absent") return false;
  return await memory.session({ id: sessionId }).holdsAnything();
}

/** What a person is told of recalled text. */
function recalledWords({ parts }: Message): string {
  const text = textOf(parts);
  const pieces = text.match(/<(memory|title|session-summary)\b/g)?.length ?? 0;
  const tokens = estimateTokens(text, tokenFamily(""));
  return `${pieces} ${pieces === 1 ? "piece" : "pieces"} of memory recalled, about ${tokens} tokens; /memory explain says why`;
}

function toldFile(store: string): string {
  return join(dirname(store), "told");
}

/** Whether nobody was told yet that memory is on, and somebody can be now: a script's stderr is nobody's to be told on. */
async function isUntold(store: string, mode: string): Promise<boolean> {
  if (existsSync(toldFile(store))) return false;
  return mode === "interactive" || (mode === "print" && (await isTerminal(2)));
}

/** Says that memory is on, with the first prompt that it could keep, and never again. */
function tell(store: string, user: string, notices: Notices): void {
  try {
    ensurePrivateFolder(dirname(store));
    writeFileAtomic(toldFile(store), "");
  } catch {
    // It is said again next time, which is better than not at all.
  }
  const file = store.startsWith(`${user}/`) ? `~${store.slice(user.length)}` : store;
  notices.add({
    level: "info",
    message: `pi remembers what you state and what is done, on this machine only, in ${file}: /memory shows it, /memory off or --memory-off switches it off`,
  });
}
