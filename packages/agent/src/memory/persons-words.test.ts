import { expect, test } from "bun:test";
import type { Message, UserMessage } from "../contract/messages.ts";
import { isPrompt, PersonsWords, turnName } from "./persons-words.ts";

const prompt = (text: string, origin: UserMessage["origin"] = "user"): UserMessage => ({
  role: "user",
  origin,
  parts: [{ type: "text", text }],
});

test("a prompt in the terminal is typed as a whole, of any other what was said of it [R03]", () => {
  const words = new PersonsWords();
  expect(words.of(prompt("fix it"))).toBe("fix it");
  words.say("fix it\n\npiped text", "fix it");
  words.say("text of a skill", "");
  expect(words.of(prompt("fix it\n\npiped text"))).toBe("fix it");
  expect(words.of(prompt("text of a skill"))).toBe("");
});

test("only what a person sends is a prompt: no reminder, no recalled text, no command's output [R03]", () => {
  const origins = ["user", "steering", "reminder", "memory", "summary", "continue", "shell"] as const;
  expect(origins.filter((origin) => isPrompt(prompt("x", origin)))).toEqual(["user", "steering"]);
});

test("a turn has the same name after a resume, and another one on another branch or in another place", () => {
  const history: Message[] = [prompt("one"), prompt("note", "reminder")];
  expect(turnName([...history], "two")).toBe(turnName(history, "two"));
  const names = [
    turnName(history, "two"),
    turnName(history, "three"),
    turnName([...history, prompt("two")], "two"),
  ];
  expect(new Set(names).size).toBe(3);
});
