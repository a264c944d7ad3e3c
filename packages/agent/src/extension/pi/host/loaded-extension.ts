import type { ExtensionEntry } from "../load/extension-entry.ts";
import type { PiCommand, PiFlag, PiHandler, PiShortcut, PiToolDefinition } from "../pi-types.ts";
import type { BroughtProvider } from "./host-ports.ts";
import type { ModuleHost } from "./module-ports.ts";

/** Something that went wrong in an extension. */
export interface ExtensionFault {
  /** Where: `session_start`, `tool recall`, `a timer`. */
  readonly where: string;
  readonly message: string;
  readonly times: number;
}

/** Where people hear of an extension's faults. */
export interface FaultTeller {
  report(extension: LoadedExtension, where: string, thrown: unknown): void;
  note(extension: LoadedExtension, where: string, words: string): void;
}

/** Faults that are kept of one extension. */
const MOST_FAULTS = 20;

/** An extension of this run with everything that it has registered. */
export class LoadedExtension {
  readonly entry: ExtensionEntry;
  state: "loading" | "ready" | "failed" = "loading";
  /** Why it failed. */
  error: string | undefined;
  /** Milliseconds that its module and its factory took. */
  loadMs = 0;
  readonly handlers = new Map<string, PiHandler[]>();
  readonly tools = new Map<string, PiToolDefinition>();
  readonly commands = new Map<string, PiCommand>();
  readonly flags = new Map<string, PiFlag>();
  readonly shortcuts = new Map<string, PiShortcut>();
  readonly renderers: { kind: "message" | "entry"; name: string; render: unknown }[] = [];
  /** Brought while it loaded. */
  readonly providers = new Map<string, BroughtProvider>();
  /** Where its faults are told; set by its host. */
  told: FaultTeller | undefined;
  /** What the modules that it imports work for; set when its conversation is built. */
  modules: ModuleHost | undefined;
  readonly faults: ExtensionFault[] = [];
  /** Dialogs of its that wait for a person: their time is not its own. */
  readonly dialogs = new Set<object>();
  /** What is to be undone when it is unloaded. */
  readonly #undo = new Set<() => void>();
  /** Its `pi` and `ctx` may be used no longer; why. */
  stale: string | undefined;

  constructor(entry: ExtensionEntry) {
    this.entry = entry;
  }

  get name(): string {
    return this.entry.name;
  }

  /** It is loaded and takes no part: it has registered nothing. An extension that knows pi from within, as pi's own memory does, leaves it alone. */
  get idle(): boolean {
    const { handlers, tools, commands, flags, shortcuts, providers } = this;
    const registered = [handlers, tools, commands, flags, shortcuts, providers].some(({ size }) => size > 0);
    return this.state === "ready" && !registered && this.renderers.length === 0;
  }

  /** Undoes something when it is unloaded, or earlier: the result does that, once. */
  undoable(undo: () => void): () => void {
    const once = () => {
      if (this.#undo.delete(once)) undo();
    };
    this.#undo.add(once);
    return once;
  }

  /** Undoes all that is left; `failed` gets what could not be. */
  undoAll(failed: (thrown: unknown) => void): void {
    for (const undo of [...this.#undo]) {
      try {
        undo();
      } catch (thrown) {
        failed(thrown);
      }
    }
  }

  /** Keeps a fault; false when the same one was kept before. */
  keep(where: string, message: string): boolean {
    const known = this.faults.findIndex((fault) => fault.where === where && fault.message === message);
    if (known >= 0) {
      const fault = this.faults[known]!;
      this.faults[known] = { ...fault, times: fault.times + 1 };
      return false;
    }
    if (this.faults.length < MOST_FAULTS) this.faults.push({ where, message, times: 1 });
    return true;
  }
}
