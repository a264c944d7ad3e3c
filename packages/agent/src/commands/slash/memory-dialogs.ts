import type { SlashContext, SlashOutcome } from "../../contract/slash-command.ts";
import { memoryTable } from "./memory-blocks.ts";
import type { MemoryPorts, ShownMemory, WaitingCorrection } from "./memory-ports.ts";
import { age, counted, oneLine } from "./shared/format.ts";
import { said, text } from "./shared/outcome.ts";

type Context = SlashContext<MemoryPorts>;

const OFFERED = 50;

/** Erases memories: those of some ids, of this conversation, of this project, or one that is chosen. Nothing goes before the person said yes. */
export async function forget(argument: string, context: Context): Promise<SlashOutcome> {
  const { ports, dialogs, signal } = context;
  const { memory, clock } = ports;
  const what = argument === "" ? await chosen(context) : await wanted(argument, memory);
  if (what === null) return said("Nothing was erased.");
  const preview = await memory.previewForget(what);
  const { sample } = preview;
  const more = preview.memories - sample.length;
  const agreed = await dialogs.confirm(
    {
      title: `Erase ${counted(preview.memories, "memory", "memories")} of ${counted(preview.sessions, "session")} for good?`,
      detail: [
        memoryTable(sample, clock.now()),
        ...(more > 0 ? [text(`and ${counted(more, "older one")}.`)] : []),
        text(
          "Their texts, vectors and summaries go, from the file's free pages, too. The same is not learned again.",
        ),
      ],
      yes: "Erase",
      no: "Keep",
    },
    signal,
  );
  if (!agreed) return said("Nothing was erased.");
  const { memories, summaries } = await memory.forget(preview.token);
  const also = summaries > 0 ? ` and ${counted(summaries, "summary", "summaries")}` : "";
  return said(
    `${counted(memories, "memory", "memories")}${also} erased. The conversations in which it was said are kept as they are; pi sessions delete erases those.`,
  );
}

async function chosen({
  ports: { memory, clock },
  dialogs,
  signal,
}: Context): Promise<{ ids: string[] } | null> {
  const recent = await memory.recent(OFFERED);
  const id = await dialogs.choose(
    {
      title: "Which memory is to be erased?",
      choices: recent.map((one) => ({
        value: one.id,
        label: oneLine(one.line, 70),
        description: `${one.kind}, ${age(one.at, clock.now())}`,
      })),
    },
    signal,
  );
  return id === null ? null : { ids: [id] };
}

async function wanted(
  argument: string,
  memory: MemoryPorts["memory"],
): Promise<{ ids: string[] } | "session" | "project"> {
  if (argument === "session" || argument === "project") return argument;
  const found = await Promise.all(argument.split(/[\s,]+/).map((id) => memory.find(id)));
  return { ids: found.map(({ id }) => id) };
}

type Verdict = "keep" | "reject" | "change" | "later";

/** Goes through what waits for a person's word, one after the other. */
export async function review(context: Context): Promise<SlashOutcome> {
  const { memory } = context.ports;
  const waiting = await memory.candidates();
  const corrections = await memory.corrections(context.signal);
  if (waiting.length + corrections.length === 0) return said("Nothing waits for your word.");
  const done = { keep: 0, reject: 0, change: 0, later: 0 };
  let stopped = false;
  for (const [index, candidate] of waiting.entries()) {
    const verdict = await decide(candidate, `${index + 1} of ${waiting.length}`, context);
    stopped = verdict === null;
    if (verdict === null) break;
    done[verdict]++;
  }
  const settled = stopped ? 0 : await settle(corrections, context);
  const left = waiting.length - done.keep - done.reject - done.change + corrections.length - settled;
  const also = settled > 0 ? `, ${counted(settled, "correction")} settled` : "";
  return said(
    `${done.keep} kept, ${done.change} changed and kept, ${done.reject} rejected${also}${left > 0 ? `; ${left} still wait` : ""}.`,
  );
}

/** Goes through corrections; gives how many were settled. */
async function settle(
  corrections: readonly WaitingCorrection[],
  { ports: { memory }, dialogs, signal }: Context,
): Promise<number> {
  let settled = 0;
  for (const { id, revision, prompt, statement, findings } of corrections) {
    const holds = findings.length === 0;
    const check = holds
      ? "It would be recalled for that, and earlier corrections still hold."
      : findings.join("; ");
    const verdict = await dialogs.choose<"apply" | "reject" | "later">(
      {
        title: "Is this correction right?",
        detail: `asked: ${prompt}\nright is: ${statement}\n\n${check}`,
        choices: [
          ...(holds
            ? [{ value: "apply" as const, label: "Apply it", description: "it counts from now on" }]
            : []),
          { value: "reject", label: "Reject it" },
          { value: "later", label: "Decide later" },
        ],
        filter: false,
      },
      signal,
    );
    if (verdict === null) break;
    if (verdict === "later") continue;
    await memory.settleCorrection(id, revision, verdict);
    settled++;
  }
  return settled;
}

/** One decision, carried out; null: the person has stopped. */
async function decide(candidate: ShownMemory, place: string, context: Context): Promise<Verdict | null> {
  const { ports, dialogs, signal } = context;
  const { memory } = ports;
  const { id, kind, by, text: body, supersededBy } = candidate;
  const verdict = await dialogs.choose<Verdict>(
    {
      title: `Should this ${kind} be remembered? (${place})`,
      detail: `${body}\n\nsaid by ${by}${supersededBy === undefined ? "" : `; ${supersededBy} holds now`}`,
      choices: [
        { value: "keep", label: "Keep it", description: "it counts from now on" },
        { value: "change", label: "Change it", description: "in your words, then keep it" },
        { value: "reject", label: "Reject it", description: "erase it; the same is not learned again" },
        { value: "later", label: "Decide later" },
      ],
      filter: false,
    },
    signal,
  );
  if (verdict === "keep") await memory.approve(id);
  if (verdict === "reject") await memory.reject(id);
  if (verdict !== "change") return verdict;
  const wording = await dialogs.ask({ title: "In your words:", initial: body.replaceAll("\n", " ") }, signal);
  if (wording === null || wording.trim() === "") return "later";
  await memory.approve(id);
  if (wording.trim() !== body) await memory.edit(id, wording.trim());
  return "change";
}
