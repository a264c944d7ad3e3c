import { expect, test } from "bun:test";
import { createReadLedger } from "./ledger.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

test("a change of equal size is noticed, the same content is current [F06]", () => {
  const ledger = createReadLedger();
  expect(ledger.state("a", bytes("one"))).toBe("unseen");
  ledger.record("a", bytes("one"), "whole");
  expect(ledger.state("a", bytes("one"))).toBe("current");
  expect(ledger.state("a", bytes("two"))).toBe("changed");
  expect(ledger.seen("b")).toBe("none");
});

test("pages that cover every line make a whole, in any order [F06]", () => {
  const ledger = createReadLedger();
  const content = bytes("1\n2\n3\n4\n5");
  ledger.record("a", content, "part", { from: 4, to: 5, total: 5 });
  ledger.record("a", content, "part", { from: 1, to: 2, total: 5 });
  expect(ledger.seen("a")).toBe("part");
  ledger.record("a", content, "part", { from: 2, to: 3, total: 5 });
  expect(ledger.seen("a")).toBe("whole");
});

test("pages of an older content do not count [F06]", () => {
  const ledger = createReadLedger();
  ledger.record("a", bytes("1\n2"), "part", { from: 1, to: 1, total: 2 });
  ledger.record("a", bytes("1\nx"), "part", { from: 2, to: 2, total: 2 });
  expect(ledger.seen("a")).toBe("part");
});

test("reading a page of a file that was seen whole keeps it whole", () => {
  const ledger = createReadLedger();
  ledger.record("a", bytes("1\n2"), "whole");
  ledger.record("a", bytes("1\n2"), "part", { from: 1, to: 1, total: 2 });
  expect(ledger.seen("a")).toBe("whole");
});
