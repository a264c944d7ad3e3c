import { expect, test } from "bun:test";
import { copied } from "./copy.ts";

test("a copy of plain data is what structuredClone gives, and shares nothing with it", () => {
  const value = JSON.parse('{"a":[1,{"b":null,"__proto__":{"c":true}}],"d":"e"}') as { a: unknown[] };
  const whole = { ...value, nothing: undefined, when: new Date(5), bytes: new Uint8Array([1, 2]) };
  const copy = copied(whole);
  expect(copy).toEqual(structuredClone(whole));
  expect(Object.hasOwn(copy.a[1] as object, "__proto__")).toBe(true);
  expect(copy.a).not.toBe(whole.a);
  expect(copy.a[1]).not.toBe(whole.a[1]);
  expect(copy.bytes).not.toBe(whole.bytes);
});

test("what contains itself is copied", () => {
  const round: { self?: unknown } = {};
  round.self = round;
  let at = copied(round) as { self?: unknown };
  for (let i = 0; i < 300; i++) at = at.self as typeof at;
  expect(at).not.toBe(round);
});

test("a function cannot be copied", () => {
  expect(() => copied({ run: () => 1 })).toThrow(/cloned/);
});
