import { expect, test } from "bun:test";
import { answerText, conversation, randomNumbers } from "./test-support/corpus.ts";
import { call, result, start, TranscriptBench, text, turnEnd } from "./test-support/transcript-bench.ts";

/** The first number of a `markNx` on the screen. */
function firstMark(screen: readonly string[]): string | undefined {
  return /mark\d+x/.exec(screen.join("\n"))?.[0];
}

test("after thirty resizes, also while text streams, the screen is that of a fresh render and each mark stands once [T01]", async () => {
  using bench = new TranscriptBench(80, 24);
  bench.view.load(conversation(200));
  bench.say(start);
  const below = randomNumbers(3);
  let answer = "";
  for (let round = 0; round < 30; round++) {
    const piece = `${answerText(1_000 + round)}\n\n`;
    answer += piece;
    bench.say(text(piece));
    bench.terminal.resize(20 + below(100), 5 + below(40));
    bench.frame();
  }
  bench.terminal.resize(80, 24);
  bench.settle();
  const settled = await bench.screen();

  using fresh = new TranscriptBench(80, 24);
  fresh.view.load(conversation(200));
  fresh.say(start, text(answer));
  fresh.settle();
  expect(settled).toEqual(await fresh.screen());
  const marks = settled.join("\n").match(/mark\d+x/g) ?? [];
  expect(marks.length).toBeGreaterThan(1);
  expect(new Set(marks).size).toBe(marks.length);
});

test("a storm of resizes while reading comes back to the same screen, whatever row is on top [T01]", async () => {
  using bench = new TranscriptBench(100, 30);
  bench.view.load(conversation(300));
  bench.settle();
  const below = randomNumbers(11);
  for (let place = 0; place < 12; place++) {
    bench.tui.scrollBy(-23);
    bench.settle();
    const before = await bench.screen();
    for (let round = 0; round < 10; round++) {
      bench.terminal.resize(20 + below(150), 30);
      bench.frame();
    }
    bench.terminal.resize(100, 30);
    bench.settle();
    expect(await bench.screen()).toEqual(before);
  }
});

test("scrolling up page by page shows every mark in order, none twice, none left out [T01]", async () => {
  using bench = new TranscriptBench(100, 30);
  bench.view.load(conversation(120));
  bench.settle();
  const seen: number[] = [];
  for (let page = 0; page < 200 && bench.scroll.scrollTop > 0; page++) {
    const marks = [...(await bench.screen()).join("\n").matchAll(/mark(\d+)x/g)].map((match) =>
      Number(match[1]),
    );
    for (const mark of marks.reverse())
      if (mark !== seen.at(-1) && !seen.slice(-12).includes(mark)) seen.push(mark);
    bench.tui.scrollBy(-10);
    bench.settle();
  }
  for (const mark of [...(await bench.screen()).join("\n").matchAll(/mark(\d+)x/g)]
    .map((match) => Number(match[1]))
    .reverse())
    if (!seen.slice(-12).includes(mark)) seen.push(mark);
  expect(seen).toEqual(Array.from({ length: 40 }, (_, index) => 39 - index));
});

test("what is read stays where it is while text arrives below [T01]", async () => {
  using bench = new TranscriptBench(100, 30);
  bench.view.load(conversation(90));
  bench.settle();
  bench.tui.scrollBy(-60);
  bench.settle();
  const before = await bench.screen();
  bench.say(start);
  for (let index = 0; index < 20; index++) {
    bench.say(text(`${answerText(500 + index)}\n\n`));
    bench.frame();
  }
  expect(await bench.screen()).toEqual(before);
  expect(bench.scroll.isFollowingEnd).toBe(false);
});

test("what is read stays in view when all cards and all thinking above it open [A-TUI-01]", async () => {
  using bench = new TranscriptBench(100, 30);
  bench.view.load(conversation(300));
  bench.settle();
  bench.tui.scrollBy(-300);
  bench.settle();
  const before = firstMark(await bench.screen());
  expect(before).toBeDefined();
  expect(bench.view.toggleTools()).toBe(true);
  bench.view.toggleThinking();
  bench.settle();
  expect((await bench.screen()).join("\n")).toContain(before!);
  expect(bench.view.toggleTools()).toBe(false);
});

test("the end is followed while text arrives, and again after a resize", async () => {
  using bench = new TranscriptBench(100, 30);
  bench.view.load(conversation(90));
  bench.say(start);
  for (let index = 0; index < 10; index++) {
    bench.say(text(`${answerText(500 + index)} last${index}y\n\n`));
    bench.terminal.resize(60 + index, 30);
    bench.settle();
    expect((await bench.screen()).join("\n")).toContain(`last${index}y`);
  }
});

test("a click on a card opens it where it stands, and another one closes it [A-TUI-01]", async () => {
  using bench = new TranscriptBench(80, 24);
  bench.view.load(conversation(60));
  bench.say(start, turnEnd(), call("c", "bash", { command: "make all" }));
  const output = Array.from({ length: 12 }, (_, line) => `built ${line}`).join("\n");
  bench.say(result("c", "bash", output, { exit_code: 0 }));
  bench.settle();
  const closed = await bench.screen();
  const row = closed.findIndex((line) => line.includes("make all"));
  const click = () => {
    for (const end of ["M", "m"]) bench.terminal.send(`\x1b[<0;4;${row + 1}${end}`);
  };
  expect(closed.join("\n")).not.toContain("built 0");
  click();
  bench.settle();
  const opened = await bench.screen();
  expect(opened[row]).toContain("make all");
  expect(opened[row + 1]).toContain("built 0");
  click();
  bench.settle();
  expect((await bench.screen()).join("\n")).not.toContain("built 0");
});

test("a search shows block after block that holds the text, opens what is folded, and marks it [A-TUI-01]", async () => {
  using bench = new TranscriptBench(80, 24);
  bench.view.load(conversation(600));
  bench.settle();
  expect(bench.view.find("mark17x", "first")).toEqual({ match: 1, total: 1 });
  bench.settle();
  expect((await bench.screen()).join("\n")).toContain("mark17x");
  expect(bench.view.find("thinking 33\n", "first").total).toBe(1);
  expect(bench.view.find("THINKING 33", "first")).toEqual({ match: 1, total: 1 });
  bench.settle();
  expect((await bench.screen()).join("\n")).toContain("thinking 33");
  const { total } = bench.view.find("please", "first");
  expect(total).toBe(200);
  expect(bench.view.find("please", "next").match).not.toBe(bench.view.find("please", "previous").match);
  expect(bench.view.find("nowhere", "next")).toEqual({ match: 0, total: 0 });
  bench.view.clearFind();
});

test("text that was cut off by a notice in its middle goes on above it", () => {
  using bench = new TranscriptBench(80, 24);
  bench.say(start, text("first half, "));
  bench.view.notice("info", "by the way");
  bench.say(text("second half\n\nand more"));
  const rows = bench.rows(80).filter((row) => row !== "");
  expect(rows).toEqual(["  first half, second half", "  and more", expect.stringContaining("by the way")]);
});
