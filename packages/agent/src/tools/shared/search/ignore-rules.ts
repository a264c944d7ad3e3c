import type { Ignore } from "ignore";
import type { ToolContext } from "../../../contract/tool.ts";

const MAX_RULE_BYTES = 1024 * 1024;

/** The `.gitignore` files of one walk: git's own rules, nearest file last. Folders are relative to the project, "." is the root. */
export class IgnoreRules {
  readonly #files = new Map<string, Ignore | null>();
  readonly #context: ToolContext;
  readonly #create: () => Ignore;

  private constructor(context: ToolContext, create: () => Ignore) {
    this.#context = context;
    this.#create = create;
  }

  static async open(context: ToolContext): Promise<IgnoreRules> {
    const { default: ignore } = await import("ignore");
    return new IgnoreRules(context, () => ignore());
  }

  /** Whether the rules of the folders above `path` ignore it. `folder` tells what `path` is. */
  ignores(path: string, folder: boolean): boolean {
    const parts = path.split("/");
    let ignored = false;
    for (let depth = 0; depth < parts.length; depth++) {
      const rules = this.#rulesOf(depth === 0 ? "." : parts.slice(0, depth).join("/"));
      if (rules === null) continue;
      const result = rules.test(parts.slice(depth).join("/") + (folder ? "/" : ""));
      if (result.ignored) ignored = true;
      else if (result.unignored) ignored = false;
    }
    return ignored;
  }

  /** Whether `path` or any folder above it is ignored. */
  ignoresAnyParent(path: string, folder: boolean): boolean {
    const parts = path.split("/");
    for (let depth = 1; depth < parts.length; depth++)
      if (this.ignores(parts.slice(0, depth).join("/"), true)) return true;
    return this.ignores(path, folder);
  }

  #rulesOf(folder: string): Ignore | null {
    const known = this.#files.get(folder);
    if (known !== undefined) return known;
    const path = folder === "." ? ".gitignore" : `${folder}/.gitignore`;
    let rules: Ignore | null = null;
    try {
      const text = new TextDecoder().decode(this.#context.files.readAll(path, MAX_RULE_BYTES));
      rules = this.#create().add(text);
    } catch {
      rules = null; // no such file, or none that can be read: it has no rules
    }
    this.#files.set(folder, rules);
    return rules;
  }
}
