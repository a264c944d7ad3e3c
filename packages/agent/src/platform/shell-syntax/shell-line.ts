/** A command line of bash as data: which programs it runs with which words. Nothing is expanded or run. */

/** One word after quote removal. */
export interface ShellWord {
  /** The word; of a word that is not `literal` only what its unexpanded text says. */
  text: string;
  /** The beginning that is certain: all of a literal word, else what stands before the first expansion or pattern character. */
  fixed: string;
  /** `pattern`: becomes names of files (`*`, `?`, `[a]`, `~`). `dynamic`: only known when it runs (`$x`, `$(…)`, `{a,b}`). */
  kind: "literal" | "pattern" | "dynamic";
  /** Some of it was quoted, so it is neither a reserved word nor an alias. */
  quoted: boolean;
}

export interface ShellAssignment {
  name: string;
  value: ShellWord;
}

export interface ShellRedirection {
  /** Without a descriptor: `>`, `>>`, `>|`, `&>`, `&>>`, `>&`, `<`, `<>`, `<&`, `<<`, `<<<`. */
  operator: string;
  target: ShellWord;
  /** The body of a here-document or the text of a here-string. */
  body?: ShellWord;
}

/** One simple command; `words` is empty when it only assigns or redirects. */
export interface ShellCommand {
  assignments: ShellAssignment[];
  words: ShellWord[];
  redirections: ShellRedirection[];
  /** As written, for people. */
  source: string;
}

/** Why not everything that the line runs can be told. */
export interface ShellProblem {
  /**
   * `syntax`: not understood. `dynamic`: a program or script that is only known when it runs. `defines`: a function, which may
   * stand behind any later word.
   */
  kind: "syntax" | "dynamic" | "defines";
  message: string;
}

/** All simple commands of a line in order of their text, also those inside substitutions, subshells and function bodies. */
export interface ShellLine {
  commands: ShellCommand[];
  problems: ShellProblem[];
}

/** A literal word. */
export function literalWord(text: string): ShellWord {
  return { text, fixed: text, kind: "literal", quoted: false };
}

/** A word of which nothing is known. */
export function unknownWord(): ShellWord {
  return { text: "", fixed: "", kind: "dynamic", quoted: false };
}
