import { expect, test } from "bun:test";
import { noUsage } from "../../contract/messages.ts";
import type { ModelClient, ModelEvent, ModelInfo } from "../../contract/model.ts";
import { doctorSlashCommand } from "./doctor.ts";
import { pingSlashCommand } from "./ping.ts";
import { run } from "./test-support/run-command.ts";

const MODEL: ModelInfo = {
  provider: "anthropic",
  id: "claude-sonnet-5-5",
  name: "Claude Sonnet 5.5",
  wire: "anthropic",
  known: true,
  contextWindow: 1_000_000,
  maxOutput: 64_000,
  images: true,
  reasoning: true,
};

function world(reply: string) {
  const asked: string[] = [];
  const client: ModelClient = {
    rules: { callId: /./, toolName: /./, imagesInResults: true },
    source: ({ provider, wire, id }) => ({ provider, wire, model: id }),
    async *stream(request): AsyncGenerator<ModelEvent> {
      asked.push(JSON.stringify(request.messages));
      yield {
        type: "end",
        message: {
          role: "assistant",
          parts: [{ type: "text", text: reply }],
          source: { provider: "anthropic", wire: "anthropic", model: MODEL.id },
          stop: "end",
          usage: { ...noUsage(), input: 12, output: 1, total: 13 },
        },
      };
    },
  };
  const target = async () => ({
    model: MODEL,
    baseUrl: "https://example.test",
    key: null,
    client,
    notices: [],
  });
  return { asked, ports: { ping: { target, clock: { now: () => 0 }, patienceMs: 0 } } };
}

test("/ping asks the live model and shows its reply [A-TUI-02]", async () => {
  const { ports, asked } = world("pong");
  const { said, failed } = await run(pingSlashCommand, "are you there", ports);
  expect(failed).toBe(false);
  expect(asked[0]).toContain("are you there");
  expect(said).toContain("model | anthropic/claude-sonnet-5-5");
  expect(said).toContain("tokens | 12 in, 1 out");
  expect(said).toContain("result | alive");
});

test("an empty reply to /ping is a failure", async () => {
  const { said, failed } = await run(pingSlashCommand, "", world("  ").ports);
  expect(failed).toBe(true);
  expect(said).toContain("the answer was empty");
});

test.each([
  ["ok", false],
  ["missing", true],
] as const)("/doctor says what pi doctor says (%s)", async (state, expected) => {
  const checks = async () => [{ name: "git", state, found: "2.51", hint: "install git" }];
  const { said, failed } = await run(doctorSlashCommand, "", { doctor: { checks } });
  expect(said).toContain("git | 2.51");
  expect(failed).toBe(expected);
});
