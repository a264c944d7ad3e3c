import type { BranchPorts } from "../../../commands/slash/branch.ts";
import type { CompactPorts } from "../../../commands/slash/compact.ts";
import type { ResumePorts } from "../../../commands/slash/resume.ts";
import type { SessionPorts } from "../../../commands/slash/session.ts";
import { errorMessage, PiError } from "../../../contract/errors.ts";
import type { AgentEvent } from "../../../contract/events.ts";
import { addUsage, noUsage } from "../../../contract/messages.ts";
import type { SessionMeta } from "../../../contract/session.ts";
import type { Session } from "../../../session/session.ts";
import type { SessionStore } from "../../../session/session-store.ts";
import type { App } from "../../app.ts";
import { ownId, sessionStore } from "../../open-session.ts";
import type { Program } from "../program.ts";
import { homeRelative } from "./settings-port.ts";

/** Modes whose sessions a person may go on with. */
const PERSONAL: ReadonlySet<string> = new Set(["interactive", "print", "json"]);

const MOST_FOUND = 100;

export interface ConversationPortParts {
  program: Program;
  /** Shows another conversation from now on; null: a new one. */
  open(session: Session | null): Promise<void>;
  /** The branch or the view of the open conversation changed. */
  redraw(reason: string): void;
  /** Runs a compaction as if it were an answer; the events go to the surface and to `see`. */
  drive(
    events: (app: App, signal: AbortSignal) => AsyncIterable<AgentEvent>,
    see: (event: AgentEvent) => void,
  ): Promise<boolean>;
}

function sessionOf(program: Program): Session {
  if (program.session !== undefined) return program.session;
  throw new PiError({
    code: "no_session",
    message: "there is no conversation yet",
    hint: "It begins when a model is chosen.",
  });
}

export function storeOf(program: Program): SessionStore {
  const { place, notices } = program.parts;
  return sessionStore(place.home, notices);
}

export function sessionPort({ program, open }: ConversationPortParts): SessionPorts["session"] & {
  stand(): { id: string; messages: number; onDisk: boolean };
  fresh(): Promise<string>;
} {
  return {
    stand() {
      const session = program.session;
      return {
        id: session?.id ?? "",
        messages: session?.messages().filter(isSaid).length ?? 0,
        onDisk: session !== undefined && session.folder !== null && !session.degraded,
      };
    },
    async fresh() {
      await open(null);
      return sessionOf(program).id;
    },
    facts() {
      const session = sessionOf(program);
      // Also what a compaction has taken out of the model's view was said and paid for.
      const messages = session.said();
      let usage = noUsage();
      for (const message of messages)
        if (message.role === "assistant") usage = addUsage(usage, message.usage);
      const count = (role: string) => messages.filter((message) => message.role === role).length;
      const { title, created, model, provider, cwd } = session.meta;
      return {
        id: session.id,
        branch: session.branch,
        branches: session.branches().length,
        started: Date.parse(created),
        cwd: homeRelative(cwd),
        messages: {
          user: messages.filter(isSaid).length,
          assistant: count("assistant"),
          results: count("tool"),
        },
        usage,
        ...(session.folder === null || session.head === null ? {} : { folder: homeRelative(session.folder) }),
        ...(title === undefined ? {} : { title }),
        ...(model === "" ? {} : { model: `${provider}/${model}` }),
      };
    },
    rename(title) {
      const session = sessionOf(program);
      session.setTitle(title);
      session.sync();
      return Promise.resolve(session.meta.title ?? "");
    },
  };
}

function isSaid(message: { role: string; origin?: string }): boolean {
  return message.role === "user" && (message.origin === "user" || message.origin === "steering");
}

export function sessionsPort({ program, open }: ConversationPortParts): ResumePorts["sessions"] {
  return {
    list(all) {
      const { cwd } = program.parts.place;
      const metas = storeOf(program).list(all ? {} : { cwd });
      return Promise.resolve(metas.filter((meta) => PERSONAL.has(meta.mode)).map(summaryOf));
    },
    async search(words, signal) {
      const { searchSessions } = await import("../../sessions/search-port.ts");
      const { place, notices } = program.parts;
      const parts = { place, notices };
      const { hits } = await searchSessions(parts, words, { limit: MOST_FOUND, whole: false }, signal);
      return hits
        .filter(({ mode }) => PERSONAL.has(mode))
        .map(({ model, provider, ...hit }) => ({
          ...hit,
          model: `${provider}/${model}`,
          current: hit.id === program.session?.id,
        }));
    },
    async open(id) {
      const store = storeOf(program);
      const session = store.open(await ownId(store, id, program.parts.notices));
      const before = { model: program.chosen?.model };
      try {
        await open(session);
      } catch (thrown) {
        session.close();
        throw thrown;
      }
      const { model, provider } = session.settings;
      const now = program.app?.options.model ?? before.model;
      const other =
        typeof model === "string" && now !== undefined && (now.id !== model || now.provider !== provider);
      return {
        messages: session.messages().filter(isSaid).length,
        notes: other
          ? [`It used ${String(provider)}/${model}; it goes on with ${now.provider}/${now.id}.`]
          : [],
      };
    },
  };

  function summaryOf({ id, title, cwd, updated, model, provider }: SessionMeta) {
    return {
      id,
      cwd,
      updated: Date.parse(updated),
      model: `${provider}/${model}`,
      current: id === program.session?.id,
      ...(title === undefined ? {} : { title }),
    };
  }
}

export function branchPort({ program, redraw }: ConversationPortParts): BranchPorts["branches"] {
  const change = (reason: string, work: (session: Session) => void): Promise<void> => {
    const session = sessionOf(program);
    work(session);
    session.sync();
    redraw(reason);
    return Promise.resolve();
  };
  return {
    list: () => sessionOf(program).branches(),
    create: (name) => change("branch", (session) => session.createBranch(name)),
    switch: (name) => change(`branch ${name}`, (session) => session.switchBranch(name)),
    rename: (from, to) => change("branch", (session) => session.renameBranch(from, to)),
    delete: (name) => change("branch", (session) => session.deleteBranch(name)),
  };
}

export function compactionPort({
  program,
  drive,
  redraw,
}: ConversationPortParts): CompactPorts["compaction"] {
  return {
    async compact(focus, signal) {
      let last: Extract<AgentEvent, { type: "compaction" }> | undefined;
      let failure: string | undefined;
      const ran = await drive(
        (app, stop) =>
          app.runner.compact({
            ...(focus === null ? {} : { focus }),
            signal: AbortSignal.any([signal, stop]),
          }),
        (event) => {
          if (event.type === "compaction") last = event;
          if (event.type === "error") failure = event.message;
        },
      );
      if (!ran) return { state: "nothing", why: "an answer is in progress, or there is no conversation yet" };
      if (last?.phase === "end") {
        const { kind, tokens_before, tokens_after } = last;
        return { state: "done", kind, before: tokens_before, after: tokens_after };
      }
      return { state: "nothing", why: last?.reason ?? failure ?? "there was nothing to compact" };
    },
    undo() {
      try {
        const undone = program.app?.runner.undoCompaction() ?? null;
        if (undone === null)
          return Promise.resolve({ state: "nothing", why: "this conversation was not compacted" });
        redraw("compaction undone");
        const messages = sessionOf(program).messages().length;
        return Promise.resolve({
          state: "done",
          messages,
          before: undone.tokensBefore,
          after: undone.tokensAfter,
        });
      } catch (thrown) {
        return Promise.resolve({ state: "nothing", why: errorMessage(thrown) });
      }
    },
  };
}
