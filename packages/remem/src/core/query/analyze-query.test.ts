import { expect, test } from "bun:test";
import { analyzeQuery } from "./analyze-query.ts";

test("keeps the words that tell something, each once", () => {
  expect(analyzeQuery("What is the port of the gateway, the PORT?").terms).toEqual(["port", "gatewai"]);
});

test("a question of nothing but stop words keeps them", () => {
  expect(analyzeQuery("what was it about").terms).toEqual(["what", "wa", "it", "about"]);
});

test("a word is no stop word because its stem is one", () => {
  expect(analyzeQuery("Who owns it?").terms).toEqual(["own"]);
});

test("sees what a question asks for, in several languages", () => {
  expect(analyzeQuery("When did we ship?").asksWhen).toBe(true);
  expect(analyzeQuery("Wann war das?").asksWhen).toBe(true);
  expect(analyzeQuery("いつ出荷しましたか").asksWhen).toBe(true);
  expect(analyzeQuery("How many retries?").asksNumber).toBe(true);
  expect(analyzeQuery("Which library did we choose?").asksName).toBe(true);
  expect(analyzeQuery("What did we use before?").asksHistory).toBe(true);
  expect(analyzeQuery("What do we use?").asksHistory).toBe(false);
  expect(analyzeQuery("What did I say about tabs?").saidBy).toBe("user");
});

test("punctuation, syntax and size are no obstacle", () => {
  for (const text of ['"', "a AND (b OR", "*:^-", "x".repeat(100_000), "%_';--", ""])
    expect(() => analyzeQuery(text)).not.toThrow();
  expect(analyzeQuery("?!…").terms).toEqual([]);
});
