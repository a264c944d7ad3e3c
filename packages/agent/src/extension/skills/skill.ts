/** Whose skill it is: of the user, for all projects, or of this project, whose skills win. */
export type SkillScope = "user" | "project";

/** A folder that skills or prompt templates are looked for in. */
export interface SkillRoot {
  path: string;
  scope: SkillScope;
  /** Links may not lead out of this folder (a real path); null: they may lead anywhere. */
  within: string | null;
}

/** A skill that can be used. Its body is read when it is. */
export interface Skill {
  /** As its file has it; unique among skills whatever the case of letters. */
  name: string;
  /** One line. */
  description: string;
  scope: SkillScope;
  /** Absolute real paths. */
  file: string;
  folder: string;
  /** What may follow its name, for people. */
  argumentHint: string;
  /** The model is not told of it; it runs as `/name` alone. */
  manual: boolean;
}

/** A prompt of the user's with places for arguments. */
export interface PromptTemplate {
  /** In lower case. */
  name: string;
  description: string;
  scope: SkillScope;
  file: string;
  argumentHint: string;
  body: string;
}

/** What was found and is not used as it is. */
export interface SkillProblem {
  file: string;
  /** From 1; absent when it is about the whole file. */
  line?: number;
  message: string;
  /**
   * `broken`: it could not be loaded. `overridden`: another one of its name is used. `clash`: it is loaded, but something else has
   * its name as a command.
   */
  kind: "broken" | "overridden" | "clash";
}

/** Looks through a text that would go before the model; `problem` says why it must not, `line` (from 1) where. */
export type InspectText = (text: string) => { problem?: string; line?: number };
