import type { Callbacks, PromptDecision } from "../../contract/callbacks.ts";
import { framed } from "./framed.ts";
import { blockOf, type HookContext } from "./hook-context.ts";
import type { Hook } from "./hook-entry.ts";

/** The hooks of a session's start and end. What the start's hooks say goes before the model with the first prompt, which waits for them. */
export class SessionHooks {
  readonly callbacks: Callbacks = { name: "hooks", beforePrompt: () => this.#beforePrompt() };
  readonly #starts: readonly Hook[];
  readonly #ends: readonly Hook[];
  readonly #context: HookContext;
  readonly #stop = new AbortController();
  #started: Promise<PromptDecision> = Promise.resolve({});
  #told = false;
  #ended: Promise<void> | undefined;

  constructor(hooks: readonly Hook[], context: HookContext) {
    this.#starts = hooks.filter(({ event }) => event === "session_start");
    this.#ends = hooks.filter(({ event }) => event === "session_end");
    this.#context = context;
  }

  /** Does not wait for the hooks. */
  begin(facts: { resumed: boolean; mode: string }): void {
    if (this.#starts.length > 0) this.#started = this.#start(facts);
  }

  end(): Promise<void> {
    this.#ended ??= (async () => {
      this.#stop.abort();
      await this.#started;
      const never = new AbortController().signal;
      for (const hook of this.#ends) {
        const occasion = { event: "session_end", tool: null, input: null, data: {} } as const;
        const end = await this.#context.run(hook, occasion, never);
        if (end.kind === "failed") this.#context.tell(hook, end.why);
        if (end.kind === "blocked")
          this.#context.tell(hook, `cannot block the end of a session: ${end.reason}`);
      }
    })();
    return this.#ended;
  }

  async #start(data: { resumed: boolean; mode: string }): Promise<PromptDecision> {
    const texts: string[] = [];
    for (const hook of this.#starts) {
      const occasion = { event: "session_start", tool: null, input: null, data } as const;
      const end = await this.#context.run(hook, occasion, this.#stop.signal);
      const block = blockOf(hook, end, this.#context.tell);
      if (block !== undefined) return { block };
      if (end.kind === "answered" && end.answer.add !== undefined)
        texts.push(framed("session_start", end.answer.add));
    }
    return texts.length === 0 ? {} : { context: texts.join("\n\n") };
  }

  async #beforePrompt(): Promise<PromptDecision | undefined> {
    const { block, context } = await this.#started;
    if (block !== undefined) return { block };
    if (context === undefined || this.#told) return undefined;
    this.#told = true;
    return { context };
  }
}
