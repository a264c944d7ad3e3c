import type { HLJSApi } from "highlight.js";
import type { Theme } from "../../theme/theme.ts";
import type { Run } from "../document/runs.ts";
import { htmlRuns } from "./html-runs.ts";
import { grammars, languageName } from "./languages.ts";

/**
 * Colours code with highlight.js, which (with each grammar) is loaded when it is first needed: until then code is plain, and
 * `onLoaded` tells when it can be drawn again.
 */
export class Highlighter {
  readonly #onLoaded: () => void;
  #core: HLJSApi | undefined;
  /** Grammars by name: true once registered. */
  readonly #grammars = new Map<string, boolean>();
  #loading: Promise<void> = Promise.resolve();

  constructor(onLoaded: () => void) {
    this.#onLoaded = onLoaded;
  }

  /**
   * Lines of safe text as runs, one list for each line. `before` is the code above it, which is taken into account and not given
   * back. Plain when the language is unknown or not loaded yet.
   */
  runs(code: string, info: string | undefined, theme: Theme, before = ""): Run[][] {
    const language = languageName(info);
    const core = language === undefined ? undefined : this.#ready(language);
    if (language === undefined || core === undefined) return plainRuns(code);
    const skip = before === "" ? 0 : before.split("\n").length;
    const all = before === "" ? code : `${before}\n${code}`;
    try {
      const { value } = core.highlight(all, { language, ignoreIllegals: true });
      return htmlRuns(value, theme).slice(skip);
    } catch {
      // A grammar's bug costs colours, nothing else.
      return plainRuns(code);
    }
  }

  /** Resolves when everything asked for so far is loaded (or has failed). */
  async settled(): Promise<void> {
    let seen: Promise<void> | undefined;
    while (seen !== this.#loading) {
      seen = this.#loading;
      await seen;
    }
  }

  #ready(language: string): HLJSApi | undefined {
    const state = this.#grammars.get(language);
    if (state === undefined) {
      this.#grammars.set(language, false);
      this.#loading = Promise.all([this.#loading, this.#load(language)]).then(() => undefined);
    }
    return state ? this.#core : undefined;
  }

  async #load(language: string): Promise<void> {
    try {
      // Not within the frame that asks: its rows go out first.
      await new Promise((resolve) => setImmediate(resolve));
      const [core, grammar] = await Promise.all([import("highlight.js/lib/core"), grammars[language]!()]);
      this.#core ??= core.default;
      this.#core.registerLanguage(language, grammar.default);
      this.#grammars.set(language, true);
      this.#onLoaded();
    } catch {
      // Code stays plain.
    }
  }
}

/** Lines without colours. */
function plainRuns(code: string): Run[][] {
  return code.split("\n").map((text) => (text === "" ? [] : [{ text }]));
}
