import type { MemoryRecord, MemoryScope } from "agentic-remem/core";
import type { Memory, MemorySession } from "agentic-remem/runtime";
import type {
  ListedMemory,
  MemoryExplanation,
  MemoryPorts,
  MemoryReport,
  ShownMemory,
  WaitingCorrection,
} from "../../../commands/slash/memory-ports.ts";
import { PiError } from "../../../contract/errors.ts";
import { systemClock } from "../../../platform/clock.ts";
import type { LateMemory } from "../../late-memory.ts";
import type { Program } from "../program.ts";
import { homeRelative } from "./settings-port.ts";

/** Whoever uses a slash command sits at the terminal. */
const PERSON = { name: "", interactive: true } as const;
const SHORT_ID = 8;
/** A short id is looked for among so many of the newest memories. */
const MOST_LISTED = 5_000;
const MOST_CANDIDATES = 200;
/** A command waits no longer for what is on its way to the store. */
const STORING_MS = 3_000;

/** The long-term memory of the open conversation, for the person at the terminal. */
export function memoryPort(program: Program): MemoryPorts["memory"] {
  const late = (): LateMemory => {
    if (program.app !== undefined) return program.app.memory;
    throw new PiError({
      code: "not_ready",
      message: "the conversation is not open",
      hint: "Choose a model: /model",
    });
  };
  const sessionId = () => program.session?.id ?? "";
  const withMemory = <T>(work: (memory: Memory, session: MemorySession) => Promise<T>): Promise<T> =>
    told(async () => {
      const memory = await late().open();
      await memory.ready();
      // What was said just now is a part of what is asked for.
      await Promise.race([memory.idle(), systemClock.sleep(STORING_MS)]);
      return work(memory, memory.session({ id: sessionId() }));
    });
  const list = (limit: number, states: readonly ("active" | "candidate" | "superseded")[] = ["active"]) =>
    withMemory(async (memory, session) => {
      const store = await memory.store("read");
      if (store === undefined) return [];
      const { scopes } = await session.context();
      const lists = await Promise.all(scopes.map((scope) => store.memories.list({ scope, states }, limit)));
      return lists
        .flat()
        .sort((one, other) => other.at - one.at)
        .slice(0, limit);
    });
  return {
    enabled: () => program.app?.memory.enabled() ?? false,
    declared: () => late().declared,
    switched: () => program.showMemory(),
    report: () => withMemory((memory, session) => report(late(), memory, session)),
    explain: () => withMemory((memory, session) => explanation(memory, session)),
    search: (words, limit, signal) =>
      withMemory(async (_, session) => {
        const { memories, gaps, reason } = await session.search(words, { limit, signal });
        const problems = gaps.map(({ provider, reason: why }) => `${provider} (${why.replaceAll("_", " ")})`);
        return {
          memories: memories.map(({ record }) => listedOf(record)),
          problems: reason === undefined ? problems : [...problems, reason],
        };
      }),
    recent: async (limit) => (await list(limit)).map(listedOf),
    async find(id) {
      const exact = await withMemory(async (memory, session) => {
        const store = await memory.store("read");
        return (await store?.memories.get([id], (await session.context()).scopes)) ?? [];
      });
      if (exact[0] !== undefined) return shownOf(exact[0], sessionId());
      const known = id === "" ? [] : await list(MOST_LISTED, ["active", "candidate", "superseded"]);
      const [found, ...more] = known.filter((record) => record.id.startsWith(id));
      if (found !== undefined && more.length === 0) return shownOf(found, sessionId());
      throw new PiError({
        code: "unknown_memory",
        message:
          more.length > 0
            ? `${more.length + 1} memories begin with "${id}"`
            : `there is no memory "${id}" of this project`,
        hint: "/memory recent and /memory search WORDS show ids; their unique start is enough.",
      });
    },
    edit: (id, wording) =>
      withMemory(async (memory) => {
        const result = await (await memory.manager()).update(id, { text: wording, title: "" }, PERSON);
        if (result.outcome === "forgotten")
          throw new PiError({
            code: "forgotten",
            message: "exactly this was erased once, and does not come back",
            hint: "Put it in other words.",
          });
        return result.id.slice(0, SHORT_ID);
      }),
    pin: (id, pinned) =>
      withMemory(async (memory) => void (await (await memory.manager()).pin([id], pinned, PERSON))),
    previewForget: (what) =>
      withMemory(async (memory, session) => {
        const selection =
          what === "session"
            ? { sessionId: session.id }
            : what === "project"
              ? { scope: projectOf((await session.context()).scopes) }
              : { ids: what.ids };
        const preview = await (await memory.manager()).previewForget(selection);
        return { ...preview, sample: preview.sample.map(listedOf) };
      }),
    forget: (token) => withMemory(async (memory) => (await memory.manager()).forget(token, PERSON)),
    candidates: async () =>
      (await list(MOST_CANDIDATES, ["candidate"])).map((record) => shownOf(record, sessionId())),
    approve: (id) =>
      withMemory(async (memory) => void (await (await memory.manager()).approve([id], PERSON))),
    reject: (id) => withMemory(async (memory) => void (await (await memory.manager()).reject([id], PERSON))),
    corrections: (signal) => withMemory((memory, session) => waitingCorrections(memory, session, signal)),
    settleCorrection: (id, revision, verdict) =>
      withMemory(async (memory) => {
        const queue = await memory.corrections();
        if (verdict === "apply") await queue.approve(id, revision, PERSON);
        else await queue.reject(id, revision, PERSON);
      }),
  };
}

async function waitingCorrections(
  memory: Memory,
  session: MemorySession,
  signal: AbortSignal,
): Promise<WaitingCorrection[]> {
  if ((await memory.store("read")) === undefined) return [];
  const { scopes } = await session.context();
  const own = scopes.flatMap((scope) => (scope.kind === "project" ? [scope.id] : []));
  const queue = await memory.corrections();
  const open = (await queue.open()).filter(({ project }) => own.includes(project));
  const checked: WaitingCorrection[] = [];
  for (const { id } of open) checked.push(await queue.validate(id, signal));
  return checked;
}

/** The engine's own errors, as a command shows them. */
async function told<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const { CorrectionError, ManagerError, StoreError } = await import("agentic-remem/core");
    if (!StoreError.is(thrown) && !ManagerError.is(thrown) && !CorrectionError.is(thrown)) throw thrown;
    throw new PiError({ code: thrown.code, message: thrown.message, hint: thrown.hint, cause: thrown });
  }
}

function projectOf(scopes: readonly MemoryScope[]): MemoryScope {
  const scope = scopes.find(({ kind }) => kind === "project");
  if (scope !== undefined) return scope;
  throw new PiError({
    code: "nothing_selected",
    message: "nothing is remembered of this project yet",
    hint: "/memory status says what is stored.",
  });
}

async function report(late: LateMemory, memory: Memory, session: MemorySession): Promise<MemoryReport> {
  const status = await session.status();
  return {
    enabled: late.enabled(),
    state: await memory.ready(),
    file: homeRelative(late.file),
    declared: late.declared,
    stores: status.providers,
    limits: {
      start: status.limits.startTokens,
      prompt: status.limits.promptTokens,
      lookbackHours: status.limits.lookbackHours,
    },
    capture: memory.capture(),
    spent: late.spent,
  };
}

async function explanation(memory: Memory, session: MemorySession): Promise<MemoryExplanation> {
  const trace = await session.explain();
  const kept = session.explainCapture().recent;
  if (trace === undefined) return { recall: null, kept };
  const { scopes } = await session.context();
  const store = await memory.store("read");
  const records =
    (await store?.memories.get(
      trace.hits.map(({ id }) => id),
      scopes,
    )) ?? [];
  const lines = new Map(records.map((record) => [record.id, lineOf(record)]));
  const hits = trace.hits.map(({ id, fate, score }) => ({
    shortId: id.slice(0, SHORT_ID),
    fate,
    score,
    line: lines.get(id) ?? "(erased)",
  }));
  return { recall: { ...trace, hits }, kept };
}

function listedOf(record: MemoryRecord): ListedMemory {
  const { id, kind, provenance, at, state, pinned } = record;
  return {
    id,
    shortId: id.slice(0, SHORT_ID),
    kind,
    by: provenance.author.name ?? provenance.author.role,
    typed: provenance.typed,
    at,
    state,
    pinned,
    line: lineOf(record),
  };
}

function lineOf({ title, text }: MemoryRecord): string {
  return (title === "" ? text : title).replace(/\s+/gu, " ").trim();
}

function shownOf(record: MemoryRecord, sessionId: string): ShownMemory {
  const { title, text, scope, provenance, files, subject, supersededBy } = record;
  const places = { global: "everywhere", workspace: "this folder", project: "this project" } as const;
  const place =
    scope.kind !== "session"
      ? places[scope.kind]
      : scope.id === sessionId
        ? "this conversation"
        : "an earlier conversation";
  return {
    ...listedOf(record),
    text: title === "" ? text : `${title}\n${text}`,
    scope: place,
    host: provenance.host,
    sessionId: provenance.sessionId,
    files,
    ...(subject === undefined ? {} : { subject }),
    ...(supersededBy === undefined ? {} : { supersededBy: supersededBy.slice(0, SHORT_ID) }),
  };
}
