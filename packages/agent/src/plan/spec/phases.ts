/** The phases of prompt-driven development, in order. */
export type PhaseName = "skeleton" | "requirements" | "research" | "design" | "outline" | "plan" | "prompt";

/** One phase: what it leaves behind, and what the model is told to do. */
export interface Phase {
  /** From 1. */
  number: number;
  name: PhaseName;
  title: string;
  /** A file below the spec's folder; ends with `/`: a folder of Markdown files. */
  artifact: string;
  /** For the model; a person's own SOP takes its place. */
  instruction: string;
}

const ONE_QUESTION = `Ask what the idea leaves open: scope, users, behaviour at the edges, limits, what is out of scope, how one sees that it works.
- One question in each message, nothing else with it. Offer two to four answers where that helps, your recommendation first.
- Three to eight questions in all, the one that decides most first. Look into the code before you ask what it can answer.
- Questions and answers are written into requirements.md for you: do not copy them.
- When nothing important is open, write a section "## Summary" at the end of requirements.md: numbered requirements, each testable. Then say that this phase can be approved.`;

const ROWS: readonly Omit<Phase, "number">[] = [
  { name: "skeleton", title: "Skeleton", artifact: "rough-idea.md", instruction: "" },
  { name: "requirements", title: "Requirements", artifact: "requirements.md", instruction: ONE_QUESTION },
  {
    name: "research",
    title: "Research",
    artifact: "research/",
    instruction: `Find out what is true today, as far as the requirements touch it. Facts only, no solutions.
- Send two to five explore agents side by side for independent questions, where there is more than one.
- Write one file a topic, research/<topic>.md: what is there with file and line, how it is used, what constrains a change, what you did not look at.
- End with three lines that say what surprised you.`,
  },
  {
    name: "design",
    title: "Design",
    artifact: "design.md",
    instruction: `Write design.md, about 200 lines at most.
- Sections: Current State, Desired State, Components and Interfaces, Data, Errors, Acceptance (Given / When / Then, one for each requirement), Testing, Alternatives that were rejected and why.
- Name real files, types and functions. Every requirement has a place in it; nothing else has.
- Where a choice is the person's, ask it in your message.`,
  },
  {
    name: "outline",
    title: "Outline",
    artifact: "outline.md",
    instruction: `Write outline.md, about 30 lines: what a header file would say.
- Each file that is new or changes, with one line on what it does; new types and functions with their signatures.
- The order in which they come to work, from end to end as early as possible.`,
  },
  {
    name: "plan",
    title: "Plan",
    artifact: "plan.md",
    instruction: `Write plan.md: vertical slices, each of which works and can be checked when it is done. No horizontal layers.
The exact form of a slice:
- [ ] Slice 1: title
  - files: src/a.ts, src/a.test.ts
  - verify: \`a command that fails before and succeeds after\`
  - depends: none
  - parallel-safe: no
  What is to be done, and what is not.
- At most 10 files and about 400 changed lines a slice. The first one goes through all layers.
- depends has numbers ("1, 2"). parallel-safe is yes only where a slice shares no file with others that may run at the same time.
- Commands run in a fresh copy of the project without ignored files: say in the slice what has to be installed first.`,
  },
  {
    name: "prompt",
    title: "PROMPT.md",
    artifact: "PROMPT.md",
    instruction: `Write PROMPT.md: the briefing for workers who know nothing of this conversation, at most 150 lines.
- Sections: ## Objective, ## Key Requirements, ## Acceptance Criteria, ## Implementation Slices (one line each), ## Done Criteria, ## Gates, ## Reference, ## Constraints.
- Done Criteria are statements that a reviewer can find true or false by reading the diff.
- Gates are commands that must succeed before the work is brought in, each on one line: - **tests**: \`npm test\`
- Look that each command exists in this project. Installing what they need is the first gate.`,
  },
];

export const PHASES: readonly Phase[] = ROWS.map((row, index) => ({ number: index + 1, ...row }));

/** The phase with this number. Throws a RangeError for any other. */
export function phaseOf(number: number): Phase {
  const phase = PHASES[number - 1];
  if (phase === undefined) throw new RangeError(`there is no phase ${number}`);
  return phase;
}

/** The phase that a path below a spec's folder belongs to; undefined for a file of nobody's. */
export function phaseOfFile(path: string): Phase | undefined {
  return PHASES.find(({ artifact }) =>
    artifact.endsWith("/") ? path.startsWith(artifact) : path === artifact,
  );
}
