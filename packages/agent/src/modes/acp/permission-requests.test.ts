import { expect, test } from "bun:test";
import type {
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionUpdate,
} from "@agentclientprotocol/sdk";
import type { ConsentQuestion } from "../../contract/consent.ts";
import { UNKNOWN_CLIENT } from "./client-facts.ts";
import { EventUpdates } from "./event-updates.ts";
import { FileChanges } from "./file-changes.ts";
import { permissionRequests } from "./permission-requests.ts";

const FOLDER = { real: "/p", shown: "/p" };

const QUESTION: ConsentQuestion = {
  call: { id: "1", name: "bash", kind: "run", input: { command: "git push" } },
  rule: "bash(git push:*)",
  reason: "it runs git push",
  suggestions: ["bash(git push)"],
  lasting: true,
};

async function asked(question: ConsentQuestion, outcome: RequestPermissionResponse["outcome"]) {
  const changes = new FileChanges(FOLDER, () => null);
  const told: SessionUpdate[] = [];
  const updates = new EventUpdates({
    folder: FOLDER,
    client: UNKNOWN_CLIENT,
    changes,
    send: (update) => told.push(update),
  });
  const requests: RequestPermissionRequest[] = [];
  const door = permissionRequests(
    () => ({ id: "s", folder: FOLDER, updates, changes }),
    async (request) => {
      requests.push(request);
      return { outcome };
    },
  );
  const answer = await door.decide(question, new AbortController().signal);
  return { answer, request: requests[0]!, told };
}

test("the question names the rule and the reason, and the call is shown before it is asked", async () => {
  const { request, told } = await asked(QUESTION, { outcome: "selected", optionId: "once" });
  expect(request).toMatchObject({ sessionId: "s", toolCall: { toolCallId: "1", title: "`git push`" } });
  expect(JSON.stringify(request.toolCall.content)).toContain(
    "The rule `bash(git push:*)` asks: it runs git push",
  );
  expect(told).toMatchObject([{ sessionUpdate: "tool_call", toolCallId: "1", status: "pending" }]);
});

test.each([
  ["once", { answer: "once" }],
  ["session", { answer: "session" }],
  ["always", { answer: "always" }],
  ["refuse", { answer: "refuse" }],
  ["made up", { answer: "refuse" }],
])("the option %s means %j", async (optionId, expected) => {
  expect((await asked(QUESTION, { outcome: "selected", optionId })).answer).toEqual(
    expected as { answer: "once" },
  );
});

test("a question that was cancelled is a no", async () => {
  expect((await asked(QUESTION, { outcome: "cancelled" })).answer).toEqual({ answer: "refuse" });
});

test("what no rule can describe is not offered for good, and an answer of for good does not count", async () => {
  const question = { ...QUESTION, suggestions: [], lasting: false };
  const { request, answer } = await asked(question, { outcome: "selected", optionId: "always" });
  expect(request.options.map(({ name }) => name)).toEqual([
    "Allow once",
    "Allow in this session: this very call",
    "Reject",
  ]);
  expect(answer).toEqual({ answer: "refuse" });
});
