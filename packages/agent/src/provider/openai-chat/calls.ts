/**
 * Tool calls that arrive in pieces. The standard keys the pieces by `index`; compatible servers leave out the index, send
 * 0 for all, repeat id and name with each piece, send no id or the same one for all, or a whole call as one object.
 */
import type { Json, JsonObject } from "../../contract/json.ts";
import type { ToolCallPart } from "../../contract/messages.ts";
import type { ModelEvent } from "../../contract/model.ts";
import { cutArguments, parseArguments } from "../shared/arguments.ts";
import type { CallIds } from "../shared/call-ids.ts";
import { asList, asObject, asText } from "../shared/read.ts";
import type { CallEnding, StreamedAnswer } from "../shared/streamed-answer.ts";
import { JsonEnd } from "./json-end.ts";

/** A piece of a call as it came in, read tolerantly. */
interface Piece {
  index: number | undefined;
  id: string;
  name: string;
  argumentText: string;
  extra: Json | undefined;
}

interface OpenCall {
  index: number | undefined;
  id: string;
  name: string;
  argumentText: string;
  end: JsonEnd;
  extra: Json | undefined;
}

/** Assembles the calls of one answer and puts each into the answer where it began. */
export class ChatCalls {
  readonly #calls: OpenCall[] = [];
  readonly #answer: StreamedAnswer;
  readonly #ids: CallIds;

  constructor(answer: StreamedAnswer, ids: CallIds) {
    this.#answer = answer;
    this.#ids = ids;
  }

  /** Takes the calls of a delta (or of a whole message) and gives the events to show. */
  push(delta: JsonObject): ModelEvent[] {
    const old = asObject(delta["function_call"]);
    const items = old === undefined ? asList(delta["tool_calls"]) : [{ index: 0, function: old }];
    return items.flatMap((item) => {
      const fields = asObject(item);
      return fields === undefined ? [] : this.#take(readPiece(fields));
    });
  }

  #take(piece: Piece): ModelEvent[] {
    let call = this.#target(piece);
    const events: ModelEvent[] = [];
    if (call === undefined) {
      call = { index: piece.index, id: "", name: "", argumentText: "", end: new JsonEnd(), extra: undefined };
      events.push(...this.#open(call));
    }
    call.id ||= piece.id;
    call.name ||= piece.name;
    call.extra = piece.extra ?? call.extra;
    call.argumentText += piece.argumentText;
    call.end.push(piece.argumentText);
    events.push({ type: "call_delta", name: call.name, delta: piece.argumentText });
    return events;
  }

  /** The call that a piece goes on with; undefined when it begins a new one. */
  #target(piece: Piece): OpenCall | undefined {
    const call =
      piece.index === undefined
        ? (piece.id !== "" && this.#calls.findLast((open) => open.id === piece.id)) || this.#calls.at(-1)
        : this.#calls.findLast((open) => open.index === piece.index);
    if (call === undefined) return undefined;
    if (piece.id !== "" && call.id !== "" && piece.id !== call.id) {
      // A call begins with its name: an id that changes in the middle of arguments is a server's new id for each piece.
      return piece.name === "" && call.argumentText !== "" && !call.end.whole ? call : undefined;
    }
    if (piece.name !== "" && call.name !== "" && (piece.name !== call.name || call.end.whole))
      return undefined;
    return call;
  }

  #open(call: OpenCall): ModelEvent[] {
    const place = this.#calls.push(call);
    let id: string | undefined;
    return this.#answer.call((ending) => {
      id ??= this.#ids.take(call.id, `${place} ${call.name} ${call.argumentText}`);
      return buildCall(call, id, ending);
    });
  }
}

function buildCall(call: OpenCall, id: string, { length, last }: CallEnding): ToolCallPart {
  const parsed = parseArguments(call.argumentText);
  // Chat marks no end of a call: at the output limit the last one may be cut even where its text parses.
  const cut = length && (last || parsed.problem !== undefined);
  return {
    type: "tool_call",
    id,
    name: call.name.trim(),
    ...(cut ? cutArguments(call.argumentText) : parsed),
    ...(call.extra !== undefined && { opaque: call.extra }),
  };
}

function readPiece(fields: JsonObject): Piece {
  const called = asObject(fields["function"]) ?? fields;
  const given = called["arguments"];
  const id = asText(fields["id"]);
  return {
    index: typeof fields["index"] === "number" ? fields["index"] : undefined,
    id: id === "null" ? "" : id,
    name: asText(called["name"]),
    argumentText: typeof given === "object" && given !== null ? JSON.stringify(given) : asText(given),
    extra: fields["extra_content"] ?? undefined,
  };
}
