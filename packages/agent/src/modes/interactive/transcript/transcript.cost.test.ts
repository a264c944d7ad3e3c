import { expect, test } from "bun:test";
import { answerText, conversation } from "./test-support/corpus.ts";
import { call, result, start, TranscriptBench, text, turnEnd } from "./test-support/transcript-bench.ts";

test("after loading 20,000 messages only blocks near the screen are ever drawn [T08]", () => {
  using bench = new TranscriptBench(200, 50);
  bench.view.load(conversation(20_000));
  expect(bench.view.blockCount).toBeGreaterThan(30_000);
  expect(bench.view.takeRenderCount()).toBe(0);
  bench.frame();
  const first = bench.view.takeRenderCount();
  expect(first).toBeGreaterThan(5);
  expect(first).toBeLessThanOrEqual(50);
  bench.settle();
  bench.view.takeRenderCount();
  bench.frame();
  expect(bench.view.takeRenderCount()).toBe(0);
});

test("a streamed delta draws no more blocks at 20,000 messages than in an empty transcript [T08]", () => {
  const drawn = (messages: number) => {
    using bench = new TranscriptBench(200, 50);
    bench.view.load(conversation(messages));
    bench.settle();
    bench.view.takeRenderCount();
    bench.say(start);
    let most = 0;
    for (let index = 0; index < 20; index++)
      for (const piece of answerText(index).match(/[\s\S]{1,20}/g) ?? []) {
        bench.say(text(piece));
        bench.frame();
        most = Math.max(most, bench.view.takeRenderCount());
      }
    return most;
  };
  expect(drawn(20_000)).toBeLessThanOrEqual(drawn(0) + 2);
  expect(drawn(20_000)).toBeLessThanOrEqual(5);
});

test("scrolling a page draws about a page of blocks, and none twice [T08]", () => {
  using bench = new TranscriptBench(120, 40);
  bench.view.load(conversation(20_000));
  bench.settle();
  bench.view.takeRenderCount();
  for (let page = 0; page < 10; page++) {
    bench.tui.scrollBy(-36);
    bench.settle();
    expect(bench.view.takeRenderCount()).toBeLessThanOrEqual(60);
  }
});

test("a code block of 2 MB costs a delta and a frame no more than its last lines [T08]", () => {
  using bench = new TranscriptBench(120, 40);
  bench.say(start, text("```ts\n"));
  const line = "const value = compute(alpha, beta, gamma); // a line of code\n";
  bench.say(text(line.repeat(Math.ceil(2_000_000 / line.length))));
  expect(bench.view.blockCount).toBeGreaterThan(200);
  bench.settle();
  expect(bench.view.takeRenderCount()).toBeLessThanOrEqual(5);
  for (let delta = 0; delta < 100; delta++) {
    bench.say(text("more(1);\n"));
    bench.frame();
  }
  expect(bench.view.takeRenderCount()).toBeLessThanOrEqual(210);
});

test("a line of 2 MB without a break is bound too [T08]", () => {
  using bench = new TranscriptBench(120, 40);
  bench.say(start);
  for (let delta = 0; delta < 100; delta++) bench.say(text("word".repeat(5_000)));
  bench.settle();
  expect(bench.view.takeRenderCount()).toBeLessThanOrEqual(5);
});

test("a tool result of 2 MB shows its end, folded and open, within a bound of rows [T08]", async () => {
  using bench = new TranscriptBench(80, 24);
  bench.say(start, turnEnd(), call("1", "bash", { command: "yes" }));
  bench.say(result("1", "bash", `${"line of output\n".repeat(140_000)}the end`, { exit_code: 0 }));
  bench.settle();
  expect((await bench.screen()).join("\n")).toContain("the end");
  bench.view.toggleTools();
  expect(bench.rows(80).length).toBeLessThan(620);
  expect(bench.rows(80).join("\n")).toContain("139,501 lines not shown");
});

test("streaming writes at most 50 bytes a character on 200 by 50 [T02]", async () => {
  using bench = new TranscriptBench(200, 50);
  bench.view.load(conversation(300));
  bench.settle();
  bench.say(start, text("```ts\n```\n\n```bash\n```\n\n"));
  bench.frame();
  await bench.view.highlighted();
  let answer = "";
  for (let index = 0; answer.length < 8_000; index++) answer += `${answerText(index)}\n\n`;
  answer = answer.slice(0, 8_000);
  const before = bench.terminal.bytes;
  const writes = bench.terminal.written.length;
  for (let at = 0; at < answer.length; at += 20) {
    bench.say(text(answer.slice(at, at + 20)));
    bench.frame();
  }
  expect((bench.terminal.bytes - before) / answer.length).toBeLessThanOrEqual(50);
  expect(bench.terminal.written.slice(writes).join("")).not.toMatch(/\x1b\[[23]J/);
});

test("an idle transcript asks for no frame [T08]", () => {
  using bench = new TranscriptBench(80, 24);
  bench.view.load(conversation(200));
  bench.settle();
  expect(bench.view.ticking).toBe(false);
});
