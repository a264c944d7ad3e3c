import { PHASES, type Phase } from "./phases.ts";
import type { Spec } from "./spec.ts";

const BEGIN = /^Plan [a-z0-9-]+, phase \d of \d: /;
/** Characters of a person's own SOP. */
const MOST_SOP = 32_000;

/** What the model is told when a phase begins. `sop`: a person's own text in place of the built-in one. */
export function phaseMessage(spec: Spec, phase: Phase, sop: string | null): string {
  const idea = phase.number === 2 ? [`The idea:\n${(spec.read("rough-idea.md") ?? "").trim()}`] : [];
  const instruction =
    sop === null
      ? phase.instruction
      : `${sop.slice(0, MOST_SOP).toWellFormed().trim()}\n\nNow it is the turn of phase ${phase.number}, ${phase.title}.`;
  return [
    `Plan ${spec.name}, phase ${phase.number} of ${PHASES.length}: ${phase.title}.`,
    ...idea,
    `This phase leaves ${spec.folder}/${phase.artifact} behind; what the earlier phases left is in ${spec.folder}/. Read it first.`,
    instruction.trim(),
    "Do this phase only. When it is done, say so in a few lines; the person approves it or says what to change.",
  ].join("\n\n");
}

/** Whether a text is what {@link phaseMessage} gives: no answer of a person's. */
export function isPhaseMessage(text: string): boolean {
  return BEGIN.test(text);
}
