import type { AgentEvent } from "../../contract/events.ts";
import type { StatusFacts } from "../../contract/interactive.ts";
import { mcpCounts } from "../mcp-part.ts";
import { currentGitBranch } from "./git-branch.ts";
import type { Program } from "./program.ts";

/** Keeps the facts of the status line. Asking for them is cheap; what costs something is looked up in {@link refresh}. */
export class StatusReport {
  readonly #cwd: string;
  #gitBranch: string | undefined;
  #day: StatusFacts["day"];
  #contextTokens: number | undefined;
  #costUsd: number | undefined;
  /** A role that was chosen with a command; the flags' role before that. */
  role: string | undefined;

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  /** Another conversation begins: its cost is its own. */
  forget(): void {
    this.#costUsd = undefined;
    this.#contextTokens = undefined;
  }

  event(event: AgentEvent): void {
    if (event.type !== "turn_end") return;
    const { usage } = event;
    if (usage.cost_usd !== undefined) this.#costUsd = (this.#costUsd ?? 0) + usage.cost_usd;
    this.#contextTokens = usage.input + usage.cache_read + usage.cache_write + usage.output;
  }

  /** Looks up what changes outside of events: the branch, the day's tokens, the size of the context. */
  refresh(program: Program | undefined): void {
    this.#gitBranch = currentGitBranch(this.#cwd);
    const { app } = program ?? {};
    if (app === undefined) return;
    const { input_tokens, output_tokens, limit } = app.budget.usage();
    this.#day = { used: input_tokens + output_tokens, limit };
    this.#contextTokens = app.runner.contextTokens();
  }

  facts(program: Program | undefined): StatusFacts {
    const { app, session } = program ?? {};
    const model = app?.options.model ?? program?.chosen?.model;
    const flags = program?.parts.flags;
    const { hub } = app?.mcp ?? {};
    return {
      role: this.role ?? flags?.role ?? "default",
      cwd: this.#cwd,
      subagents: app?.subagents.running() ?? 0,
      backgroundCommands: app?.background.list().filter((one) => one.exit === undefined).length ?? 0,
      ...(model === undefined
        ? {}
        : {
            model: {
              provider: model.provider,
              id: model.id,
              name: model.name,
              thinking: app?.options.thinking ?? program?.settings?.config.thinking ?? "medium",
            },
          }),
      ...(this.#contextTokens === undefined || model === undefined
        ? {}
        : { context: { tokens: this.#contextTokens, window: model.contextWindow } }),
      ...(this.#costUsd === undefined ? {} : { costUsd: this.#costUsd }),
      ...(this.#day === undefined ? {} : { day: this.#day }),
      ...(this.#gitBranch === undefined ? {} : { gitBranch: this.#gitBranch }),
      ...(hub ? { mcp: mcpCounts(hub.servers) } : {}),
      ...(app === undefined ? {} : { confinement: app.doors.shell.confinement }),
      ...(app?.planMode.on ? { mode: "plan" } : {}),
      ...(session === undefined
        ? {}
        : {
            session: {
              id: session.id,
              branch: session.branch,
              onDisk: session.folder !== null,
              ...(session.meta.title === undefined ? {} : { title: session.meta.title }),
            },
          }),
    };
  }
}
