import { expect, test } from "bun:test";
import { withEnding } from "./body-events.ts";

/** Gives the events, then does what `after` does. */
async function* body(events: string[], after: () => Promise<void>): AsyncGenerator<string> {
  yield* events;
  await after();
}

const read = (events: string[], after: () => Promise<void>, finishedAt: string, restMs?: number) => {
  let finished = false;
  const source = withEnding(body(events, after), "ending", () => finished, restMs);
  return (async () => {
    const seen: string[] = [];
    for await (const event of source) {
      seen.push(event);
      finished ||= event === finishedAt;
    }
    return seen;
  })();
};

const nothing = async () => undefined;
const reset = async () => Promise.reject(new Error("reset"));
const silence = () => new Promise<void>(() => undefined);

test("a body that closes ends with the ending", async () => {
  expect(await read(["a", "b"], nothing, "never")).toEqual(["a", "b", "ending"]);
});

test("a connection that breaks before the answer is whole throws [P14]", async () => {
  await expect(read(["a"], reset, "never")).rejects.toThrow("reset");
});

test("a connection that breaks after it took nothing from the answer [P14]", async () => {
  expect(await read(["a", "stop", "usage"], reset, "stop")).toEqual(["a", "stop", "usage", "ending"]);
});

test("a connection that goes silent instead of closing does not hold up a whole answer [P05]", async () => {
  expect(await read(["a", "stop"], silence, "stop", 1)).toEqual(["a", "stop", "ending"]);
});
