/** The tools of a run by name. */
import type { HistoryRules, ToolDeclaration } from "../contract/model.ts";
import type { AnyTool } from "../contract/tool.ts";
import { declarationOf } from "./declaration.ts";
import { fittingToolName } from "./repair/call-ids.ts";
import { wellFormed } from "./well-formed.ts";

/** How JSON spells half of a surrogate pair. */
const HALF = /\\ud[89a-f]/;

/** Looks tools up as models write their names; a Map, so that `constructor` and `__proto__` are names like any other. */
export class Toolbox {
  readonly declarations: readonly ToolDeclaration[];
  /** The declarations as JSON, for estimates of what they cost. */
  readonly spelled: string;
  readonly #byName = new Map<string, AnyTool>();
  readonly #byLowerCase = new Map<string, AnyTool | null>();

  /** Each tool is declared under its name, or under one made from it where the service does not take it. */
  constructor(tools: readonly AnyTool[], rules: HistoryRules) {
    for (const tool of tools) {
      if (this.#byName.has(tool.name)) continue;
      this.#byName.set(tool.name, tool);
      const lower = tool.name.toLowerCase();
      this.#byLowerCase.set(lower, this.#byLowerCase.has(lower) ? null : tool);
    }
    const declared = [...this.#byName.values()].filter(({ undeclared }) => undeclared !== true);
    const declarations = declared.map((tool) => {
      const name = this.#declaredName(tool, rules);
      if (name !== tool.name) this.#byName.set(name, tool);
      return declarationOf(tool, name);
    });
    this.spelled = JSON.stringify(declarations);
    // The runtime writes JSON faster than we walk through it, and there may be hundreds.
    this.declarations = HALF.test(this.spelled) ? wellFormed(declarations) : declarations;
  }

  /** The tool of this name; spaces around it and the case of its letters do not matter where that is unambiguous. */
  find(name: string): AnyTool | undefined {
    const trimmed = name.trim();
    return this.#byName.get(trimmed) ?? this.#byLowerCase.get(trimmed.toLowerCase()) ?? undefined;
  }

  /** For the model: that there is no such tool, and which ones it may have meant. */
  unknown(name: string): string {
    const near = this.#near(name.trim().toLowerCase());
    const suggestion = near.length > 0 ? ` Did you mean ${near.map((n) => `"${n}"`).join(" or ")}?` : "";
    const all = this.declarations.map((declared) => declared.name);
    const list = all.length > 0 ? `Available tools: ${all.join(", ")}.` : "There are no tools in this run.";
    return `There is no tool named ${JSON.stringify(name.slice(0, 100))}.${suggestion} ${list}`;
  }

  #declaredName(tool: AnyTool, rules: HistoryRules): string {
    const fitting = fittingToolName(tool.name.toWellFormed(), rules);
    let name = fitting;
    for (let n = 2; name !== tool.name && this.#byName.has(name); n++) name = `${fitting.slice(0, 58)}_${n}`;
    return name;
  }

  #near(name: string): string[] {
    return [...this.#byName.keys()]
      .map((known) => ({ known, distance: nearness(name, known.toLowerCase()) }))
      .filter(({ known, distance }) => distance <= (known.length < 4 ? 1 : 2))
      .sort((a, b) => a.distance - b.distance)
      .slice(0, 3)
      .map(({ known }) => known);
  }
}

/** Edit distance; 1 when one name contains the other (`functions.read`, `read_file`). */
function nearness(a: string, b: string): number {
  if (a.length >= 3 && b.length >= 3 && (a.includes(b) || b.includes(a))) return 1;
  if (Math.abs(a.length - b.length) > 4) return 99;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
    row = next;
  }
  return row[b.length]!;
}
