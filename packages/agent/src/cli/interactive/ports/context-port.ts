import { estimateTokens, tokenFamily } from "../../../agent/token-estimate.ts";
import type { ContextPorts } from "../../../commands/slash/context.ts";
import type {
  ContextCategory,
  ContextPart,
  ContextReport,
} from "../../../commands/slash/shared/context-report.ts";
import type { Message } from "../../../contract/messages.ts";
import type { App } from "../../app.ts";
import type { Program } from "../program.ts";

type Estimate = (text: string) => number;

/** Where the tokens of the next request go: estimates by part, beside what the service counted. */
export function contextPort(program: Program): ContextPorts["context"] {
  return {
    report() {
      const { app } = program;
      return Promise.resolve(app === undefined ? emptyReport(program) : reportOf(app));
    },
  };
}

function emptyReport(program: Program): ContextReport {
  const window = program.chosen?.model.contextWindow ?? 0;
  return {
    window,
    reserve: 0,
    parts: [],
    session: { requests: 0, input: 0, cacheRead: 0, cacheWrite: 0, output: 0 },
    day: { used: 0, limit: 0, summary: "" },
  };
}

function reportOf(app: App): ContextReport {
  const { options, session } = app;
  const family = tokenFamily(options.model.id);
  const estimate = (text: string) => estimateTokens(text, family);
  const messages = session.messages();
  const usage = app.budget.usage();
  const answers = messages.filter((message) => message.role === "assistant");
  const last = answers.findLast((message) => message.usage.total > 0)?.usage;
  const sums = { requests: 0, input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };
  for (const { usage: used } of answers) {
    if (used.total === 0) continue;
    sums.requests++;
    sums.input += used.input;
    sums.cacheRead += used.cache_read;
    sums.cacheWrite += used.cache_write;
    sums.output += used.output;
  }
  return {
    model: `${options.model.provider}/${options.model.id}`,
    window: options.model.contextWindow,
    reserve: Math.min(options.model.maxOutput, 16_384, Math.floor(options.model.contextWindow * 0.3)),
    parts: [...fixedParts(app, estimate), ...messageParts(messages, estimate)],
    ...(last === undefined
      ? {}
      : {
          last: {
            input: last.input,
            cacheRead: last.cache_read,
            cacheWrite: last.cache_write,
            output: last.output,
          },
        }),
    session: sums,
    spent: [
      { by: "memory", tokens: app.memory.spent },
      { by: "subagents", tokens: app.subagents.spent() },
    ].filter(({ tokens }) => tokens > 0),
    day: { used: usage.input_tokens + usage.output_tokens, limit: usage.limit, summary: usage.summary },
  };
}

/** What every request begins with. */
function fixedParts({ options, contextFiles, mcp }: App, estimate: Estimate): ContextPart[] {
  const files = contextFiles.map(({ path, text }) => ({
    category: "instructions" as const,
    name: path,
    tokens: estimate(text),
    count: 1,
  }));
  const inFiles = files.reduce((sum, file) => sum + file.tokens, 0);
  // What is found by search is in no request, and of a server its sum says more than its tools one by one.
  const lenders = mcp.hub?.lenders() ?? new Map<string, string>();
  const declared = options.tools.filter(({ undeclared }) => undeclared !== true);
  const tools = declared.map(({ name, description, input }) => ({
    category: "tools" as const,
    name: lenders.has(name) ? `MCP server ${lenders.get(name)}` : name,
    tokens: estimate(name + description + JSON.stringify(input)),
    count: 1,
  }));
  const system = Math.max(0, estimate(options.system) - inFiles);
  return [{ category: "system", tokens: system }, ...tools, ...files];
}

const ORIGINS: Readonly<Record<string, ContextCategory>> = {
  user: "user",
  steering: "user",
  shell: "user",
  memory: "memory",
  summary: "summary",
  branch_summary: "summary",
  reminder: "reminders",
  continue: "reminders",
};

function messageParts(messages: readonly Message[], estimate: Estimate): ContextPart[] {
  const parts: ContextPart[] = [];
  const add = (category: ContextCategory, tokens: number, name?: string) =>
    parts.push({ category, tokens, count: 1, ...(name === undefined ? {} : { name }) });
  const image = () => add("images", IMAGE_TOKENS);
  for (const message of messages)
    if (message.role === "user")
      for (const part of message.parts)
        if (part.type === "image") image();
        else add(ORIGINS[message.origin] ?? "user", estimate(part.text));
    else if (message.role === "assistant")
      for (const part of message.parts)
        if (part.type === "text") add("assistant", estimate(part.text));
        else if (part.type === "thinking") add("thinking", estimate(part.text));
        else add("calls", estimate(JSON.stringify(part.arguments)), part.name);
    else
      for (const result of message.parts)
        for (const part of result.content)
          if (part.type === "image") image();
          else add("results", estimate(part.text), result.name);
  return parts;
}

/** What services charge for a picture of usual size, near enough for an overview. */
const IMAGE_TOKENS = 1_500;
