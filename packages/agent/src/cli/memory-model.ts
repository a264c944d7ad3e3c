import type { SmallModel } from "agentic-remem/core";
import { PiError } from "../contract/errors.ts";
import { textOf } from "../contract/messages.ts";
import type { ModelRequest } from "../contract/model.ts";
import type { TokenBudget } from "../contract/services.ts";
import type { ChosenModel } from "./run-setup.ts";

export interface MemoryModelParts {
  /** The model of the role `smol`; asked for once, at the first request. */
  choose(): Promise<ChosenModel>;
  /** The day's tokens: a request that does not fit is not made. */
  budget(): TokenBudget;
  /** Told of what each request took. */
  onUsage(tokens: number): void;
}

const SYSTEM = "You condense notes. Answer with what is asked for and nothing else.";
/** Fewer characters a token than any text has, so that the day's limit is not passed. */
const CHARACTERS_A_TOKEN = 3;

/** The small model as the memory engine uses it: text in, text out, no tools, no thinking, counted in the day's tokens. */
export function memoryModel({ choose, budget, onUsage }: MemoryModelParts): SmallModel {
  let chosen: Promise<ChosenModel> | undefined;
  return {
    async complete(prompt, { maxTokens, signal }) {
      chosen ??= choose();
      const { model, client } = await chosen;
      const request: ModelRequest = {
        model,
        system: SYSTEM,
        tools: [],
        messages: [{ role: "user", origin: "user", parts: [{ type: "text", text: prompt.toWellFormed() }] }],
        maxOutput: maxTokens,
        thinking: "off",
      };
      const reservation = budget().reserve(Math.ceil(prompt.length / CHARACTERS_A_TOKEN) + maxTokens);
      const used = { input: 0, output: 0, requests: 1 };
      try {
        for await (const event of client.stream(request, signal)) {
          if (event.type === "error") throw new PiError(event.error);
          if (event.type !== "end") continue;
          const { input, cache_read, cache_write, output } = event.message.usage;
          Object.assign(used, { input: input + cache_read + cache_write, output });
          return textOf(event.message.parts);
        }
        throw new PiError({ code: "aborted", message: "the small model gave no answer" });
      } finally {
        reservation.settle(used);
        onUsage(used.input + used.output);
      }
    },
  };
}
