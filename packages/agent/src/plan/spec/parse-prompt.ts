import { type SpecProblem, sectionOf, sectionText, unclosedCode } from "./markdown-sections.ts";
import { commandIn } from "./parse-plan.ts";

/** A command that must succeed before a run's work is brought in. */
export interface Gate {
  name: string;
  command: string;
}

/** What a run reads of a `PROMPT.md`. */
export interface ParsedPrompt {
  gates: readonly Gate[];
  /** What the reviewer judges by; null: nothing is said. */
  doneCriteria: string | null;
  problems: readonly SpecProblem[];
}

const ITEM = /^\s*(?:[-*+]|\d+[.)])\s/;
/** Somebody says that there are none. */
const NONE = /^[\W_]*(?:none|no|nothing|n\/a)\b/i;
const GATE = /^(?:[-*+]|\d+[.)])\s+(?:\*\*(.+?)(?::\*\*|\*\*\s*:)|([^`*:]+?)\s*:)\s*(.*?)\s*$/;

/**
 * Reads the gates (`` - **name**: `command` `` below `## Gates`) and the done criteria. An item or code there that is no gate is a problem:
 * a gate that is passed over would count as passed.
 */
export function parsePrompt(text: string): ParsedPrompt {
  const gates: Gate[] = [];
  const problems = unclosedCode(text);
  const section = sectionOf(text, "Gates") ?? [];
  for (const { number, text: line, code } of section) {
    if (!code && !ITEM.test(line)) continue;
    const [, bold, plain, value = ""] = GATE.exec(line.trim()) ?? [];
    const name = bold ?? plain;
    const command = commandIn(value);
    if (name !== undefined && command !== null) gates.push({ name: name.trim(), command });
    else problems.push({ line: number, message: "a gate is written - **name**: `command`" });
  }
  const words = section.find(({ text: line }) => line.trim() !== "");
  if (gates.length === 0 && problems.length === 0 && words !== undefined && !NONE.test(words.text))
    problems.push({ line: words.number, message: `nothing below "Gates" is one: - **name**: \`command\`` });
  return { gates, problems, doneCriteria: sectionText(text, "Done Criteria") };
}
