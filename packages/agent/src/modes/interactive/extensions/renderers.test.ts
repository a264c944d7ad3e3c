import { expect, test } from "bun:test";
import { Text } from "@earendil-works/pi-tui";
import type { AgentEvent } from "../../../contract/events.ts";
import type { ExtensionMessage } from "../../../contract/extension-surface.ts";
import { drawing } from "../test-support/components.ts";
import { extension, SurfaceBench } from "../test-support/surface-bench.ts";

const source = extension("drawer");
const CONTROL_O = "\x0f";
const message = (kind: "message" | "entry" = "message"): ExtensionMessage => ({
  kind,
  customType: "report",
  text: "plain text\nof the report",
  value: { customType: "report", content: "whole", details: { count: 3 } },
});

interface Themed {
  fg(token: string, text: string): string;
}
interface Context {
  state: { calls?: number };
  lastComponent: unknown;
  expanded: boolean;
  isPartial: boolean;
  args: { what?: string };
  toolCallId: string;
  invalidate(): void;
  keyHint(action: string, text: string): string;
}

function runTool(bench: SurfaceBench, result: Partial<Extract<AgentEvent, { type: "tool_result" }>> = {}) {
  bench.host.tell({
    type: "event",
    event: { type: "tool_call", id: "c1", tool_name: "count", tool_input: { what: "sheep" } },
  } as never);
  bench.host.tell({
    type: "event",
    event: {
      type: "tool_result",
      id: "c1",
      tool_name: "count",
      content: "raw result",
      is_error: false,
      details: { outcome: "found", extension_details: { total: 7 } },
      duration_ms: 5,
      ...result,
    },
  } as never);
}

test("a message without a renderer is shown with its type and text", async () => {
  await using bench = await SurfaceBench.open();
  bench.ui.showMessage(source, message());
  const rows = await bench.until("of the report");
  expect(rows.slice(0, 3).map((row) => row.trim())).toEqual(["[report]", "plain text", "of the report"]);
});

test("a message is drawn by its renderer, also when that comes later, and opens with the others", async () => {
  await using bench = await SurfaceBench.open();
  bench.ui.showMessage(source, message());
  await bench.until("[report]");
  bench.ui.renderers.setMessage(
    source,
    "report",
    (value: { details: { count: number } }, { expanded }: { expanded: boolean }, theme: Themed) =>
      new Text(
        theme.fg("accent", `${value.details.count} things, ${expanded ? "all of them" : "in short"}`),
        0,
        0,
      ),
  );
  await bench.until("3 things, in short");
  await bench.without("[report]");
  bench.type(CONTROL_O);
  await bench.until("3 things, all of them");
  expect(bench.ui.toolsExpanded()).toBe(true);
  bench.ui.setToolsExpanded(false);
  await bench.until("3 things, in short");
  bench.ui.release(source);
  await bench.until("[report]");
});

test("an entry is seen only when somebody draws it", async () => {
  await using bench = await SurfaceBench.open();
  bench.ui.showMessage(source, message("entry"));
  bench.ui.notify(source, "after it", "info");
  expect((await bench.until("after it"))[0]).toBe("• drawer: after it");
  bench.ui.renderers.setEntry(source, "report", () => new Text("the entry", 0, 0));
  const rows = await bench.until("the entry");
  expect(rows.findIndex((row) => row.includes("the entry"))).toBeLessThan(
    rows.findIndex((row) => row.includes("after it")),
  );
});

test.each<[string, () => unknown, string]>([
  [
    "throws",
    () => {
      throw new Error("no ink");
    },
    ": no ink",
  ],
  [
    "throws when it draws",
    () =>
      drawing(() => {
        throw new Error("dry");
      }).component,
    ": dry",
  ],
  [
    "draws wider than the screen; the plain form is shown",
    () => drawing((width) => ["w".repeat(width + 1)]).component,
    "draws wider than the screen; the plain form is shown",
  ],
  ["gives no component", () => "text", "gave no component"],
])("a renderer that %s leaves the plain form and is told with the name", async (_what, render, told) => {
  await using bench = await SurfaceBench.open();
  bench.ui.renderers.setMessage(source, "report", render);
  bench.ui.renderers.setTool(source, "count", { call: render, result: render });
  bench.ui.showMessage(source, message());
  runTool(bench);
  await bench.until("[report]");
  await bench.until(/✓ count/);
  bench.type(CONTROL_O);
  await bench.until("raw result");
  expect(bench.faults).toHaveLength(3);
  for (const fault of bench.faults) expect(fault).toContain(told);
  expect(bench.faults[0]).toStartWith("drawer: the renderer of ");
});

test("a renderer that gives nothing leaves the plain form, and nothing is told", async () => {
  await using bench = await SurfaceBench.open();
  bench.ui.renderers.setMessage(source, "report", () => undefined);
  bench.ui.showMessage(source, message());
  await bench.until("[report]");
  expect(bench.faults).toEqual([]);
});

test("a tool's call and result are drawn by its renderers, with what Pi's renderers get", async () => {
  await using bench = await SurfaceBench.open();
  const seen: Context[] = [];
  bench.ui.renderers.setTool(source, "count", {
    call: (args: { what: string }, _theme: unknown, context: Context) => {
      seen.push(context);
      context.state.calls = (context.state.calls ?? 0) + 1;
      return new Text(`Counting ${args.what}`, 0, 0);
    },
    result: (
      result: { content: { text: string }[]; details: { total: number }; isError: boolean },
      { expanded, isPartial }: { expanded: boolean; isPartial: boolean },
      _theme: unknown,
      context: Context,
    ) =>
      new Text(
        `${result.details.total} of them (${result.content[0]?.text}) ${expanded} ${isPartial} ${(context.state.calls ?? 0) > 0}`,
        0,
        0,
      ),
  });
  runTool(bench);
  const rows = await bench.until("7 of them (raw result) false false true");
  expect(rows[0]).toBe("✓ Counting sheep");
  expect(seen[0]).toMatchObject({ args: { what: "sheep" }, toolCallId: "c1", expanded: false });
  bench.type(CONTROL_O);
  await bench.until("7 of them (raw result) true false true");
  expect(seen.at(-1)!.lastComponent).toBeInstanceOf(Text);
});

test("a running tool is drawn from its live output, and draws again when it asks for it", async () => {
  await using bench = await SurfaceBench.open();
  let again: () => void = () => undefined;
  let drawn = 0;
  bench.ui.renderers.setTool(source, "count", {
    result: (
      result: { content: { text: string }[] },
      { isPartial }: { isPartial: boolean },
      _theme: unknown,
      context: Context,
    ) => {
      again = () => context.invalidate();
      return new Text(`${result.content[0]?.text} ${isPartial} ${++drawn}`, 0, 0);
    },
  });
  bench.host.tell({
    type: "event",
    event: { type: "tool_call", id: "c1", tool_name: "count", tool_input: {} },
  } as never);
  bench.host.tell({ type: "event", event: { type: "tool_progress", id: "c1", delta: "so far" } } as never);
  await bench.until("so far true 1");
  again();
  await bench.until("so far true 2");
});

test("a message of 100,000 rows is drawn in part, and only when it is seen", async () => {
  await using bench = await SurfaceBench.open();
  let drawn = 0;
  const rows = Array.from({ length: 100_000 }, (_, row) => `row ${row}`);
  bench.ui.renderers.setMessage(source, "report", () => {
    drawn++;
    return drawing(() => rows).component;
  });
  bench.ui.showMessage(source, message());
  await bench.until("more rows");
  const once = drawn;
  for (let count = 0; count < 200; count++) bench.ui.notify(source, `notice ${count}`, "info");
  await bench.until("notice 199");
  bench.type("x");
  await bench.until(/^x/m);
  expect(drawn).toBeLessThanOrEqual(once + 1);
});

test("renderers draw within any width [T01]", async () => {
  await using bench = await SurfaceBench.open(100, 24);
  bench.ui.renderers.setMessage(
    source,
    "report",
    () => new Text("日本語 wide words that wrap ".repeat(3), 0, 0),
  );
  bench.ui.showMessage(source, message());
  await bench.until("日本語");
  for (const columns of [20, 33, 61, 140]) {
    bench.resize(columns, 24);
    await bench.until((shown) => shown.some((row) => row === "─".repeat(columns)));
    await bench.until("日本語");
  }
  expect(bench.faults).toEqual([]);
});
