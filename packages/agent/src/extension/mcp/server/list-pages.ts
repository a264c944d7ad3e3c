import type { Client, RequestOptions, StandardSchemaV1 } from "@modelcontextprotocol/client";
import { PiError } from "../../../contract/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../contract/json.ts";

const MOST_PAGES = 100;
const MOST_ENTRIES = 5_000;

/** Takes a server's answer as it is: one entry with a fault must not cost the whole list. */
export const ANY_RESULT: StandardSchemaV1<unknown, JsonObject> = {
  "~standard": {
    version: 1,
    vendor: "pi-ts",
    validate: (value) =>
      isJsonObject(value) ? { value } : { issues: [{ message: "the result is no object" }] },
  },
};

/**
 * All entries of a list that comes in pages. A list without an end (pages that come again, or too many) is cut, and the reason given.
 * Rejects as the first request does; a later page that fails ends the list with its reason.
 */
export async function listPages(
  client: Client,
  method: string,
  field: string,
  options: RequestOptions,
): Promise<{ entries: unknown[]; problem: string | null }> {
  const entries: unknown[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 1; ; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const result = await client.request({ method, params }, ANY_RESULT, options);
    const listed = result[field];
    if (Array.isArray(listed)) entries.push(...listed);
    else {
      const problem = `its answer to ${method} has no list: "${field}" is ${spelled(listed)}`;
      // Nothing there is something else than not known.
      if (page === 1) throw new PiError({ code: "mcp_failed", message: problem });
      return { entries, problem };
    }
    const next = result["nextCursor"];
    if (typeof next !== "string" || next === "") return { entries, problem: null };
    const cut = (why: string) => ({
      entries: entries.slice(0, MOST_ENTRIES),
      problem: `${method} ${why}; the first ${Math.min(entries.length, MOST_ENTRIES)} entries are used`,
    });
    if (seen.has(next)) return cut("gives the same page again and again");
    if (page >= MOST_PAGES || entries.length >= MOST_ENTRIES) return cut("does not come to an end");
    seen.add(next);
    cursor = next;
  }
}

function spelled(value: Json | undefined): string {
  return value === undefined ? "missing" : JSON.stringify(value).slice(0, 60).toWellFormed();
}
