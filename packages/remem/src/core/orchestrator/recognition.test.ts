import { expect, test } from "bun:test";
import { recognize } from "./recognition.ts";

test.each(["", "   ", "ok", "Yes!", "go on", "thanks.", "…", "weiter", "好的"])(
  "%p looks for nothing [B-CORE-01]",
  (prompt) => {
    expect(recognize(prompt).kind).toBe("silent");
  },
);

test.each([
  "Where did we stop?",
  "where did we leave off yesterday",
  "What were we working on?",
  "Let's pick up where we left off",
  "Wo sind wir stehengeblieben?",
  "Où en étions-nous ?",
  "¿Dónde lo dejamos?",
  "Onde paramos?",
  "上次我们做到哪里了？",
  "前回の続きからお願いします",
])("%p asks where the work was left [B-CORE-01]", (prompt) => {
  expect(recognize(prompt).kind).toBe("continuity");
});

test.each([
  "continue the loop until the list is empty",
  "run it again with the flag",
  "remember to close the file handle",
  "where is the parser?",
  "what does the last session of the user table store",
])("%p is about its words, not about where the work was left", (prompt) => {
  expect(recognize(prompt).kind).not.toBe("silent");
  if (!prompt.includes("last session")) expect(recognize(prompt).kind).toBe("topic");
});

test("a question for where the work was left can name a topic, too", () => {
  expect(recognize("Where did we stop?")).toMatchObject({ topic: false });
  expect(recognize("Where did we stop with the tokenizer migration?")).toMatchObject({ topic: true });
});
