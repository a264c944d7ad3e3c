import type { ToolContext } from "../../../contract/tool.ts";
import { IgnoreRules } from "./ignore-rules.ts";

/** Where a search starts. */
export interface SearchRoot {
  /** Project-relative real path, "." for the project. */
  path: string;
  kind: "file" | "folder";
  /** The place itself is ignored by .gitignore: whoever names it wants it searched, with all that is in it. */
  ignored: boolean;
}

/** Resolves a search's `path`; throws what the file door throws (outside, missing, …). */
export async function openSearchRoot(given: string | undefined, context: ToolContext): Promise<SearchRoot> {
  const real = context.files.real(given ?? ".");
  const path = context.files.display(real);
  const kind = context.files.stat(real).kind === "folder" ? "folder" : "file";
  if (path === ".") return { path, kind, ignored: false };
  const rules = await IgnoreRules.open(context);
  return { path, kind, ignored: rules.ignoresAnyParent(path, kind === "folder") };
}
