import type { AnyTool } from "../../../contract/tool.ts";
import type { McpTool } from "./mcp-tool.ts";

export interface ShelfParts {
  /** Tokens that the definitions of all tools may take in a request. */
  budget: number;
  /** The tools that find and call what is not declared. */
  search: readonly AnyTool[];
  /** Declared with the first server that has resources. */
  resources: AnyTool;
}

/** What a model is offered differently from a run before. */
export interface ShelfChange {
  added: readonly string[];
  changed: readonly string[];
  removed: readonly string[];
}

interface Shelved {
  tool: McpTool;
  declared: boolean;
}

/**
 * The tools of all servers in the order in which models are told of them. What servers list waits until a run begins and then goes to
 * the end, in the order of names, so that the list a cache knows stays the beginning of the next one. Within the budget tools are
 * declared; what comes on top of it is found by search. A tool stays what it was made at first.
 */
export class ToolShelf {
  readonly #parts: ShelfParts;
  readonly #listed = new Map<string, readonly McpTool[]>();
  readonly #shelved = new Map<string, Shelved>();
  #tools: readonly AnyTool[] = [];
  #order: AnyTool[] = [];
  #resources = false;
  #changed = false;
  #opened = false;

  constructor(parts: ShelfParts) {
    this.#parts = parts;
  }

  /** What a server lists now, or (an empty list) that it is switched off. */
  list(server: string, tools: readonly McpTool[], resources: boolean): void {
    this.#listed.set(server, tools);
    if (resources) this.#resources = true;
    this.#changed = true;
  }

  /** The tools of the run in progress or of the next one; the same list as long as nothing changes. */
  get tools(): readonly AnyTool[] {
    return this.#tools;
  }

  /** How many tools a server lends, how many of them are found by search, and the estimated tokens of the others in each request. */
  cost(server: string): { tools: number; searched: number; tokens: number } {
    const listed = this.#listed.get(server) ?? [];
    const paid = listed.filter(({ name }) => this.#shelved.get(name)?.declared !== false);
    return {
      tools: listed.length,
      searched: listed.length - paid.length,
      tokens: paid.reduce((sum, { tokens }) => sum + tokens, 0),
    };
  }

  /** Every tool, whether a model is told of it or not. */
  all(): readonly McpTool[] {
    return [...this.#shelved.values()].map(({ tool }) => tool);
  }

  /** Takes over what servers have listed since the last time; null when nothing is different. The first time is no change. */
  takeOver(): ShelfChange | null {
    const first = !this.#opened;
    this.#opened = true;
    if (!this.#changed) return null;
    this.#changed = false;
    const listed = new Map([...this.#listed.values()].flat().map((tool) => [tool.name, tool]));
    const removed = [...this.#shelved.keys()].filter((name) => !listed.has(name));
    const added = [...listed.keys()].filter((name) => !this.#shelved.has(name)).sort();
    const changed = [...listed.values()].filter((tool) => this.#differs(tool)).map(({ name }) => name);
    for (const name of removed) this.#remove(name);
    for (const name of changed) this.#replace(listed.get(name)!);
    this.#add(added.map((name) => listed.get(name)!));
    if (added.length + changed.length + removed.length === 0 && !this.#needsResources()) return null;
    if (this.#needsResources()) this.#order.push(this.#parts.resources);
    this.#tools = [...this.#order];
    return first ? null : { added, changed: changed.sort(), removed: removed.sort() };
  }

  #needsResources(): boolean {
    return this.#resources && !this.#order.includes(this.#parts.resources);
  }

  #differs(tool: McpTool): boolean {
    const before = this.#shelved.get(tool.name);
    return before !== undefined && before.tool.spelling !== tool.spelling;
  }

  #remove(name: string): void {
    const gone = this.#shelved.get(name)!.tool;
    this.#shelved.delete(name);
    this.#order = this.#order.filter((tool) => tool.name !== gone.name);
  }

  #replace(tool: McpTool): void {
    const before = this.#shelved.get(tool.name)!;
    const next = before.declared ? tool : { ...tool, undeclared: true as const };
    this.#order[this.#order.findIndex(({ name }) => name === tool.name)] = next;
    this.#shelved.set(tool.name, { ...before, tool: next });
  }

  /** All of a batch is declared, or none of it: which ones would be a choice that the next start makes differently. */
  #add(tools: readonly McpTool[]): void {
    if (tools.length === 0) return;
    const kept = [...this.#shelved.values()].filter(({ declared }) => declared).map(({ tool }) => tool);
    const cost = [...kept, ...tools].reduce((sum, { tokens }) => sum + tokens, 0);
    const declared = cost <= this.#parts.budget;
    if (!declared && !this.#order.includes(this.#parts.search[0]!)) this.#order.push(...this.#parts.search);
    for (const tool of tools) {
      const shelved = declared ? tool : { ...tool, undeclared: true as const };
      this.#order.push(shelved);
      this.#shelved.set(tool.name, { tool: shelved, declared });
    }
  }
}
