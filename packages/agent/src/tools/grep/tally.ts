import type { ToolContext } from "../../contract/tool.ts";
import { clipLine } from "../shared/truncate.ts";

const MAX_LINE_BYTES = 500;

/**
 * Whether the contents of a file that a search of `root` came upon stay unshown: a secret one, or one that the user's rules keep
 * back. Where these are about `root` itself, the call was judged by them before it ran.
 */
export function keepsBack(file: string, root: string, { files, mayShow }: ToolContext): boolean {
  return files.isSecret(file) || (mayShow?.(file) === false && mayShow(root));
}

/** One matching line. */
export interface Match {
  file: string;
  line: number;
  text: string;
}

/**
 * Collects matches from many files in any order and picks the ones to show: first by path, spread so that one file cannot
 * hide the others. The totals are true whatever is kept. Memory is bound by `limit` lines a file, one line when there
 * are more files than `limit`.
 */
export class MatchTally {
  total = 0;
  secret = 0;
  readonly #files = new Map<string, Match[]>();
  readonly #hidden = new Set<string>();
  readonly #limit: number;
  readonly #isSecret: (file: string) => boolean;
  readonly #isWanted: (file: string) => boolean;

  /** Matches in files that are not wanted are dropped, those in secret ones only counted by file. */
  constructor(
    limit: number,
    isSecret: (file: string) => boolean,
    isWanted: (file: string) => boolean = () => true,
  ) {
    this.#limit = limit;
    this.#isSecret = isSecret;
    this.#isWanted = isWanted;
  }

  /** Whether a match of this file was counted. */
  counts(file: string): boolean {
    return this.#files.has(file);
  }

  /** Whether a match of this file would be shown. */
  wants(file: string): boolean {
    return this.#isWanted(file) && !this.#isSecret(file);
  }

  get fileCount(): number {
    return this.#files.size;
  }

  add(file: string, line: number, text: string): void {
    let kept = this.#files.get(file);
    if (!kept) {
      if (this.#hidden.has(file)) return;
      const wanted = this.#isWanted(file);
      if (!wanted || this.#isSecret(file)) {
        this.#hidden.add(file);
        if (wanted) this.secret += 1;
        return;
      }
      kept = [];
      this.#files.set(file, kept);
    }
    this.total += 1;
    if (kept.length < (this.#files.size > this.#limit ? 1 : this.#limit))
      kept.push({ file, line, text: clipLine(text, MAX_LINE_BYTES) });
  }

  /** The matches to show, by path and line. */
  shown(): Match[] {
    const names = [...this.#files.keys()].sort((a, b) => (a < b ? -1 : 1)).slice(0, this.#limit);
    const quota = fairShares(
      names.map((name) => this.#files.get(name)!.length),
      this.#limit,
    );
    return names.flatMap((name, index) => this.#files.get(name)!.slice(0, quota[index]));
  }
}

/** Shares `limit` among sizes so that nobody gets more than it has and what one leaves goes to the others. */
function fairShares(sizes: readonly number[], limit: number): number[] {
  const shares = sizes.map(() => 0);
  let left = limit;
  let open = sizes.map((_, index) => index);
  while (left > 0 && open.length > 0) {
    const each = Math.max(1, Math.floor(left / open.length));
    for (const index of open) {
      const more = Math.min(each, sizes[index]! - shares[index]!, left);
      shares[index]! += more;
      left -= more;
    }
    open = open.filter((index) => shares[index]! < sizes[index]!);
  }
  return shares;
}
