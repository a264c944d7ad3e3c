/** What the compactor did to the results of one tool. Characters are UTF-16 units. */
export interface ToolStatistics {
  tool: string;
  /** Results looked at: those of this tool that were not short. */
  results: number;
  shortened: number;
  charsBefore: number;
  charsAfter: number;
  techniques: TechniqueStatistics[];
}

export interface TechniqueStatistics {
  technique: string;
  count: number;
  charsBefore: number;
  charsAfter: number;
  /** Times that it failed and its input was kept, with the last reason. */
  failures: number;
  lastFailure?: string;
}

export interface CompactorStatistics {
  tools: ToolStatistics[];
}

/** Counts by tool and technique. */
export class StatisticsCounter {
  readonly #tools = new Map<
    string,
    { total: Omit<ToolStatistics, "techniques">; techniques: Map<string, TechniqueStatistics> }
  >();

  result(tool: string, charsBefore: number, charsAfter: number): void {
    const { total } = this.#tool(tool);
    total.results++;
    if (charsAfter < charsBefore) total.shortened++;
    total.charsBefore += charsBefore;
    total.charsAfter += charsAfter;
  }

  technique(tool: string, technique: string, charsBefore: number, charsAfter: number): void {
    const entry = this.#technique(tool, technique);
    entry.count++;
    entry.charsBefore += charsBefore;
    entry.charsAfter += charsAfter;
  }

  failure(tool: string, technique: string, message: string): void {
    const entry = this.#technique(tool, technique);
    entry.failures++;
    entry.lastFailure = message;
  }

  snapshot(): CompactorStatistics {
    const tools = [...this.#tools.values()].map(({ total, techniques }) => ({
      ...total,
      techniques: [...techniques.values()].map((entry) => ({ ...entry })),
    }));
    return { tools };
  }

  reset(): void {
    this.#tools.clear();
  }

  #tool(tool: string) {
    let known = this.#tools.get(tool);
    if (!known) {
      known = {
        total: { tool, results: 0, shortened: 0, charsBefore: 0, charsAfter: 0 },
        techniques: new Map(),
      };
      this.#tools.set(tool, known);
    }
    return known;
  }

  #technique(tool: string, technique: string): TechniqueStatistics {
    const { techniques } = this.#tool(tool);
    let entry = techniques.get(technique);
    if (!entry) {
      entry = { technique, count: 0, charsBefore: 0, charsAfter: 0, failures: 0 };
      techniques.set(technique, entry);
    }
    return entry;
  }
}
