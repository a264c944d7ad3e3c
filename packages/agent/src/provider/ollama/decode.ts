/** From the lines of an Ollama answer to our events. */
import type { JsonObject } from "../../contract/json.ts";
import {
  type AssistantMessage,
  type AssistantPart,
  type ModelSource,
  type ModelStop,
  noUsage,
  type Usage,
} from "../../contract/messages.ts";
import type { ModelError, ModelEvent } from "../../contract/model.ts";
import { argumentText, cutArguments, parseArguments } from "../shared/arguments.ts";
import type { CallIds } from "../shared/call-ids.ts";
import { type FailureContext, serviceError } from "../shared/errors.ts";
import { asCount, asList, asObject, asText, readObject } from "../shared/read.ts";
import type { AnswerReader } from "../shared/stream-run.ts";
import { StreamedAnswer } from "../shared/streamed-answer.ts";
import { tornEvent } from "../shared/torn-event.ts";

/** Reads one answer. `warn` looks at how many prompt tokens the service evaluated. */
export class OllamaReader implements AnswerReader<string> {
  complete = false;
  failure: ModelError | undefined;
  #reason = "";
  #evaluated = 0;
  #usage: Usage | undefined;
  #count = 0;
  readonly #answer = new StreamedAnswer();
  readonly #source: ModelSource;
  readonly #ids: CallIds;
  readonly #context: FailureContext;
  readonly #warn: (evaluated: number) => string[];

  constructor(
    source: ModelSource,
    ids: CallIds,
    context: FailureContext,
    warn: (evaluated: number) => string[],
  ) {
    this.#source = source;
    this.#ids = ids;
    this.#context = context;
    this.#warn = warn;
  }

  take(line: string): ModelEvent[] {
    const fields = readObject(line);
    if (fields === undefined) {
      this.failure ??= tornEvent(line, this.#source.provider);
      return [];
    }
    if (fields["error"]) {
      this.failure ??= brokenDown(serviceError({ body: fields }, this.#context));
      return [];
    }
    const message = asObject(fields["message"]) ?? {};
    const events = [
      ...this.#answer.thinking(asText(message["thinking"])),
      ...this.#answer.text(asText(message["content"])),
      ...asList(message["tool_calls"]).flatMap((item) => this.#call(asObject(item))),
    ];
    if (fields["done"] !== true) return events;
    events.push(...this.#answer.close());
    this.#finish(fields);
    return events;
  }

  message(): AssistantMessage {
    return this.#answer.message(this.#source, this.#stop(), this.#usage);
  }

  partial(): AssistantPart[] {
    return this.#answer.parts();
  }

  usage(): Usage | undefined {
    return this.#usage;
  }

  warnings(): string[] {
    return this.#warn(this.#evaluated);
  }

  #stop(): ModelStop {
    if (this.#reason === "length") return "length";
    return this.#answer.hasCalls ? "tool" : "end";
  }

  /** Calls come whole, without ids; arguments are an object, or its text. */
  #call(item: JsonObject | undefined): ModelEvent[] {
    const called = asObject(item?.["function"]);
    if (called === undefined) return [];
    const name = asText(called["name"]).trim();
    const text = argumentText(called["arguments"]);
    this.#count += 1;
    const id = this.#ids.take(asText(item?.["id"]), `${this.#count} ${name} ${text}`);
    const events = this.#answer.call(({ length, last }) => ({
      type: "tool_call",
      id,
      name,
      ...(length && last ? cutArguments(text) : parseArguments(text)),
    }));
    return [...events, { type: "call_delta", name, delta: text }];
  }

  #finish(fields: JsonObject): void {
    this.#reason = asText(fields["done_reason"]);
    const cached = asCount(fields["prompt_eval_cached_count"]);
    const evaluated = asCount(fields["prompt_eval_count"]);
    // Some versions count only what was not in their cache.
    this.#evaluated = cached > evaluated ? evaluated + cached : evaluated;
    const output = asCount(fields["eval_count"]);
    this.#usage = {
      ...noUsage(),
      input: this.#evaluated - cached,
      output,
      cache_read: cached,
      total: this.#evaluated + output,
    };
    if (this.#reason === "length" && this.#answer.empty)
      this.failure = serviceError(
        {
          body: {
            code: "context_length_exceeded",
            message: "the prompt filled the context: no room for an answer",
          },
        },
        this.#context,
      );
    this.complete = this.failure === undefined;
  }
}

/** Inside of a stream stands what would have been a status 500: the runner broke down, and the next request starts it anew. */
function brokenDown(error: ModelError): ModelError {
  return error.code === "unknown" ? { ...error, code: "overloaded", retryable: true } : error;
}
