/** Hidden characters in text that a model reads as orders: what was found, and what `pi audit` looked at. */

/** `critical`: nobody needs it there. `warning`: rarely meant. `info`: part of how its script or emoji is written. */
export type Severity = "critical" | "warning" | "info";

/** Neighbouring hidden characters of one kind. */
export interface Finding {
  /** From 1; a line ends at LF. */
  line: number;
  /** From 1, in characters (code points). */
  column: number;
  /** In bytes of the UTF-8 text, from 0. */
  offset: number;
  /** How many bytes, and how many characters (of what is no UTF-8: bytes). */
  bytes: number;
  count: number;
  /** The first one: `U+202E`, or `byte 0xFF` for what is no UTF-8. */
  codePoint: string;
  /** Its name in Unicode's words. */
  name: string;
  severity: Severity;
  /** What it does there, for people; the hidden message where one can be read. */
  why: string;
  /** The text around it, hidden characters as `\u{202e}`. */
  context: string;
}

/** Characters found, by severity. */
export type SeverityCounts = Record<Severity, number>;

/** What is known of one text. Of each severity only the first findings are kept; `counts` has all of them. */
export interface ScanResult {
  findings: Finding[];
  counts: SeverityCounts;
  /** Findings that are counted and not listed. */
  leftOut: number;
}

/** What a file is to the product. */
export type AuditedKind = "instructions" | "skill" | "agent" | "sop" | "config" | "mcp" | "file";

/** One file that was looked at. */
export interface FileAudit extends ScanResult {
  /** As people read it: relative to the project, `~/…` for the user's own. */
  path: string;
  realPath: string;
  kind: AuditedKind;
  size: number;
  /** Present after `--strip`: what was done, or with `--dry-run` would be done. */
  strip?: FileStrip;
}

/** The removal of the critical and warning characters of one file. */
export interface FileStrip {
  removed: SeverityCounts;
  /** The copy of the file as it was; null with `--dry-run`. */
  backup: string | null;
  /** What changes, as a unified diff with hidden characters as `\u{202e}`; only with `--dry-run`. */
  diff?: string;
}

/** A file or folder, and why it was not looked at (or not stripped). */
export interface AuditNote {
  path: string;
  reason: string;
}

export interface AuditReport {
  files: FileAudit[];
  /** What should have been looked at or stripped, and could not be. */
  problems: AuditNote[];
  /** What is left out on purpose: binary files, backups, key files. */
  skipped: AuditNote[];
}

export interface AuditRequest {
  /** Only this file or folder; null: every place that instructions come from. */
  file: string | null;
  strip: boolean;
  dryRun: boolean;
}

export type AuditFormat = "text" | "json" | "markdown";

/**
 * What text from outside (an instruction file, a skill, the description of a tool, a memory) goes through before a model reads it:
 * gives it with critical hidden characters written out, and tells people where they were. `source` names it for them.
 */
export type TextGuard = (source: string, text: string) => string;
