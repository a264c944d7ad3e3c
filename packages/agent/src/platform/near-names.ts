import { editDistance } from "./edit-distance.ts";

/** Names out of `known` that `name` was probably meant to be, nearest first; at most `count`. For messages only. */
export function nearNames(name: string, known: Iterable<string>, count = 3): string[] {
  const wanted = name.toLowerCase().slice(0, 100);
  if (wanted === "") return [];
  const scored: { candidate: string; score: number }[] = [];
  for (const candidate of new Set(known)) {
    const score = distanceBetween(wanted, candidate.toLowerCase());
    if (score !== null) scored.push({ candidate, score });
  }
  scored.sort((a, b) => a.score - b.score || (a.candidate < b.candidate ? -1 : 1));
  return scored.slice(0, count).map((entry) => entry.candidate);
}

/** How far two names are apart, null for too far: as wholes, as one in the other, or word by word (`sonet` in `claude-sonnet-5`). */
function distanceBetween(wanted: string, text: string): number | null {
  const whole = editDistance(wanted, text);
  const slips = Math.max(1, Math.floor(Math.max(wanted.length, text.length) / 3));
  if (whole <= slips) return whole;
  const extra = Math.abs(text.length - wanted.length) / 100;
  if (wanted.length >= 3 && (text.includes(wanted) || wanted.includes(text))) return slips + extra;
  const parts = words(text);
  let sum = 0;
  for (const word of words(wanted)) {
    const nearest = Math.min(...parts.map((part) => editDistance(word, part)));
    if (nearest > Math.floor(word.length / 3)) return null;
    sum += nearest;
  }
  return slips + sum + extra;
}

function words(text: string): string[] {
  return text.split(/[^a-z0-9]+/).filter((word) => word !== "");
}
