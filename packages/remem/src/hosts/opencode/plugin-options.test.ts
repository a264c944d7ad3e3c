import { expect, test } from "bun:test";
import { readPluginOptions } from "./plugin-options.ts";

test("its own options are told apart from settings of the engine [B-OC-02]", () => {
  const { typed, waitMs, settings, problems } = readPluginOptions({
    typed: ["run"],
    waitMs: 200,
    capture: { enabled: true },
  });
  expect([[...typed], waitMs, settings, problems]).toEqual([
    ["run"],
    200,
    { capture: { enabled: true } },
    [],
  ]);
  expect(readPluginOptions(undefined)).toMatchObject({ waitMs: 450, settings: undefined, problems: [] });
  expect([...readPluginOptions({ typed: "serve" }).typed]).toEqual(["serve"]);
});

test.each([
  [["run"], "are no object"],
  [{ typed: ["anywhere"] }, 'typed: "anywhere" is left out'],
  [{ waitMs: "long" }, 'waitMs: "long" is left out'],
  [{ waitMs: 1e9 }, "it is a number from 50 to 10000"],
])("what is wrong is named and left out: %p", (given, said) => {
  const options = readPluginOptions(given);
  expect(options.problems.join("\n")).toContain(said);
  expect([options.typed.size, options.waitMs]).toEqual([0, 450]);
});
