import type { AutocompleteItem, AutocompleteProvider, AutocompleteSuggestions } from "@earendil-works/pi-tui";
import type { ExtensionSource } from "../../../contract/extension-surface.ts";
import { safeLine } from "../../shared/safe-text.ts";
import type { PromptProvider } from "../input/prompt-editor-ports.ts";
import { untilAborted } from "../input/until-aborted.ts";
import type { Toolbox } from "./toolbox.ts";

type Wrap = (current: AutocompleteProvider) => AutocompleteProvider;

/** Completions of extensions around the prompt's own, the latest outermost. */
export class Completions {
  readonly #toolbox: Toolbox;
  readonly #wraps = new Map<object, { source: ExtensionSource; wrap: Wrap }>();

  constructor(toolbox: Toolbox) {
    this.#toolbox = toolbox;
  }

  /** The result removes it. */
  add(source: ExtensionSource, wrap: unknown): () => void {
    const { faults, owned } = this.#toolbox;
    if (typeof wrap !== "function") {
      faults.tell(source, "its completions", new TypeError("(current) => provider is needed"));
      return () => undefined;
    }
    const id = {};
    this.#wraps.set(id, { source, wrap: wrap as Wrap });
    this.#apply();
    return owned.add(source, () => {
      this.#wraps.delete(id);
      this.#apply();
    });
  }

  #apply(): void {
    this.#toolbox.ports.editor.wrapCompletion((own) => {
      const base = new OwnCompletions(own);
      let provider: AutocompleteProvider = base;
      for (const { source, wrap } of this.#wraps.values()) {
        const inner = provider;
        const wrapped = this.#toolbox.faults.guard(source, "its completions", () => wrap(inner));
        if (wrapped && typeof wrapped.getSuggestions === "function")
          provider = new GuardedCompletions(wrapped, inner, source, this.#toolbox);
      }
      return new StackedCompletions(provider, base);
    });
  }
}

/** The prompt's own, which remembers what it offered last. */
class OwnCompletions implements AutocompleteProvider {
  readonly #own: AutocompleteProvider;
  offered: AutocompleteSuggestions | null = null;

  constructor(own: AutocompleteProvider) {
    this.#own = own;
  }

  async getSuggestions(...asked: Parameters<AutocompleteProvider["getSuggestions"]>) {
    this.offered = await this.#own.getSuggestions(...asked);
    return this.offered;
  }

  applyCompletion(...taken: Parameters<AutocompleteProvider["applyCompletion"]>) {
    return this.#own.applyCompletion(...taken);
  }
}

/** One extension's: what it throws, or gives that is none, leaves the place to the one within. */
class GuardedCompletions implements AutocompleteProvider {
  readonly #provider: AutocompleteProvider;
  readonly #inner: AutocompleteProvider;
  readonly #source: ExtensionSource;
  readonly #toolbox: Toolbox;

  constructor(
    provider: AutocompleteProvider,
    inner: AutocompleteProvider,
    source: ExtensionSource,
    toolbox: Toolbox,
  ) {
    this.#provider = provider;
    this.#inner = inner;
    this.#source = source;
    this.#toolbox = toolbox;
  }

  get triggerCharacters(): string[] {
    const own = this.#provider.triggerCharacters;
    return [...new Set([...(Array.isArray(own) ? own : []), ...(this.#inner.triggerCharacters ?? [])])];
  }

  async getSuggestions(...asked: Parameters<AutocompleteProvider["getSuggestions"]>) {
    try {
      const suggested = await untilAborted(this.#provider.getSuggestions(...asked), asked[3].signal);
      return suggested && checked(suggested);
    } catch (error) {
      this.#fault(error);
      return this.#inner.getSuggestions(...asked);
    }
  }

  applyCompletion(...taken: Parameters<AutocompleteProvider["applyCompletion"]>) {
    try {
      return this.#provider.applyCompletion(...taken);
    } catch (error) {
      this.#fault(error);
      return this.#inner.applyCompletion(...taken);
    }
  }

  shouldTriggerFileCompletion(lines: string[], line: number, column: number): boolean {
    const should = this.#toolbox.faults.guard(this.#source, "its completions", () =>
      this.#provider.shouldTriggerFileCompletion?.(lines, line, column),
    );
    return should ?? this.#inner.shouldTriggerFileCompletion?.(lines, line, column) ?? true;
  }

  #fault(error: unknown): void {
    this.#toolbox.faults.tell(this.#source, "its completions", error);
  }
}

/** The whole stack, which knows whether the menu is the prompt's own. */
class StackedCompletions implements PromptProvider {
  readonly #provider: AutocompleteProvider;
  readonly #base: OwnCompletions;
  #offered: AutocompleteSuggestions | null = null;

  constructor(provider: AutocompleteProvider, base: OwnCompletions) {
    this.#provider = provider;
    this.#base = base;
  }

  get foreign(): boolean {
    return this.#offered !== null && this.#offered !== this.#base.offered;
  }

  get triggerCharacters(): string[] {
    return this.#provider.triggerCharacters ?? [];
  }

  async getSuggestions(...asked: Parameters<AutocompleteProvider["getSuggestions"]>) {
    this.#offered = await this.#provider.getSuggestions(...asked);
    return this.#offered;
  }

  applyCompletion(...taken: Parameters<AutocompleteProvider["applyCompletion"]>) {
    return this.#provider.applyCompletion(...taken);
  }

  shouldTriggerFileCompletion(lines: string[], line: number, column: number): boolean {
    return this.#provider.shouldTriggerFileCompletion?.(lines, line, column) ?? true;
  }
}

/** Items as the menu may draw them; the very object when nothing had to be changed. Throws on what is no list of items. */
function checked(suggested: AutocompleteSuggestions): AutocompleteSuggestions | null {
  if (!Array.isArray(suggested.items) || typeof suggested.prefix !== "string")
    throw new TypeError("getSuggestions() gave neither null nor { items, prefix }");
  if (suggested.items.length === 0) return null;
  const items = suggested.items.map(safeItem);
  return items.every((item, index) => item === suggested.items[index]) ? suggested : { ...suggested, items };
}

function safeItem(item: AutocompleteItem): AutocompleteItem {
  const label = safeLine(String(item.label ?? item.value));
  const description = item.description === undefined ? undefined : safeLine(String(item.description));
  if (label === item.label && description === item.description) return item;
  return { ...item, label, ...(description !== undefined && { description }) };
}
