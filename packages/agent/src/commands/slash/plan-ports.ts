/** What `/plan` needs. Everything rejects with a PiError that says what is missing. */
export interface PlanPorts {
  plan: {
    /** Why nothing can be planned now; null when it can. */
    off(): string | null;
    mode(): boolean;
    /** Gives what the person should know besides. */
    setMode(on: boolean): Promise<string | null>;
    /** Names of all specs of the project. */
    specs(): Promise<readonly string[]>;
    /** The spec that is planned in this conversation; null: none. */
    stand(): Promise<PlanStand | null>;
    /** Begins a spec or goes on with one of that name. */
    begin(idea: string): Promise<PlanBegun>;
    /** The phase that was approved, and the next one; null: that was the last. */
    approve(): Promise<{ spec: string; approved: PlanPhase; next: PlanPhase | null }>;
    /** Null: it is the first. */
    back(): Promise<PlanPhase | null>;
  };
}

export interface PlanPhase {
  number: number;
  title: string;
  /** The path of what it leaves behind. */
  artifact: string;
}

export interface PlanStand {
  spec: string;
  folder: string;
  phases: readonly (PlanPhase & { state: "approved" | "current" | "later"; written: boolean })[];
  /** What keeps the current phase from being approved. */
  missing: string | null;
}

export interface PlanBegun {
  folder: string;
  /** The spec was there already. */
  known: boolean;
  /** Null: all its phases are approved. */
  phase: PlanPhase | null;
  spec: string;
  /** The id of the conversation that was left for a new one; null: this one was empty and goes on. */
  left: string | null;
  /** The model that plans, where it is another one. */
  model: string | null;
}
