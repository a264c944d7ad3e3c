import type { FileDoor } from "../../contract/files.ts";
import type { NotLooked } from "../../contract/language-servers.ts";
import type { Clock } from "../../contract/services.ts";
import { type Diagnosed, diagnose } from "../document-diagnostics.ts";
import { isInside } from "../inside.ts";
import type { LanguageServer } from "../language-server.ts";
import { LineMap } from "../line-map.ts";
import type { OpenDocument } from "../open-documents.ts";
import { problemsOf } from "../problems.ts";
import { trySource } from "../source-text.ts";
import { type PlacedProblem, placed, problemChange } from "./problem-change.ts";
import type { Elsewhere } from "./problem-report.ts";

/** Other open files that are asked about after a change, the latest first. */
const MOST_OTHERS = 5;

/** What the model may know of a file's problems. */
interface Known {
  text: string;
  problems: PlacedProblem[];
  /** The last look failed: these are the problems of an earlier text. */
  outdated: boolean;
}

export interface LookLimits {
  ms: number;
  signal: AbortSignal;
}

/** What a look at one file found. */
export type Look = { state: "known"; problems: PlacedProblem[] } | NotLooked;

/** The problems of files as they were last seen, so that a change is told by what it changed. */
export class KnownProblems {
  readonly #files: FileDoor;
  readonly #clock: Clock;
  readonly #settleMs: number;
  readonly #known = new Map<string, Known>();
  /** The publishes of each server that were looked through. */
  readonly #seen = new WeakMap<LanguageServer, number>();

  constructor(files: FileDoor, clock: Clock, settleMs: number) {
    this.#files = files;
    this.#clock = clock;
    this.#settleMs = settleMs;
  }

  /** Whether a change of this text can be told by what is known; after a look that failed, by what was known before it. */
  known(path: string, text: string): boolean {
    const known = this.#known.get(path);
    return known !== undefined && (known.outdated || known.text === text);
  }

  /** The problems of the last look, of whatever text. */
  latest(path: string): PlacedProblem[] | null {
    return this.#known.get(path)?.problems ?? null;
  }

  /** A file that is new has no problems yet. */
  nothingBefore(path: string): void {
    this.#known.set(path, { text: "", problems: [], outdated: true });
  }

  /** Asks about a document as the server has it, and remembers the answer. */
  async look(server: LanguageServer, document: OpenDocument, limits: LookLimits): Promise<Look> {
    const { text } = document;
    const found: Diagnosed = await diagnose(server, document, {
      ...limits,
      settleMs: this.#settleMs,
      clock: this.#clock,
    });
    if (found.state !== "known") {
      const known = this.#known.get(document.path);
      if (known !== undefined && known.text !== text) known.outdated = true;
      return found;
    }
    const map = new LineMap(text);
    const problems = placed(problemsOf(found.items, map, server.features.encoding), (line) =>
      map.line(line - 1),
    );
    this.#known.set(document.path, { text, problems, outdated: false });
    return { state: "known", problems };
  }

  /**
   * At the first change that a server hears of: what it published of other files so far was there before. What comes later
   * between two changes was caused by the first of them, and is told with the second.
   */
  learn(server: LanguageServer, path: string): void {
    if (!this.#seen.has(server)) this.#publishedElsewhere(server, path);
  }

  /** New errors in other files: open ones are asked about where the server can be asked, others as far as it published them. */
  async elsewhere(server: LanguageServer, path: string, limits: LookLimits): Promise<Elsewhere[]> {
    const found = new Map<string, readonly PlacedProblem[]>();
    const asked = this.#canBeAsked(server)
      ? server.documents
          .list()
          .filter((document) => document.path !== path && this.#known.has(document.path))
          .slice(-MOST_OTHERS)
      : [];
    await Promise.all(
      asked.map(async (document) => {
        const before = this.latest(document.path);
        const look = await this.look(server, document, limits);
        if (look.state === "known") found.set(document.path, problemChange(before, look.problems).added);
      }),
    );
    // An answer is newer than what was published: a publish that names no version may be one of before the change.
    const answered = new Set(found.keys());
    for (const [other, added] of this.#publishedElsewhere(server, path, answered)) found.set(other, added);
    return [...found].flatMap(([other, added]) => {
      const errors = added.filter(({ severity }) => severity === "error");
      return errors.length === 0 ? [] : [{ path: this.#files.display(other), added: errors }];
    });
  }

  #canBeAsked({ definition, features }: LanguageServer): boolean {
    return definition.checks !== undefined || features.can("textDocument/diagnostic");
  }

  /** What was published since the last time, of files that did not answer; those that nothing was known of are only learned. */
  #publishedElsewhere(
    server: LanguageServer,
    path: string,
    answered: ReadonlySet<string> = new Set(),
  ): [string, PlacedProblem[]][] {
    const found: [string, PlacedProblem[]][] = [];
    const first = !this.#seen.has(server);
    const seen = this.#seen.get(server) ?? 0;
    this.#seen.set(server, server.published.serial);
    for (const [other, { items, serial }] of [...server.published.entries()]) {
      if (serial <= seen || other === path || answered.has(other)) continue;
      if (!isInside(other, this.#files.root)) continue;
      const text = server.documents.get(other)?.text ?? trySource(this.#files, other)?.text;
      if (text === undefined) continue;
      const map = new LineMap(text);
      const problems = placed(problemsOf(items, map, server.features.encoding), (line) => map.line(line - 1));
      const before = this.latest(other);
      this.#known.set(other, { text, problems, outdated: false });
      // What a server publishes while it starts is no work of this change.
      if (before !== null || !(first || server.progress.doing !== null))
        found.push([other, problemChange(before ?? [], problems).added]);
    }
    return found;
  }
}
