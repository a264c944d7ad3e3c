import { expect, test } from "bun:test";
import type { ProcessDoor } from "../contract/process.ts";
import { openBrowser } from "./open-browser.ts";

/** What was started. */
function recorder() {
  const started: (readonly string[])[] = [];
  const door = {
    start({ argv }: { argv: readonly string[] }) {
      started.push(argv);
      return { detachStreams: () => undefined };
    },
  } as unknown as ProcessDoor;
  return { started, door };
}

const DESKTOP = { DISPLAY: ":0" };

test.each([["file:///etc/passwd"], ["vscode://open"], ["javascript:alert(1)"], ["-h"], [""]])(
  "%j is no web address and is not opened [X05]",
  (address) => {
    const { started, door } = recorder();
    expect([openBrowser(address, DESKTOP, door), started]).toEqual([false, []]);
  },
);

test("an address is opened in the form that browsers take", () => {
  const { started, door } = recorder();
  expect(openBrowser("https://login.example/a b\u001b[31m", DESKTOP, door)).toBe(true);
  expect(started[0]?.at(-1)).toBe("https://login.example/a%20b%1B[31m");
});
