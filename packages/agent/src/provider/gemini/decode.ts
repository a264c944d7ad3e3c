/** From the events of a Gemini stream to ours. */
import type { JsonObject } from "../../contract/json.ts";
import type {
  AssistantMessage,
  AssistantPart,
  ModelSource,
  ModelStop,
  Usage,
} from "../../contract/messages.ts";
import type { ModelError, ModelEvent } from "../../contract/model.ts";
import { argumentText, cutArguments, parseArguments } from "../shared/arguments.ts";
import type { CallIds } from "../shared/call-ids.ts";
import { type FailureContext, serviceError } from "../shared/errors.ts";
import { asList, asObject, asText, readObject } from "../shared/read.ts";
import type { ServerSentEvent } from "../shared/sse.ts";
import type { AnswerReader } from "../shared/stream-run.ts";
import { StreamedAnswer } from "../shared/streamed-answer.ts";
import { tornEvent } from "../shared/torn-event.ts";
import { finishOf } from "./finish.ts";
import { callItem, signatureItem } from "./items.ts";
import { readMalformedCall } from "./malformed-call.ts";
import { readUsage } from "./usage.ts";

/** What comes after the last event of a body: Gemini has no closing event. */
export const END_OF_BODY: ServerSentEvent = { event: "end of body", data: "" };

/** Reads one answer. `tools` are the declared names, for calls that the service could not read. */
export class GeminiReader implements AnswerReader<ServerSentEvent> {
  complete = false;
  failure: ModelError | undefined;
  #reason = "";
  #finishMessage = "";
  #usage: Usage | undefined;
  #count = 0;
  readonly #answer = new StreamedAnswer();
  readonly #source: ModelSource;
  readonly #ids: CallIds;
  readonly #context: FailureContext;
  readonly #tools: readonly string[];

  constructor(source: ModelSource, ids: CallIds, context: FailureContext, tools: readonly string[]) {
    this.#source = source;
    this.#ids = ids;
    this.#context = context;
    this.#tools = tools;
  }

  /** True once a finish reason was seen: the answer is whole, only its usage may follow. */
  get finished(): boolean {
    return this.#reason !== "";
  }

  take(event: ServerSentEvent): ModelEvent[] {
    if (event !== END_OF_BODY) {
      const chunk = readObject(event.data);
      if (chunk !== undefined) return this.#chunk(chunk);
      // After the finish reason only the usage can be hurt.
      if (!this.finished) this.failure ??= tornEvent(event.data, this.#source.provider);
      return [];
    }
    const events = this.#answer.close();
    if (this.finished && this.failure === undefined) {
      events.push(...this.#repair());
      this.failure = this.#failedFinish();
      this.complete = this.failure === undefined;
    }
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

  #stop(): ModelStop {
    const finish = finishOf(this.#reason);
    if (finish === "length" || finish === "filtered") return finish;
    return this.#answer.hasCalls ? "tool" : "end";
  }

  #chunk(chunk: JsonObject): ModelEvent[] {
    if (chunk["error"]) {
      this.failure ??= serviceError({ body: chunk }, this.#context);
      return [];
    }
    const usage = asObject(chunk["usageMetadata"]);
    if (usage !== undefined) this.#usage = readUsage(usage);
    const blocked = asText(asObject(chunk["promptFeedback"])?.["blockReason"]);
    const candidate = asObject(asList(chunk["candidates"])[0]);
    if (candidate === undefined) {
      if (blocked !== "" && blocked !== "BLOCKED_REASON_UNSPECIFIED") this.#block(chunk, blocked);
      return [];
    }
    const reason = asText(candidate["finishReason"]);
    if (reason !== "" && reason !== "FINISH_REASON_UNSPECIFIED") this.#reason = reason;
    this.#finishMessage = asText(candidate["finishMessage"]) || this.#finishMessage;
    return asList(asObject(candidate["content"])?.["parts"]).flatMap((item) => {
      const part = asObject(item);
      return part === undefined ? [] : this.#part(part);
    });
  }

  #part(part: JsonObject): ModelEvent[] {
    const called = asObject(part["functionCall"]);
    if (called !== undefined) return this.#call(part, called);
    const text = asText(part["text"]);
    const item = signatureItem(part);
    if (part["thought"] === true) return this.#answer.thinking(text, item);
    if (text !== "" || item !== undefined) return this.#answer.text(text, item);
    // Parts that we have no use for (code results, files) still show that the model is at work.
    return Object.keys(part).some((key) => key !== "text") ? [{ type: "activity" }] : [];
  }

  /** A call comes whole: arguments are an object (some gateways send their text). */
  #call(part: JsonObject, called: JsonObject): ModelEvent[] {
    const name = asText(called["name"]).trim();
    const args = called["args"];
    const text = argumentText(args);
    const theirs = asText(called["id"]);
    this.#count += 1;
    const id = this.#ids.take(theirs, `${this.#count} ${name} ${text}`);
    // An id that came twice is replaced on both sides; one that is only odd goes back as it came.
    const wireId = theirs === "" ? null : /^[a-zA-Z0-9_-]{1,40}$/.test(theirs) ? id : theirs;
    const events = this.#answer.call(({ length, last }) => {
      const parsed = length && last ? cutArguments(text) : parseArguments(text);
      // A signature holds for the very name and arguments it came with: without it where we had to change them.
      const same =
        name === called["name"] && (typeof args === "string" || sameArguments(parsed.arguments, text));
      return { type: "tool_call", id, name, ...parsed, opaque: callItem(same ? part : {}, wireId) };
    });
    return [...events, { type: "call_delta", name, delta: text }];
  }

  #block(chunk: JsonObject, reason: string): void {
    const said = asText(asObject(chunk["promptFeedback"])?.["blockReasonMessage"]);
    this.failure ??= serviceError(
      {
        body: {
          code: "content_filter",
          message: `the prompt was blocked (${reason})${said === "" ? "" : `: ${said}`}`,
        },
      },
      this.#context,
    );
  }

  /** A call that the service could not read becomes a call with a problem, so that the model hears of it and goes on. */
  #repair(): ModelEvent[] {
    if (finishOf(this.#reason) !== "fault" || this.#answer.hasCalls) return [];
    const found = readMalformedCall(this.#finishMessage, this.#tools);
    if (found === undefined) return [];
    const id = this.#ids.take(undefined, `malformed ${this.#finishMessage}`);
    return this.#answer.call(() => ({
      type: "tool_call",
      id,
      name: found.name,
      arguments: {},
      problem: found.problem,
    }));
  }

  #failedFinish(): ModelError | undefined {
    const finish = finishOf(this.#reason);
    const said = `the answer ended with ${this.#reason}${this.#finishMessage === "" ? "" : `: ${this.#finishMessage}`}`;
    if (finish === "history")
      return serviceError({ body: { code: "invalid_argument", message: said } }, this.#context);
    if (this.#answer.hasCalls || finish === "length" || finish === "filtered") return undefined;
    if (finish !== "fault" && this.#answer.parts().some((part) => part.type === "text" && part.text !== ""))
      return undefined;
    // No text and no call: the next try usually does better.
    return { ...serviceError({ body: { message: said } }, this.#context), code: "unknown", retryable: true };
  }
}

/** `text` is the JSON of what came; empty for a call without arguments. */
function sameArguments(parsed: JsonObject, text: string): boolean {
  return text === "" || JSON.stringify(parsed) === text;
}
