import type { MemoryKind, MemoryRecord, NewMemory, Provenance } from "../memory/record.ts";
import type { MemoryScope } from "../memory/scope.ts";
import type { Clock } from "../ports/clock.ts";
import type { AddResult, Entry, ForgetReport, MemoryStore, Selection } from "../ports/memory-store.ts";
import type { Screen } from "../ports/screen.ts";
import type { Actor } from "./actor.ts";
import { type ForgetPreview, readToken, selectionDigest, writeToken } from "./forget-preview.ts";
import { ManagerError } from "./manager-error.ts";

export interface ManagerParts {
  readonly store: MemoryStore;
  /** Makes an entry of a memory, with its vector when that is there at once. */
  readonly entry: (memory: NewMemory) => Promise<Entry>;
  readonly screen: Screen;
  readonly clock: Clock;
  readonly host: string;
  readonly sessionId: string;
  /** Told after anything was changed, so that nothing old is shown. */
  readonly onChange?: () => void;
}

/** A statement somebody writes down on purpose. */
export interface Statement {
  readonly kind: Exclude<MemoryKind, "prompt" | "answer" | "toolnote">;
  readonly scope: MemoryScope;
  readonly text: string;
  readonly title?: string;
  readonly subject?: string;
  readonly files?: readonly string[];
  /** It counts only when a person approves it. Default false. */
  readonly waits?: boolean;
}

const PREVIEW_MS = 15 * 60_000;
const SAMPLE = 5;
/** One preview erases at most so many; more is done in parts. */
const MOST_FORGOTTEN = 10_000;

/**
 * Creates, reads, changes and erases memories for people and programs. Never offered to a model. What only a person may do (change
 * or erase a person's words, approve, reject, pin) needs an interactive actor. Rejects with a ManagerError or a StoreError.
 */
export class MemoryManager {
  readonly #parts: ManagerParts;

  constructor(parts: ManagerParts) {
    this.#parts = parts;
  }

  /** Writes a statement down: with a person's authority for a person, else with a program's. Secrets are taken out first. */
  async create(statement: Statement, actor: Actor): Promise<AddResult> {
    const [result] = await this.#parts.store.add([await this.#entry(statement, actor)]);
    this.#parts.onChange?.();
    return result!;
  }

  /** Records by their ids, in their order; unknown and erased ones are left out. */
  get(ids: readonly string[], scopes?: readonly MemoryScope[]): Promise<MemoryRecord[]> {
    return this.#parts.store.get(ids, scopes);
  }

  /** The selected records, newest first. */
  list(selection: Selection, limit: number): Promise<MemoryRecord[]> {
    return this.#parts.store.list(selection, limit);
  }

  /** A new wording: the old one stays as superseded, linked to the new one. */
  async update(
    id: string,
    change: Partial<Pick<Statement, "text" | "title" | "subject" | "files">>,
    actor: Actor,
  ): Promise<AddResult> {
    const old = await this.#known(id);
    if (old.provenance.typed) needPerson(actor, `change memory ${id}, which a person typed`);
    const kind =
      old.kind === "prompt" || old.kind === "answer" || old.kind === "toolnote" ? "fact" : old.kind;
    return this.#replace(
      id,
      {
        kind,
        scope: old.scope,
        text: change.text ?? old.text,
        title: change.title ?? old.title,
        files: change.files ?? old.files,
        ...subjectOf(change.subject ?? old.subject),
      },
      actor,
    );
  }

  /** Puts another statement in the place of a memory. */
  async supersede(id: string, statement: Statement, actor: Actor): Promise<AddResult> {
    const old = await this.#known(id);
    if (old.provenance.typed) needPerson(actor, `replace memory ${id}, which a person typed`);
    return this.#replace(id, statement, actor);
  }

  /** What `forget` with the preview's token would erase; erases nothing. Rejects when nothing or too much is selected. */
  async previewForget(selection: Selection): Promise<ForgetPreview> {
    const { clock, store } = this.#parts;
    const records = await store.list(selection, MOST_FORGOTTEN + 1);
    if (records.length === 0)
      throw new ManagerError(
        "nothing_selected",
        "no memory is selected: nothing would be erased",
        "search or list memories to find the right ids",
      );
    if (records.length > MOST_FORGOTTEN)
      throw new ManagerError(
        "nothing_selected",
        `more than ${MOST_FORGOTTEN} memories are selected`,
        "select fewer at once, for instance by a span of time",
      );
    const expiresAt = clock.now() + PREVIEW_MS;
    const digest = await selectionDigest(records, selection);
    return {
      token: writeToken({ selection, expiresAt, digest }),
      memories: records.length,
      sessions: new Set(records.map(({ provenance }) => provenance.sessionId)).size,
      sample: records.slice(0, SAMPLE),
      expiresAt,
    };
  }

  /** Erases what a preview showed. Refused when the preview is older than 15 minutes, or what it showed has changed since. */
  async forget(token: string, actor: Actor): Promise<ForgetReport> {
    needPerson(actor, "erase memories");
    const { clock, store } = this.#parts;
    const order = readToken(token);
    if (clock.now() >= order.expiresAt)
      throw new ManagerError(
        "preview_expired",
        "the preview is older than 15 minutes",
        "look at a new preview",
      );
    const records = await store.list(order.selection, MOST_FORGOTTEN + 1);
    if ((await selectionDigest(records, order.selection)) !== order.digest)
      throw new ManagerError(
        "preview_changed",
        "what would be erased is not what the preview showed",
        "look at a new preview",
      );
    // Exactly what was seen: what is written meanwhile is not part of it.
    const report = await store.forget({ ids: records.map(({ id }) => id) }, clock.now());
    this.#parts.onChange?.();
    return report;
  }

  /** A candidate counts from now on, and supersedes what it speaks of. */
  async approve(ids: readonly string[], actor: Actor): Promise<number> {
    needPerson(actor, "approve memories");
    const candidates = await this.#candidates(ids);
    return this.#changed(this.#parts.store.mark(candidates, { state: "active" }));
  }

  /** A candidate is erased, and the same is not learned again. */
  async reject(ids: readonly string[], actor: Actor): Promise<number> {
    needPerson(actor, "reject memories");
    const candidates = await this.#candidates(ids);
    if (candidates.length === 0) return 0;
    const { store, clock } = this.#parts;
    const { memories } = await this.#changed(store.forget({ ids: candidates }, clock.now()));
    return memories;
  }

  /** A pinned memory stands at the start of every session. */
  async pin(ids: readonly string[], pinned: boolean, actor: Actor): Promise<number> {
    needPerson(actor, pinned ? "pin memories" : "unpin memories");
    return this.#changed(this.#parts.store.mark(ids, { pinned }));
  }

  async #candidates(ids: readonly string[]): Promise<string[]> {
    const records = await this.#parts.store.get(ids);
    return records.filter(({ state }) => state === "candidate").map(({ id }) => id);
  }

  async #known(id: string): Promise<MemoryRecord> {
    const [record] = await this.#parts.store.get([id]);
    if (record === undefined) throw unknownMemory(id);
    return record;
  }

  async #replace(id: string, statement: Statement, actor: Actor): Promise<AddResult> {
    const result = await this.#parts.store.replace(id, await this.#entry(statement, actor));
    if (result === null) throw unknownMemory(id);
    this.#parts.onChange?.();
    return result;
  }

  async #entry(statement: Statement, actor: Actor): Promise<Entry> {
    const { screen, clock, entry } = this.#parts;
    const [text, title] = await Promise.all([
      screen.screen(statement.text),
      screen.screen(statement.title ?? ""),
    ]);
    if (!/[\p{L}\p{N}]/u.test(text.text.replace(/\[redacted:[^\]]*\]/gu, "")))
      throw new ManagerError(
        "withheld",
        "nothing of this text may be kept: it is empty, private or a secret",
        "write it without the private part",
      );
    return entry({
      kind: statement.kind,
      scope: statement.scope,
      text: text.text,
      title: title.text,
      ...(statement.files === undefined ? {} : { files: statement.files }),
      ...subjectOf(statement.subject),
      ...(statement.waits === true ? { state: "candidate" } : {}),
      provenance: this.#provenance(actor),
      at: clock.now(),
    });
  }

  #provenance({ name, interactive }: Actor): Provenance {
    const { host, sessionId } = this.#parts;
    return {
      host,
      sessionId,
      author: { role: interactive ? "user" : "agent", ...(name === "" ? {} : { name }) },
      typed: interactive,
    };
  }

  async #changed<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } finally {
      this.#parts.onChange?.();
    }
  }
}

function subjectOf(subject: string | undefined): { subject?: string } {
  return subject === undefined || subject === "" ? {} : { subject };
}

function needPerson(actor: Actor, what: string): void {
  if (actor.interactive) return;
  throw new ManagerError(
    "person_needed",
    `only a person may ${what}; "${actor.name}" is none`,
    "ask for it in a terminal",
  );
}

function unknownMemory(id: string): ManagerError {
  return new ManagerError(
    "unknown_memory",
    `there is no memory with the id ${JSON.stringify(id.slice(0, 64))}`,
    "search or list memories to find the right id",
  );
}
