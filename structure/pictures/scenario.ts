import type { Block } from "@pi-ts/testkit";

/** What is done at the keyboard, one thing after the other. */
export type Step =
  | { type: string }
  /** Names of keys, as `ctrl+c`. */
  | { press: readonly string[] }
  | { waitFor: string | RegExp };

/** A picture of the documentation: what is on disk, what the model answers, what is typed. It is drawn after the last step. */
export interface Scenario {
  /** `docs/pictures/NAME.svg`. */
  name: string;
  /** The title of the window. */
  title: string;
  cols: number;
  rows: number;
  terminal: "dark" | "light";
  /** The project; it is a git repository with one commit. */
  files: Readonly<Record<string, string>>;
  /** The name of the project's folder, in the home. */
  folder: string;
  /** The answers of the model, one a request. */
  answers: readonly (readonly Block[])[];
  steps: readonly Step[];
}
