/** From the events of a chat completion to ours. Reads what compatible servers send, not only what the standard says. */
import type { Json, JsonObject } from "../../contract/json.ts";
import type { AssistantMessage, AssistantPart, ModelSource, Usage } from "../../contract/messages.ts";
import type { ModelError, ModelEvent } from "../../contract/model.ts";
import type { CallIds } from "../shared/call-ids.ts";
import { type FailureContext, serviceError } from "../shared/errors.ts";
import { asList, asObject, asText, readObject } from "../shared/read.ts";
import type { ServerSentEvent } from "../shared/sse.ts";
import type { AnswerReader } from "../shared/stream-run.ts";
import { StreamedAnswer } from "../shared/streamed-answer.ts";
import { tornEvent } from "../shared/torn-event.ts";
import { ChatCalls } from "./calls.ts";
import { finishOf } from "./finish.ts";
import { ReasoningDetails, reasoningDelta, reasoningOpaque } from "./reasoning.ts";
import { chunkUsage } from "./usage.ts";

/** What comes after the last event of a body: some servers close it without `[DONE]`. */
export const END_OF_BODY: ServerSentEvent = { event: "end of body", data: "" };

/** Reads one answer. `failure` is a refusal inside of the stream, or an end that is a failure. */
export class ChatReader implements AnswerReader<ServerSentEvent> {
  complete = false;
  failure: ModelError | undefined;
  #reason = "";
  #refused = false;
  #index: Json | undefined;
  #usage: Usage | undefined;
  readonly #answer = new StreamedAnswer();
  readonly #details = new ReasoningDetails();
  readonly #calls: ChatCalls;
  readonly #source: ModelSource;
  readonly #context: FailureContext;

  constructor(source: ModelSource, ids: CallIds, context: FailureContext) {
    this.#source = source;
    this.#context = context;
    this.#calls = new ChatCalls(this.#answer, ids);
  }

  /** True once a finish reason was seen: the answer is whole, only its usage may follow. */
  get finished(): boolean {
    return this.#reason !== "";
  }

  take(event: ServerSentEvent): ModelEvent[] {
    const done = event.data.trim() === "[DONE]";
    if (!done && event !== END_OF_BODY)
      return this.#chunks(event.data).flatMap((chunk) => this.#chunk(chunk, event.event === "error"));
    const events = this.#answer.close();
    this.#keepDetails();
    // Without a finish reason only the closing mark of the stream proves that the answer is whole.
    if (this.finished || (done && !this.#answer.empty)) {
      this.failure ??= this.#failedFinish();
      this.complete = this.failure === undefined;
    }
    return events;
  }

  message(): AssistantMessage {
    const finish = finishOf(this.#reason, this.#answer.hasCalls);
    const stop = this.#refused ? "filtered" : finish === "failed" ? "error" : finish;
    return this.#answer.message(this.#source, stop, this.#usage);
  }

  partial(): AssistantPart[] {
    return this.#answer.parts();
  }

  usage(): Usage | undefined {
    return this.#usage;
  }

  /** One chunk; several where a server forgot the empty line between its events; none where the data is no JSON. */
  #chunks(data: string): JsonObject[] {
    const whole = readObject(data);
    if (whole !== undefined) return [whole];
    const chunks = data.split("\n").map((line) => ({ line, chunk: readObject(line) }));
    const torn = chunks.find(
      ({ line, chunk }) => chunk === undefined && tornEvent(line, this.#source.provider),
    );
    // After the finish reason only the usage can be hurt.
    if (torn && !this.finished) this.failure ??= tornEvent(torn.line, this.#source.provider);
    return chunks.map(({ chunk }) => chunk).filter((chunk) => chunk !== undefined);
  }

  #chunk(chunk: JsonObject, isError: boolean): ModelEvent[] {
    this.#usage = chunkUsage(chunk) ?? this.#usage;
    const choice = this.#choice(chunk);
    if (isError || chunk["error"] || choice?.["error"] || chunk["object"] === "error") {
      this.failure ??= serviceError({ body: chunk, text: JSON.stringify(chunk) }, this.#context);
      return [];
    }
    this.#reason = asText(choice?.["finish_reason"]) || this.#reason;
    // A server that ignored `stream` answers with a whole message.
    const delta = asObject(choice?.["delta"]) ?? asObject(choice?.["message"]);
    return delta === undefined ? [] : this.#delta(delta);
  }

  /** We ask for one choice; where a server gives more, those after the first seen are other answers. */
  #choice(chunk: JsonObject): JsonObject | undefined {
    const choices = asList(chunk["choices"]).map(asObject);
    const indexOf = (choice: JsonObject | undefined) => choice?.["index"] ?? this.#index ?? 0;
    const choice = choices.find((one) => one !== undefined && indexOf(one) === (this.#index ?? indexOf(one)));
    if (choice !== undefined) this.#index ??= indexOf(choice);
    return choice;
  }

  #delta(delta: JsonObject): ModelEvent[] {
    const refusal = asText(delta["refusal"]);
    this.#refused ||= refusal !== "";
    return [
      ...this.#reasoning(delta),
      ...this.#content(delta["content"]),
      ...this.#answer.text(refusal),
      ...this.#calls.push(delta),
    ];
  }

  #reasoning(delta: JsonObject): ModelEvent[] {
    const hidden = this.#details.push(delta);
    const reasoning = reasoningDelta(delta);
    if (reasoning !== undefined) return this.#think(reasoning.text, reasoning.kind);
    return hidden ? [{ type: "activity" }] : [];
  }

  /** Content is text, or a list of text and thinking items (Mistral). */
  #content(content: unknown): ModelEvent[] {
    if (typeof content === "string") return this.#answer.text(content);
    return asList(content).flatMap((item) => {
      const fields = asObject(item);
      if (fields?.["type"] !== "thinking") return this.#answer.text(asText(item) || asText(fields?.["text"]));
      const inner = fields["thinking"];
      const texts = asList(inner).map((part) => asText(asObject(part)?.["text"]));
      return this.#think(asText(inner) || texts.join(""), "content");
    });
  }

  #think(text: string, kind: Parameters<typeof reasoningOpaque>[0]): ModelEvent[] {
    if (text === "") return [];
    const events = this.#answer.thinking(text);
    this.#answer.attachToThinking(reasoningOpaque(kind));
    return events;
  }

  #keepDetails(): void {
    if (this.#details.items !== undefined)
      this.#answer.attachToThinking(reasoningOpaque("details", this.#details.items));
  }

  /** The service's own breakdown, or an output limit of nothing, which means that the prompt filled the context. */
  #failedFinish(): ModelError | undefined {
    const finish = finishOf(this.#reason, this.#answer.hasCalls);
    if (finish === "failed")
      return serviceError(
        { body: { type: "server_error", message: `the answer ended with "${this.#reason}"` } },
        this.#context,
      );
    if (finish === "length" && this.#answer.empty && !this.#usage?.output)
      return serviceError(
        { body: { code: "context_length_exceeded", message: "the prompt left no room for an answer" } },
        this.#context,
      );
    return undefined;
  }
}
