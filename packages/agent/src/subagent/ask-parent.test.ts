import { expect, test } from "bun:test";
import type { ConsentQuestion } from "../contract/consent.ts";
import type { JsonObject } from "../contract/json.ts";
import { AskParent } from "./ask-parent.ts";

const QUESTION: ConsentQuestion = {
  call: { id: "1", name: "bash", kind: "run", input: { command: "ls" } },
  rule: "bash(*)",
  reason: "ls",
  suggestions: [],
  lasting: false,
};

function asking() {
  const sent: JsonObject[] = [];
  const door = new AskParent(async (line) => void sent.push(line));
  const stop = new AbortController();
  return { sent, door, stop, decide: () => door.decide(QUESTION, stop.signal) };
}

test("each question gets its own answer, in whatever order they come [A07]", async () => {
  const { sent, door, decide } = asking();
  const [one, two] = [decide(), decide()];
  expect(sent.map(({ type, id }) => [type, id])).toEqual([
    ["ask", 1],
    ["ask", 2],
  ]);
  door.answered({ ask: 2, answer: { answer: "refuse", reason: "use npm" } });
  door.answered({ ask: 1, answer: { answer: "session" } });
  expect([await one, await two]).toEqual([{ answer: "session" }, { answer: "refuse", reason: "use npm" }]);
});

test.each([[{}], [{ answer: "always" }], [{ answer: true }], ["once"], [null]])(
  "%j is no yes [A07]",
  async (answer) => {
    const { door, decide } = asking();
    const asked = decide();
    door.answered({ ask: 1, answer });
    expect(await asked).toEqual({ answer: "refuse" });
  },
);

test("a call that is given up closes its question, and a parent that is gone answers no from then on [A07][A04]", async () => {
  const { sent, door, stop, decide } = asking();
  const given = decide();
  stop.abort();
  expect(await given).toEqual({ answer: "refuse" });
  expect(sent.at(-1)).toEqual({ type: "ask", id: 1, closed: true });
  const other = new AbortController().signal;
  const waiting = door.decide(QUESTION, other);
  door.gone();
  expect([await waiting, await door.decide(QUESTION, other)]).toEqual([
    { answer: "refuse" },
    { answer: "refuse" },
  ]);
  expect(sent).toHaveLength(3);
});
