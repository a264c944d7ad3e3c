/** When output is shortened, and how much of each kind is kept. Characters are UTF-16 units. */
export interface CompactorLimits {
  /** Output up to this length is never touched. */
  short: number;
  /** Above one of these the middle of recognised output is reduced to what matters. */
  maxChars: number;
  maxLines: number;
  /** Warnings of one kind shown whole. */
  warningsPerKind: number;
  /** Findings of one rule of a linter shown with their message; all keep their place. */
  findingsPerRule: number;
  /** Diffs and searches are only cut above this length. */
  dataChars: number;
  /** Lines of one hunk. */
  hunkLines: number;
  /** Commits of a log, and lines of one commit's message. */
  commits: number;
  commitLines: number;
  /** Files of one section of a status. */
  statusFiles: number;
  /** Matches in one file. */
  matchesPerFile: number;
  /** Frames in a row that lie in libraries. */
  libraryFrames: number;
}

export const DEFAULT_LIMITS: CompactorLimits = {
  short: 2_000,
  maxChars: 24_000,
  maxLines: 440,
  warningsPerKind: 2,
  findingsPerRule: 3,
  dataChars: 8_000,
  hunkLines: 80,
  commits: 40,
  commitLines: 12,
  statusFiles: 40,
  matchesPerFile: 20,
  libraryFrames: 3,
};
