/** The port between the language servers and the tools that ask them. Lines and columns are 1-based; a column counts characters, so that an emoji is one. */

/** Why a question was not answered. */
export type NotLookedCode =
  | "no_server" // no server is known or installed for this kind of file
  | "disabled"
  | "not_trusted" // it would run programs of a project that is not trusted
  | "starting"
  | "indexing"
  | "crashed"
  | "timeout"
  | "unsupported" // this server does not answer such questions
  | "too_large"
  | "not_text"
  | "outside" // the file lies outside of the project
  | "refused" // the server answered with an error
  | "aborted";

/** Nothing is known: `reason` is a sentence part for the model ("gopls is not installed"), `hint` what to do about it. */
export interface NotLooked {
  state: "not_looked";
  code: NotLookedCode;
  reason: string;
  hint?: string;
}

/** What came out of a question. `server` is the name of the one that answered. */
export type Looked<Value> = { state: "answer"; server: string; value: Value } | NotLooked;

export interface SourcePosition {
  line: number;
  column: number;
}

/** A place in a file of the project (`path` relative to it) or outside of it (`path` absolute). */
export interface SourceLocation extends SourcePosition {
  path: string;
  outside: boolean;
}

export type Severity = "error" | "warning" | "information" | "hint";

/** One problem that a server sees. */
export interface Problem extends SourcePosition {
  severity: Severity;
  message: string;
  /** Who says it, and its code, as far as the server tells. */
  source?: string;
  code?: string;
}

/** One named thing in a file. */
export interface SourceSymbol extends SourcePosition {
  name: string;
  kind: string;
  /** The last line of it. */
  endLine: number;
  /** How many other symbols it lies in. */
  depth: number;
  detail?: string;
}

/** Answers about files. Every question is bounded in time and ends with its signal. Throws a PiError for paths and positions that are not there. */
export interface LanguageServers {
  diagnostics(file: string, signal: AbortSignal): Promise<Looked<Problem[]>>;
  symbols(file: string, signal: AbortSignal): Promise<Looked<SourceSymbol[]>>;
  definition(file: string, position: SourcePosition, signal: AbortSignal): Promise<Looked<SourceLocation[]>>;
  /** The declaration is one of them. */
  references(file: string, position: SourcePosition, signal: AbortSignal): Promise<Looked<SourceLocation[]>>;
  /** Empty when the server has nothing to say there. */
  hover(file: string, position: SourcePosition, signal: AbortSignal): Promise<Looked<string>>;
}
