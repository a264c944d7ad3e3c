import { CorrectionError } from "../../../core/corrections/correction-error.ts";
import type { RecallTrace } from "../../../core/trace/recall-trace.ts";
import type { Memory, MemorySession } from "../../../runtime/memory.ts";
import { type Arguments, type ArgumentsSchema, checkArguments } from "./tool-arguments.ts";
import { correctionsText, explainText, searchText, statusText } from "./tool-texts.ts";

export interface ToolCall {
  readonly memory: Memory;
  readonly session: MemorySession;
  readonly signal: AbortSignal;
}

/** A tool of memory's, for any host. */
export interface MemoryTool {
  readonly name: string;
  /** What the model reads on every request. */
  readonly description: string;
  readonly schema: ArgumentsSchema;
  run(args: Arguments, call: ToolCall): Promise<string>;
}

const PROJECT_UNREAD = {
  outcome: "not_looked",
  reason: "what belongs to this project cannot be read now",
} as const;

const NO_ARGUMENTS: ArgumentsSchema = {
  type: "object",
  properties: {},
  required: [],
  additionalProperties: false,
};

/** What looks into memory. Nothing of it writes, changes or erases a memory. */
export const LOOKING_TOOLS: readonly MemoryTool[] = [
  {
    name: "memory_search",
    description: "Search what was said, decided and done in earlier sessions of this project.",
    schema: {
      type: "object",
      properties: {
        query: { type: "string", description: "Words of what you look for", maxLength: 2_000 },
        provider: { type: "string", description: "Only this store", maxLength: 100 },
        limit: { type: "integer", description: "Default 10", minimum: 1, maximum: 50 },
      },
      required: ["query"],
      additionalProperties: false,
    },
    async run({ query, provider, limit }, { memory, session, signal }) {
      const answer = await session.search(String(query), {
        signal,
        ...(typeof provider === "string" ? { provider } : {}),
        ...(typeof limit === "number" ? { limit } : {}),
      });
      // A store that is held by another program tells no project: then only what holds everywhere was looked at.
      const isPart = memory.state !== "absent" && (await session.context()).project === "";
      return searchText(
        isPart && answer.outcome === "nothing_found" ? { ...answer, ...PROJECT_UNREAD } : answer,
      );
    },
  },
  {
    name: "memory_status",
    description: "How memory is: stores, counts, budgets, capture.",
    schema: NO_ARGUMENTS,
    async run(_, { memory, session, signal }) {
      const [status, last] = await Promise.all([session.status({ signal }), lastRecall(memory, session)]);
      return statusText(memory.state, status, last);
    },
  },
  {
    name: "memory_explain",
    description: "Why the last recall of this session came with these memories or with none.",
    schema: NO_ARGUMENTS,
    async run(_, { memory, session }) {
      return explainText(await lastRecall(memory, session));
    },
  },
];

/** What hands in corrections: they wait for a person, and change nothing before. */
export const CORRECTION_TOOLS: readonly MemoryTool[] = [
  {
    name: "memory_submit_correction",
    description:
      "Hand in what would have been right after a wrong answer of an earlier turn. A person decides on it; nothing changes before.",
    schema: {
      type: "object",
      properties: {
        statement: {
          type: "string",
          description: "What is right, in one or two sentences",
          maxLength: 8_000,
        },
        disputed: {
          type: "array",
          description: "Ids of memories that were wrong",
          items: { type: "string" },
          maxItems: 100,
        },
      },
      required: ["statement"],
      additionalProperties: false,
    },
    async run({ statement, disputed }, { memory, session }) {
      const corrections = await memory.corrections();
      const { id } = await corrections.submit({
        context: await session.context(),
        statement: String(statement),
        ...(Array.isArray(disputed) ? { disputed } : {}),
      });
      return `Correction ${id} waits for a person, who decides with \`remem review\`. Nothing has changed.`;
    },
  },
  {
    name: "memory_review_status",
    description: "Corrections of this project that were handed in, and what became of them.",
    schema: NO_ARGUMENTS,
    async run(_, { memory, session }) {
      const { project } = await session.context();
      const store = await memory.store("read");
      const known = (await store?.state.corrections(CORRECTION_STATES, MOST_READ)) ?? [];
      return correctionsText(known.filter((one) => one.project === project));
    },
  },
];

const MOST_TRACES = 20;

/** The last decision on a prompt: searches of the model's own come after it. */
async function lastRecall(memory: Memory, session: MemorySession): Promise<RecallTrace | undefined> {
  const last = await session.explain();
  if (last === undefined || last.kind === "prompt") return last;
  const store = await memory.store("read");
  const traces = await store?.state.traces({ sessionId: session.id, limit: MOST_TRACES });
  return traces?.find(({ kind }) => kind === "prompt") ?? last;
}

const CORRECTION_STATES = ["pending", "validated", "needs_changes", "applied", "rejected"] as const;
const MOST_READ = 200;

/** Runs a tool: arguments are checked, and what fails is said to the model without any memory's text. Never rejects. */
export async function runMemoryTool(tool: MemoryTool, given: unknown, call: ToolCall): Promise<string> {
  const checked = checkArguments(given, tool.schema);
  if ("wrong" in checked) return `${tool.name}: ${checked.wrong}. Nothing was done.`;
  try {
    return await tool.run(checked.args, call);
  } catch (error) {
    // What a correction is refused for is our own wording; a store's error could quote what it holds.
    if (CorrectionError.is(error)) return `${tool.name}: ${error.message}. ${error.hint}.`;
    return `${tool.name}: memory is not available now. Go on without it.`;
  }
}
