import { expect, test } from "bun:test";
import { join } from "node:path";
import { citations, citedIds, uncited, unknownIds } from "./requirement-citations.ts";
import { REQUIREMENTS } from "./requirements.ts";

const root = join(import.meta.dir, "..");

test("every requirement has an id of its own and a text", () => {
  const ids = REQUIREMENTS.map((requirement) => requirement.id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBe(124);
  for (const requirement of REQUIREMENTS) {
    expect(requirement.id).toMatch(/^[AB]-[A-Z]+-\d\d$/);
    expect(requirement.text.length).toBeGreaterThan(20);
  }
});

test("every id that a test cites is a requirement", () => {
  expect(unknownIds(citations(root))).toEqual([]);
});

test("ids are found in titles, in lists and in verifies()", () => {
  expect(citedIds('test("a thing works [F01][A-TOOL-03]", run)')).toEqual(["A-TOOL-03"]);
  expect(citedIds('test("another [A-TOOL-01, A-TOOL-02]", run)')).toEqual(["A-TOOL-01", "A-TOOL-02"]);
  expect(citedIds('verifies("B-PI-05"); // and A-TOOL-09 in a comment')).toEqual(["B-PI-05"]);
});

test("a requirement that nobody cites is counted for its owner", () => {
  const cited = new Map(REQUIREMENTS.slice(1).map((requirement) => [requirement.id, ["x.test.ts"]]));
  expect(uncited("main-job", cited).map((requirement) => requirement.id)).toEqual(["A-AGENT-01"]);
  expect(uncited("memory", cited)).toEqual([]);
});

test("an id with a typing error is told with its file", () => {
  expect(unknownIds(new Map([["A-TOLL-01", ["x.test.ts"]]]))).toEqual(["A-TOLL-01 in x.test.ts"]);
});

test("the main job's requirements are all cited by a test", () => {
  expect(uncited("main-job", citations(root))).toEqual([]);
});

test("the terminal's and the sessions' requirements are all cited by a test", () => {
  const cited = citations(root);
  expect([...uncited("terminal", cited), ...uncited("sessions", cited)]).toEqual([]);
});
