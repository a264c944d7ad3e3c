import { isJsonObject, type JsonObject } from "../contract/json.ts";
import type { SessionRecord } from "../contract/session.ts";
import type { RecordHead, Span } from "./log-line.ts";

/** A record without what every record has. */
export type RecordBody = SessionRecord extends infer R
  ? R extends SessionRecord
    ? Omit<R, "id" | "parent" | "ts">
    : never
  : never;

/** A record in the tree. `span` is null for one that is not on disk. */
export interface TreeNode {
  id: string;
  type: string;
  /** The nearest ancestor that survives. */
  parent: TreeNode | null;
  /** Place in the order of writing; a parent's is always smaller. */
  order: number;
  span: Span | null;
  /** Of an `undo`: the compaction that counts no longer. */
  undoes?: string;
}

/** The end of the year 9999. */
const LAST_TIME = Date.UTC(10_000, 0);
const OUR_TIME =
  /^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])T(?:[01][0-9]|2[0-3])(?::[0-5][0-9]){2}\.[0-9]{3}Z$/;

/**
 * What replaying the records gives: the tree, its branches and the settings. Head moves and branch records are no nodes:
 * they only say where a branch ends.
 *
 * Where a record's parent is lost, the record hangs on the head that its branch had at that place in the file.
 */
export class SessionTree {
  readonly nodes = new Map<string, TreeNode>();
  readonly branches = new Map<string, TreeNode | null>([["main", null]]);
  readonly settings: JsonObject = {};
  active = "main";
  /** Records that came twice, by id; the first one counts. */
  duplicates = 0;
  #latest = 0;
  /** The time of the latest record as it is written, when it is written as we do. */
  #latestText = "";
  /** The node that was added last: usually the parent of the next one. */
  #last: TreeNode | null = null;
  readonly #lost = new Map<string, TreeNode | null>();
  readonly #control = new Set<string>();

  get head(): TreeNode | null {
    return this.branches.get(this.active) ?? null;
  }

  /** Time of the latest record, in milliseconds since 1970. */
  get latest(): number {
    const written = this.#latestText === "" ? 0 : Date.parse(this.#latestText);
    return Math.max(this.#latest, Number.isNaN(written) ? 0 : written);
  }

  /** Adds a record. `body` must be given for the types that {@link needsBody} names. */
  add(head: RecordHead, span: Span | null, body?: SessionRecord | null): void {
    if (this.nodes.has(head.id) || this.#control.has(head.id)) {
      this.duplicates++;
      return;
    }
    this.#see(head.ts);
    if (head.type === "head" || head.type === "branch") {
      this.#control.add(head.id);
      if (body) this.#move(body);
      return;
    }
    if (body?.type === "setting" && isJsonObject(body.values)) Object.assign(this.settings, body.values);
    const node: TreeNode = {
      id: head.id,
      type: head.type,
      parent: this.#resolve(head.parent),
      order: this.nodes.size,
      span,
    };
    if (body?.type === "undo" && typeof body.target === "string") node.undoes = body.target;
    this.nodes.set(head.id, node);
    this.branches.set(this.active, node);
    this.#last = node;
  }

  /** Times that are written as we write them need no parsing to be compared. */
  #see(ts: string): void {
    if (OUR_TIME.test(ts)) {
      if (ts > this.#latestText) this.#latestText = ts;
      return;
    }
    const time = Date.parse(ts);
    // A time beyond all calendars would leave none for the next record.
    if (time > this.#latest && time < LAST_TIME) this.#latest = time;
  }

  /** Adds what is known of a record whose rest is lost: its children hang on its parent. */
  addGhost(head: RecordHead): void {
    if (!this.nodes.has(head.id) && !this.#lost.has(head.id))
      this.#lost.set(head.id, this.#resolve(head.parent));
  }

  #resolve(id: string | null): TreeNode | null {
    if (id === null) return null;
    if (this.#last?.id === id) return this.#last;
    const node = this.nodes.get(id);
    if (node) return node;
    const known = this.#lost.get(id);
    if (known !== undefined) return known;
    this.#lost.set(id, this.head);
    return this.head;
  }

  #move(record: SessionRecord): void {
    if (record.type === "head") {
      const { branch, target } = record;
      if (typeof branch !== "string") return;
      const old = this.branches.get(branch) ?? null;
      const known = target === null || this.nodes.has(target) || this.#lost.has(target);
      this.branches.set(branch, known ? this.#resolve(target) : old);
      this.active = branch;
      return;
    }
    if (record.type !== "branch" || typeof record.branch !== "string") return;
    const { branch, action, to } = record;
    if (action === "create") this.branches.set(branch, this.#resolve(record.target ?? null));
    else if (action === "delete") this.branches.delete(branch);
    else if (action === "rename" && typeof to === "string" && this.branches.has(branch)) {
      const node = this.branches.get(branch) ?? null;
      this.branches.delete(branch);
      this.branches.set(to, node);
      if (this.active === branch) this.active = to;
    }
    if (!this.branches.has(this.active)) {
      this.active = this.branches.has("main") ? "main" : (this.branches.keys().next().value ?? "main");
      if (!this.branches.has(this.active)) this.branches.set(this.active, null);
    }
  }
}

/** True for types whose content acts on the tree itself and so must be read while it is built. */
export function needsBody(type: string): boolean {
  return type === "head" || type === "branch" || type === "setting" || type === "undo";
}
