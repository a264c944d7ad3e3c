/** Values of files that another program wrote: anything may stand anywhere. */
import { isJsonObject, type Json, type JsonObject } from "../../contract/json.ts";

/** An object's field as a text; undefined when it is none. */
export function textIn(object: JsonObject, name: string): string | undefined {
  const value = object[name];
  return typeof value === "string" ? value : undefined;
}

/** An object's field as a finite number, or 0. */
export function numberIn(object: JsonObject, name: string): number {
  const value = object[name];
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

/** An object's field as a list of objects; what is none is left out. */
export function objectsIn(object: JsonObject, name: string): JsonObject[] {
  const value = object[name];
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** An object's field as an object, or an empty one. */
export function objectIn(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isJsonObject(value) ? value : {};
}

/** A time (milliseconds, or a text that says one) in milliseconds since 1970; undefined when it is none. */
export function timeOf(value: Json | undefined): number | undefined {
  const time = typeof value === "number" ? value : typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isFinite(time) && time > 0 && time < Date.UTC(2100, 0) ? time : undefined;
}

/** Ids of tool calls that every service takes: an id is kept where it can be, else it gets one of ours. */
export class CallIds {
  readonly #ids = new Map<string, string>();
  readonly #newId: () => string;

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  /** The id of a call and of its result. */
  of(id: string): string {
    let ours = this.#ids.get(id);
    if (ours === undefined) {
      ours = /^[A-Za-z0-9_-]{1,64}$/.test(id) ? id : this.#newId();
      this.#ids.set(id, ours);
    }
    return ours;
  }
}
