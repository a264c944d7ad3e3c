import { expect, test } from "bun:test";
import type { AgentEvent, RunStop } from "../../contract/events.ts";
import { noUsage } from "../../contract/messages.ts";
import { runPrintMode } from "./print-mode.ts";

async function print(events: AgentEvent[], outIsTerminal = false) {
  let out = "";
  let err = "";
  async function* stream() {
    yield* events;
  }
  const end = await runPrintMode(stream(), {
    out: async (text) => {
      out += text;
    },
    err: async (text) => {
      err += text;
    },
    outIsTerminal,
  });
  return { out, err, end };
}

const delta = (text: string): AgentEvent => ({ type: "text_delta", delta: text });
const turnEnd: AgentEvent = { type: "turn_end", turn: 1, usage: noUsage(), stop_reason: "tool" };
const messageEnd = (text: string, stop: RunStop = "end"): AgentEvent => ({
  type: "message_end",
  stop_reason: stop,
  text,
  turns: 1,
  usage: noUsage(),
  duration_ms: 1,
});

test("into a pipe goes the final answer alone, with one newline at its end [A-OUT-02]", async () => {
  const { out, err } = await print([
    delta("let me look"),
    { type: "tool_call", id: "1", tool_name: "read", tool_input: { file_path: "a.txt" } },
    turnEnd,
    delta("the answer"),
    messageEnd("the answer"),
  ]);
  expect(out).toBe("the answer\n");
  expect(err).toBe("> read a.txt\n");
});

test("on a terminal text is shown as it arrives, each turn on lines of its own", async () => {
  const { out } = await print(
    [delta("let me "), delta("look"), turnEnd, delta("done\n"), messageEnd("done\n")],
    true,
  );
  expect(out).toBe("let me look\ndone\n");
});

test("control characters of a model's text do not drive the terminal [X09]", async () => {
  const shown = await print([delta("a\u001b[2Jb\u0007\r\n"), messageEnd("x")], true);
  expect(shown.out).toBe("a\\x1b[2Jb\\x07\n");
  const piped = await print([messageEnd("a\u001b[2Jb")]);
  expect(piped.out).toBe("a\u001b[2Jb\n");
});

test("errors, notices and retries go to stderr with what to do [H03]", async () => {
  const { out, err } = await print([
    { type: "notice", level: "warning", message: "careful" },
    { type: "retry", attempt: 1, delay_ms: 1500, reason: "overloaded" },
    { type: "error", code: "auth", message: "the key was refused", hint: "set it again", retryable: false },
    messageEnd("", "error"),
  ]);
  expect(out).toBe("");
  expect(err).toBe(
    "warning: careful\nretry 1 in 1.5 s: overloaded\nerror: the key was refused\n  set it again\n",
  );
});

test("what had arrived of an interrupted answer is printed and said to be incomplete", async () => {
  const { out, err } = await print([messageEnd("half", "aborted")]);
  expect(out).toBe("half\n");
  expect(err).toContain("interrupted");
});

test("a failed tool is told in one line, without control characters", async () => {
  const { err } = await print([
    {
      type: "tool_result",
      id: "1",
      tool_name: "read",
      content: "no file \u001b[31ma.txt\nnear: b.txt",
      is_error: true,
      details: {},
      duration_ms: 1,
    },
    messageEnd("x"),
  ]);
  expect(err).toBe("! read: no file \\x1b[31ma.txt\n");
});
