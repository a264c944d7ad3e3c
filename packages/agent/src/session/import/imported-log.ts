import type { Message } from "../../contract/messages.ts";
import { encodeJsonLine } from "../../platform/json-lines.ts";
import { recordId } from "../session-id.ts";
import type { RecordBody } from "../session-tree.ts";

/** Another program's session in our terms. */
export interface ImportedSession {
  /** Where it came from: a program and its id there. */
  from: string;
  cwd: string;
  model: string;
  provider: string;
  /** Milliseconds since 1970. */
  created: number;
  updated: number;
  title?: string;
  log: ImportedLog;
  notes: ImportNotes;
}

/** Counts what has no place in our sessions, for one sentence each. */
export class ImportNotes {
  readonly #left = new Map<string, number>();

  /** `what` in the singular with its plural: `["label", "labels"]`. */
  leftOut(one: string, many = `${one}s`): void {
    const key = `${one}\n${many}`;
    this.#left.set(key, (this.#left.get(key) ?? 0) + 1);
  }

  sentences(): string[] {
    return [...this.#left].map(([key, count]) => {
      const [one, many] = key.split("\n");
      return `${count === 1 ? `1 ${one} was` : `${count} ${many} were`} left out.`;
    });
  }
}

/** Records of ours, built in the order of writing; each gets a time of its own. */
export class ImportedLog {
  readonly #lines: string[] = [];
  #latest: number;
  #head: string | null = null;
  /** Messages among the records. */
  messages = 0;

  /** `start`: the earliest time that a record may have, in milliseconds since 1970. */
  constructor(start: number) {
    this.#latest = start - 1;
  }

  /** Adds a record; without `parent` it follows the one before. Returns its id. */
  add(body: RecordBody, options: { parent?: string | null; time?: number } = {}): string {
    const { parent = this.#head, time } = options;
    const wanted = time !== undefined && Number.isFinite(time) ? Math.trunc(time) : 0;
    this.#latest = Math.max(wanted, this.#latest + 1);
    const id = recordId(this.#latest);
    this.#lines.push(encodeJsonLine({ id, parent, ts: new Date(this.#latest).toISOString(), ...body }));
    if (body.type !== "head" && body.type !== "branch") this.#head = id;
    if (body.type === "message") this.messages++;
    return id;
  }

  message(message: Message, options: { parent?: string | null; time?: number } = {}): string {
    return this.add({ type: "message", message }, options);
  }

  /** Names a branch that ends with a record. */
  branch(name: string, target: string): void {
    this.add({ type: "branch", action: "create", branch: name, target });
  }

  /** Says where the current branch ends. */
  end(target: string | null): void {
    this.add({ type: "head", branch: "main", target });
  }

  text(): string {
    return this.#lines.join("");
  }
}
