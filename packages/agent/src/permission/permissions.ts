import type { BeforeToolDecision, Callbacks, PendingCall } from "../contract/callbacks.ts";
import type { AskDoor, ConsentAnswer } from "../contract/consent.ts";
import { errorMessage } from "../contract/errors.ts";
import type { FileDoor } from "../contract/files.ts";
import { bashVerdict } from "./bash-verdict.ts";
import { openPathPatterns, type PathPatterns } from "./path-pattern.ts";
import { type PermissionRule, parseRule, parseRules, type RuleList, type RuleProblem } from "./rule.ts";
import { toolVerdict } from "./tool-verdict.ts";
import type { RuleSet, Verdict } from "./verdict.ts";

export interface PermissionOptions {
  rules: Readonly<Record<RuleList, readonly string[]>>;
  /** Null where there is nobody to ask: what would be asked is refused. */
  ask: AskDoor | null;
  files: Pick<FileDoor, "root" | "key">;
  /** Keeps a rule that was allowed for good. What it throws goes to `onProblem`; the rule then holds for the session. */
  persist?(rule: string): void | Promise<void>;
  /** Something that people should know, such as a rule that could not be kept. */
  onProblem?(message: string): void;
}

/** The rules of the settings, as callbacks around the tools. */
export interface Permissions extends Callbacks {
  /** Rules that could not be understood, and what they do now. */
  readonly problems: readonly RuleProblem[];
  /** Rules that a person added by an answer, in this session. */
  granted(): readonly string[];
  /** What the rules say about a call; asks nobody. */
  verdict(call: PendingCall): Promise<Verdict>;
  /**
   * For tools that show files which their call does not name: whether no deny or ask rule keeps the contents of this one back.
   * Undefined when no rule is about reading certain files.
   */
  mayShow(): Promise<((path: string) => boolean) | undefined>;
  beforeTool(call: PendingCall, signal: AbortSignal): Promise<BeforeToolDecision | undefined>;
}

/**
 * Permission rules: deny before ask before allow; what no rule names runs. Between an ask and an allow rule the narrower one
 * decides. Questions are asked one at a time, and each is decided again when its turn comes.
 */
export function createPermissions(options: PermissionOptions): Permissions {
  const { rules, problems } = parseRules(options.rules);
  const granted: PermissionRule[] = [];
  const grantedCalls = new Set<string>();
  const set: RuleSet = {
    deny: rules.filter((rule) => rule.list === "deny"),
    ask: rules.filter((rule) => rule.list === "ask"),
    allow: rules.filter((rule) => rule.list === "allow"),
    granted,
  };
  const idle = set.deny.length + set.ask.length === 0;
  let patterns: Promise<PathPatterns> | undefined;
  let queue: Promise<unknown> = Promise.resolve();

  async function verdict(call: PendingCall): Promise<Verdict> {
    if (idle) return { kind: "run" };
    patterns ??= openPathPatterns(options.files);
    const command = call.input["command"];
    const decided =
      call.name === "bash" && typeof command === "string"
        ? bashVerdict(command, set, await patterns)
        : toolVerdict(call, set, await patterns);
    return decided.kind === "ask" && grantedCalls.has(keyOf(call)) ? { kind: "run" } : decided;
  }

  async function decide(call: PendingCall, signal: AbortSignal): Promise<BeforeToolDecision | undefined> {
    const now = await verdict(call);
    if (now.kind === "run") return undefined;
    if (now.kind === "deny") return { block: deniedText(now) };
    const { ask } = options;
    if (ask === null) return { block: nobodyText(now) };
    if (signal.aborted) return { block: INTERRUPTED };
    const question = {
      call,
      rule: now.rule.text,
      reason: now.reason,
      suggestions: now.suggestions,
      lasting: now.lasting,
    };
    const answer = await untilAborted(ask.decide(question, signal), signal);
    if (answer === null) return { block: INTERRUPTED };
    return await apply(answer, now, call);
  }

  async function apply(
    answer: ConsentAnswer,
    asked: Extract<Verdict, { kind: "ask" }>,
    call: PendingCall,
  ): Promise<BeforeToolDecision | undefined> {
    if (answer.answer === "refuse") return { block: refusedText(asked, answer.reason) };
    if (answer.answer === "once") return undefined;
    if (asked.suggestions.length === 0) grantedCalls.add(keyOf(call));
    for (const text of asked.suggestions) granted.push(parseRule("allow", text));
    if (answer.answer === "always" && asked.lasting) for (const text of asked.suggestions) await keep(text);
    return undefined;
  }

  async function keep(rule: string): Promise<void> {
    try {
      await options.persist?.(rule);
    } catch (thrown) {
      options.onProblem?.(
        `The rule ${rule} could not be kept and holds for this session only: ${errorMessage(thrown)}`,
      );
    }
  }

  return {
    name: "permissions",
    problems,
    granted: () => granted.map((rule) => rule.text),
    verdict,
    async mayShow() {
      const onFiles = (rule: PermissionRule) =>
        rule.target.kind === "path" && (rule.tool === "read" || rule.tool === "grep");
      const reading = { ...set, deny: set.deny.filter(onFiles), ask: set.ask.filter(onFiles) };
      if (reading.deny.length + reading.ask.length === 0) return undefined;
      patterns ??= openPathPatterns(options.files);
      const opened = await patterns;
      return (path) => {
        const call: PendingCall = { id: "", name: "grep", kind: "inspect", input: { path } };
        return toolVerdict(call, reading, opened).kind === "run";
      };
    },
    async beforeTool(call, signal) {
      const first = await verdict(call);
      if (first.kind === "run") return undefined;
      if (first.kind === "deny") return { block: deniedText(first) };
      // One question at a time; the answer to an earlier one may have settled this one.
      const turn = queue.then(() => decide(call, signal));
      queue = turn.catch(() => undefined);
      const decision = await untilAborted(
        turn.then((value) => ({ value })),
        signal,
      );
      return decision === null ? { block: INTERRUPTED } : decision.value;
    },
  };
}

function keyOf(call: PendingCall): string {
  return JSON.stringify([call.name, call.input]);
}

/** Null when the signal aborts first. */
async function untilAborted<T>(waiting: Promise<T>, signal: AbortSignal): Promise<T | null> {
  if (signal.aborted) return null;
  const ended = Promise.withResolvers<null>();
  const onAbort = () => ended.resolve(null);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([waiting, ended.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
    // A question that is closed may fail later; nobody waits for it any more.
    waiting.catch(() => undefined);
  }
}

const INTERRUPTED = "Not run: interrupted while waiting for consent.";

function deniedText({ rule, reason }: Extract<Verdict, { kind: "deny" }>): string {
  if (rule.broken)
    return `Not run: the permission rule deny ${JSON.stringify(rule.text)} is broken, so it denies ${rule.tool === "*" ? "every tool" : `all calls of ${rule.tool}`}. Ask the user to correct it in the settings (permissions.deny).`;
  return `Not run: the permission rule deny ${JSON.stringify(rule.text)} forbids this: ${reason}. Do not reach the same by another way; do without it, or ask the user to do it.`;
}

function nobodyText({ rule, reason, suggestions }: Extract<Verdict, { kind: "ask" }>): string {
  const how =
    suggestions.length === 0
      ? "Write it so that every program it runs is named plainly, or do without it"
      : "Do without it; a user can allow it in the settings (permissions.allow)";
  return `Not run: because of the permission rule ${rule.list} ${JSON.stringify(rule.text)} this needs a person's consent (${reason}), and there is no terminal to ask on. ${how}. Say what was left undone.`;
}

function refusedText({ rule }: Extract<Verdict, { kind: "ask" }>, reason: string | undefined): string {
  const said = reason?.trim();
  return said
    ? `Not run: the user refused this call (asked by the rule ${JSON.stringify(rule.text)}) and said: ${said}`
    : `Not run: the user refused this call (asked by the rule ${JSON.stringify(rule.text)}). Do not try it again in another form; ask what to do instead.`;
}
