import type { AnyTool } from "../../../contract/tool.ts";
import type { PiToolDefinition } from "../pi-types.ts";
import { extensionTool } from "./extension-tool.ts";
import type { HostState } from "./host-state.ts";
import type { LoadedExtension } from "./loaded-extension.ts";

/** Takes a tool into the list. Of two extensions with one name the first keeps it, and the second is told. */
export function keepTool(state: HostState, extension: LoadedExtension, definition: PiToolDefinition): void {
  if (typeof definition?.name !== "string" || typeof definition.execute !== "function")
    throw new TypeError("pi.registerTool takes a name and execute");
  const { name } = definition;
  const owner = state.extensions.find((each) => each !== extension && each.tools.has(name));
  // While they load side by side, who comes first is chance: settleTools decides.
  if (owner !== undefined && state.ports !== null) tellTaken(state, extension, name, owner);
  else {
    extension.tools.set(name, definition);
    state.toolChanges++;
  }
}

/** All are loaded: of two extensions with a tool of one name the one that was named first keeps it. */
export function settleTools(state: HostState): void {
  const owners = new Map<string, LoadedExtension>();
  for (const extension of state.extensions)
    for (const name of [...extension.tools.keys()]) {
      const owner = owners.get(name);
      if (owner === undefined) owners.set(name, extension);
      else {
        extension.tools.delete(name);
        tellTaken(state, extension, name, owner);
      }
    }
}

function tellTaken(state: HostState, extension: LoadedExtension, name: string, owner: LoadedExtension): void {
  const words = `has a tool "${name}", and so has "${owner.name}"; the first one is used`;
  state.faults.note(extension, "registerTool", words);
}

/** The tools of a run: `base` with those of extensions, without those that `pi.setActiveTools` left out. The same list while nothing changes. */
export class ToolList {
  readonly #state: HostState;
  readonly #allowed: (name: string) => boolean;
  readonly #made = new Map<PiToolDefinition, AnyTool | null>();
  #base: readonly AnyTool[] = [];
  #changes = -1;
  #list: readonly AnyTool[] = [];

  /** `allowed`: whether the command line lets a tool of this name in. */
  constructor(state: HostState, allowed: (name: string) => boolean) {
    this.#state = state;
    this.#allowed = allowed;
  }

  of(base: readonly AnyTool[]): readonly AnyTool[] {
    const { toolChanges, active, extensions } = this.#state;
    if (base === this.#base && toolChanges === this.#changes) return this.#list;
    const own = new Map<string, AnyTool>();
    for (const extension of extensions)
      for (const definition of extension.tools.values())
        if (!own.has(definition.name) && this.#allowed(definition.name)) {
          const tool = this.#tool(extension, definition);
          if (tool !== null) own.set(definition.name, tool);
        }
    const overridden = base.map((tool) => {
      const instead = own.get(tool.name);
      own.delete(tool.name);
      return instead ?? tool;
    });
    const all = [...overridden, ...own.values()];
    this.#list = active === null ? all : all.filter(({ name }) => active.has(name));
    this.#base = base;
    this.#changes = toolChanges;
    return this.#list;
  }

  /** Null for a definition that cannot be read: it is told of, and the other tools stay. */
  #tool(extension: LoadedExtension, definition: PiToolDefinition): AnyTool | null {
    let tool = this.#made.get(definition);
    if (tool === undefined) {
      try {
        tool = extensionTool(extension, definition, this.#state);
      } catch (thrown) {
        this.#state.faults.report(extension, `the definition of its tool ${definition.name}`, thrown);
        tool = null;
      }
      this.#made.set(definition, tool);
    }
    return tool;
  }
}
