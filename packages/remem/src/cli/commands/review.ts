import type { MemoryManager } from "../../core/manager/memory-manager.ts";
import type { MemoryRecord } from "../../core/memory/record.ts";
import { CliError, EXIT, usageError } from "../cli-error.ts";
import type { CommandCall, CommandDefinition, CommandOutcome } from "../command.ts";
import { noStore } from "../no-store.ts";
import { counted, memoryBlocks, memoryData, memoryTable } from "../output/memory-view.ts";
import { render } from "../output/render.ts";
import { actorOf, confirmed, isPerson, needPerson } from "../person.ts";
import { ask } from "../review/ask.ts";
import { correctionData, correctionTable } from "../review/correction-view.ts";
import { reviewCorrections } from "../review/review-corrections.ts";
import { edited } from "./edit.ts";

/** So many at once; the rest comes with the next review. */
const MOST = 200;

/** What a person decided. */
interface Decisions {
  approved: number;
  rejected: number;
  changed: number;
}

/** `remem review`: what waits for a person's word. */
export const reviewCommand: CommandDefinition = {
  name: "review",
  summary: "decide on what waits: candidates and corrections",
  usage: "[--list | --approve ID | --reject ID]",
  words: { least: 0, most: 0 },
  options: {
    list: { summary: "only show what waits" },
    approve: { value: "ID", multiple: true, summary: "these candidates count from now on" },
    reject: { value: "ID", multiple: true, summary: "these are erased, and not learned again" },
  },
  notes: [
    "One after the other is shown, and you approve, reject, change or skip it. Only a person in a terminal decides: that a program can run a command is no approval. Elsewhere the list is shown.",
  ],
  async run(call) {
    const { memory, world, flag } = call;
    const named = { approve: call.values("approve"), reject: call.values("reject") };
    const decides = named.approve.length + named.reject.length > 0;
    if (decides) needPerson(world, "approve or reject memories");
    const opened = await memory.reading();
    if (opened === undefined)
      return { blocks: [await noStore(memory)], data: { candidates: [], corrections: [] } };
    if (decides) return decideNamed(call, named);
    const candidates = await opened.memories.list({ states: ["candidate"] }, MOST);
    const corrections = await opened.state.corrections(["pending", "validated", "needs_changes"], MOST);
    const data = {
      candidates: candidates.map(memoryData),
      corrections: corrections.map(correctionData),
    };
    if (candidates.length + corrections.length === 0) return { blocks: ["Nothing waits for review."], data };
    if (flag("list") || call.json || !isPerson(world))
      return {
        blocks: [
          ...(candidates.length === 0 ? [] : [memoryTable(candidates)]),
          ...(corrections.length === 0 ? [] : ["Corrections:", correctionTable(corrections)]),
          `${counted(candidates.length, "candidate")} and ${counted(corrections.length, "correction")} wait. To decide: ${world.program} review, in a terminal.`,
        ],
        data,
      };
    const writing = await memory.writing();
    const manager = await memory.manager(writing);
    const decisions = await reviewCandidates(call, manager, [...candidates].reverse());
    const settled = decisions.quit ? 0 : await reviewCorrections(call, corrections);
    const { approved, rejected, changed } = decisions.made;
    return {
      blocks: [
        `${approved} approved, ${changed} changed, ${rejected} rejected; ${counted(settled, "correction")} settled.`,
      ],
      data: { approved, rejected, changed, corrections_settled: settled },
    };
  },
};

async function decideNamed(
  call: CommandCall,
  { approve, reject }: { readonly approve: readonly string[]; readonly reject: readonly string[] },
): Promise<CommandOutcome> {
  const { memory, world } = call;
  if (approve.length > 0 && reject.length > 0)
    throw usageError("--approve and --reject exclude each other", "do one after the other");
  const ids = approve.length > 0 ? approve : reject;
  const opened = await memory.writing();
  const found = (await opened.memories.get(ids)).filter(({ state }) => state === "candidate");
  if (found.length === 0)
    throw new CliError(
      "unknown_memory",
      "none of these ids is a candidate",
      `${world.program} review --list shows them`,
      EXIT.nothing,
    );
  await world.output.out(
    render(
      found.flatMap((record) => [...memoryBlocks(record), ""]),
      world.output,
    ),
  );
  const question = approve.length > 0 ? "Let them count?" : "Erase them?";
  if (!(await confirmed(world, question)))
    return { blocks: ["Nothing was decided."], data: { approved: 0, rejected: 0 } };
  const manager = await memory.manager(opened);
  const actor = actorOf(world);
  const known = found.map(({ id }) => id);
  const approved = approve.length > 0 ? await manager.approve(known, actor) : 0;
  const rejected = approve.length > 0 ? 0 : await manager.reject(known, actor);
  return { blocks: [`${approved} approved, ${rejected} rejected.`], data: { approved, rejected } };
}

async function reviewCandidates(
  { world }: CommandCall,
  manager: MemoryManager,
  candidates: readonly MemoryRecord[],
): Promise<{ readonly made: Decisions; readonly quit: boolean }> {
  const actor = actorOf(world);
  const made: Decisions = { approved: 0, rejected: 0, changed: 0 };
  for (const [index, record] of candidates.entries()) {
    await world.output.out(
      render([`\n${index + 1} of ${candidates.length}`, ...memoryBlocks(record)], world.output),
    );
    const answer = await ask(world, "a approve, r reject, e change, s skip, q quit: ", "aresq");
    if (answer === "q") return { made, quit: true };
    if (answer === "a") made.approved += await manager.approve([record.id], actor);
    if (answer === "r") made.rejected += await manager.reject([record.id], actor);
    if (answer === "e") {
      const text = await edited(record, world);
      if (text === record.text) made.approved += await manager.approve([record.id], actor);
      else {
        await manager.update(record.id, { text }, actor);
        made.changed++;
      }
    }
  }
  return { made, quit: false };
}
