import type { XStatic } from "typebox/schema";
import { isPiError } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { ToolContext, ToolDefinition, ToolOutcome } from "../../contract/tool.ts";
import { formatCount } from "../../platform/format-count.ts";
import { nearPaths } from "../shared/near-paths.ts";
import { otherNamesNote } from "../shared/other-names.ts";
import { failed, failureOf, found } from "../shared/outcome.ts";
import { type Applied, applyEdits, type EditStep } from "./apply-edits.ts";
import { editPrompt } from "./edit.prompt.ts";
import { explainProblem } from "./explain-problem.ts";
import { changedSnippet, lineAt } from "./snippet.ts";
import { type TextForm, textForm } from "./text-form.ts";

type Input = XStatic<typeof editPrompt.input>;

/** A file of nothing else is as good as empty, and stays marked. */
const BOM = Buffer.from("\ufeff");
const MAX_BYTES = 64 * 1024 * 1024;

/** `edit`: replaces pieces of a file and leaves every other byte as it is. */
export const editTool: ToolDefinition<Input> = {
  ...editPrompt,
  kind: "edit",
  aliases: {
    path: "file_path",
    file: "file_path",
    filename: "file_path",
    filepath: "file_path",
    old_text: "old_string",
    new_text: "new_string",
    old_str: "old_string",
    new_str: "new_string",
    oldString: "old_string",
    newString: "new_string",
    oldText: "old_string",
    newText: "new_string",
    replaceAll: "replace_all",
  },
  lockKey: (input, context) => context.files.key(input.file_path),
  async run(input, context) {
    const steps = stepsOf(input);
    const refusal = checkSteps(steps);
    if (refusal) return refusal;
    try {
      return await edit(input.file_path, steps, context);
    } catch (thrown) {
      const outcome = failureOf(thrown);
      if (isPiError(thrown) && thrown.code === "file_missing")
        outcome.text += `\n${nearPaths(context.files, input.file_path)} To create a file use write.`;
      return outcome;
    }
  },
};

function stepsOf(input: Input): EditStep[] {
  const all = input.replace_all ?? false;
  const steps: EditStep[] = [];
  if (input.old_string !== undefined) steps.push({ old: input.old_string, new: input.new_string ?? "", all });
  for (const step of input.edits ?? []) steps.push({ old: step.old_string, new: step.new_string, all });
  return steps;
}

function checkSteps(steps: readonly EditStep[]): ToolOutcome | null {
  if (steps.length === 0)
    return failed("Nothing to do: give old_string and new_string, or edits.", { code: "no_edit" });
  for (const [index, step] of steps.entries())
    for (const [name, text] of [
      ["old_string", step.old],
      ["new_string", step.new],
    ] as const)
      if (!text.isWellFormed())
        return failed(
          `The ${name} of edit ${index + 1} has half a character (a lone surrogate). Nothing was changed.`,
          { code: "text" },
        );
  return null;
}

async function edit(path: string, steps: readonly EditStep[], context: ToolContext): Promise<ToolOutcome> {
  const { files, ledger } = context;
  const creates = steps.length === 1 && steps[0]?.old === "";
  if (creates && !files.exists(path)) return create(path, steps[0]!.new, context);
  const before = files.readAll(path, MAX_BYTES);
  const shown = files.display(path);
  if (creates && before.length === 0) return create(path, steps[0]!.new, context);
  if (creates && BOM.equals(before)) return create(path, `\ufeff${steps[0]!.new}`, context);
  if (steps.some((step) => step.old === ""))
    return failed(
      `old_string is empty, and ${shown} is not (${formatCount(before.length)} bytes). It was not changed.\nGive the text to replace; to add text, the line beside it in both strings; to replace all, use write.`,
      { path: shown, code: "empty_old_string" },
    );
  const form = textForm(before);
  if ("problem" in form)
    return failed(`${shown} ${form.problem} and cannot be edited as text. It was not changed.`, {
      path: shown,
      code: "binary",
    });
  const applied = await applyEdits(form, steps);
  if ("kind" in applied) return explainProblem(form, applied, steps, shown);
  const after = form.toBytes(applied.body);
  const key = files.key(path);
  const state = ledger.state(key, before);
  const seen = state === "current" && ledger.seen(key) === "whole" ? "whole" : "part";
  // The replacement's alignment may have waited for a module: the file must still be what was edited.
  if (Buffer.compare(before, files.readAll(path, MAX_BYTES)) !== 0)
    return failed(
      `${shown} changed while it was edited. It was not changed by this call.\nRead it, then try again.`,
      {
        path: shown,
        code: "changed",
      },
    );
  const done = files.write(path, after);
  ledger.record(key, after, seen);
  return report(done.path, form, applied, {
    stale: state === "changed",
    more: [...legacyNotes(form, steps), otherNamesNote(done.otherNames)].filter((note) => note !== ""),
  });
}

function create(path: string, text: string, context: ToolContext): ToolOutcome {
  const bytes = new TextEncoder().encode(text);
  const done = context.files.write(path, bytes);
  context.ledger.record(context.files.key(path), bytes, "whole");
  return found(`${done.created ? "Created" : "Filled"} ${done.path} (${formatCount(bytes.length)} bytes).`, {
    path: done.path,
    replacements: 1,
    created: done.created,
  });
}

const ESCAPE = /\\x[0-9A-Fa-f]{2}/;

/** What was written into a file that is not UTF-8 and may not be what was meant. */
function legacyNotes(form: TextForm, steps: readonly EditStep[]): string[] {
  if (!form.legacy) return [];
  const notes = ["The file is not UTF-8; all other bytes were kept."];
  const wide = steps.map((step) => /[^\0-\x7f]/u.exec(step.new)?.[0]).find((found) => found !== undefined);
  // Where some of it is UTF-8, the rest is a few odd bytes.
  if (wide !== undefined && !/[^\0-\x7f]/.test(form.toText(form.body)))
    notes.push(
      `${wide} was written as UTF-8, which nothing else in the file is: if its encoding is another, write the text with bash (iconv).`,
    );
  if (steps.some((step) => ESCAPE.test(step.new) && !ESCAPE.test(step.old)))
    notes.push(
      "\\xNN in new_string was written as these four characters; for the byte, old_string must have one, too.",
    );
  return notes;
}

function report(
  path: string,
  form: TextForm,
  applied: Applied,
  about: { stale: boolean; more: readonly string[] },
): ToolOutcome {
  const { replacements } = applied;
  const notes: string[] = [];
  if (applied.lenient)
    notes.push(
      "Matched with straight and curly quotes taken as equal; quotes you did not change kept their form.",
    );
  if (about.stale)
    notes.push("The file had changed since you read it: other parts may differ from what you saw.");
  notes.push(...about.more);
  const lines = applied.changed.slice(0, 100).map((span) => lineAt(applied.body, span.start));
  const details: JsonObject = { path, replacements, lines };
  if (applied.lenient) details["lenient"] = true;
  const head = `Edited ${path}: ${replacements === 1 ? "1 replacement" : `${replacements} replacements`}.`;
  return found(
    [[head, ...notes].join(" "), changedSnippet(form, applied.body, applied.changed)].join("\n"),
    details,
  );
}
