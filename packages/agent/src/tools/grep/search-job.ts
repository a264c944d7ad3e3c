import type { FileGlob } from "../shared/search/glob.ts";
import type { SearchPattern } from "../shared/search/pattern.ts";
import type { SearchRoot } from "../shared/search/search-root.ts";
import type { MatchTally } from "./tally.ts";

/** A search, the same for both engines. */
export interface SearchJob {
  pattern: SearchPattern;
  literal: boolean;
  ignoreCase: boolean;
  multiline: boolean;
  glob: FileGlob | undefined;
  /** Search ignored files too. */
  all: boolean;
  root: SearchRoot;
  tally: MatchTally;
}

/** What an engine says beside the matches in the job's tally. `ignored` is only gathered when there were none. */
export interface SearchResult {
  ignored: string[];
  ignoredCount: number;
  unreadable: string[];
  /** Files of which only what stands before their first NUL byte was searched, and which matched there. */
  cutAtNul: string[];
  /** Binary files that match and of which no line is shown; null when they were too much to look at. Only gathered when nothing else matched. */
  binary?: string[] | null;
  /** The pattern is no regular expression: what is wrong, with its place. */
  invalid?: string;
  /** This engine cannot express the pattern. */
  unsupported?: string;
}
