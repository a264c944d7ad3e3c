import type { XStatic } from "typebox/schema";
import type { MemoryDoor, RecalledMemory } from "../../contract/memory.ts";
import type { ToolDefinition } from "../../contract/tool.ts";
import { formatCount } from "../../platform/format-count.ts";
import { lookInto } from "../shared/memory/memory-outcome.ts";
import { memGetPrompt } from "./mem-get.prompt.ts";

type Input = XStatic<typeof memGetPrompt.input>;

const MOST_IDS = 10;
/** About 1,000 tokens. */
const MOST_CHARACTERS = 3_600;

/** `mem-get`: chosen memories in full, each bounded. */
export function memGetTool(memory: MemoryDoor): ToolDefinition<Input> {
  return {
    ...memGetPrompt,
    kind: "inspect",
    aliases: { id: "ids" },
    run({ ids }, { signal }) {
      const wanted = [...new Set(ids)];
      const asked = wanted.slice(0, MOST_IDS);
      return lookInto(() => memory.get(asked, signal), {
        none: `None of these ids is there: ${listed(asked)}. They were erased, or belong to another project; mem-search gives ids.`,
        body: (memories) => {
          const missing = asked.filter((id) => !memories.some((one) => one.id === id));
          const notes = [
            `${memories.length} of ${wanted.length} ${wanted.length === 1 ? "memory" : "memories"}.`,
            ...(missing.length === 0 ? [] : [`Not there: ${listed(missing)}.`]),
            ...(wanted.length > MOST_IDS
              ? [`Not looked at, ask for them next: ${listed(wanted.slice(MOST_IDS))}.`]
              : []),
          ];
          return { head: notes.join(" "), lines: memories.map(whole) };
        },
      });
    },
  };
}

function whole({ id, kind, by, typed, date, state, files, provider, text }: RecalledMemory): string {
  const marks = [
    `id="${id}" kind="${kind}" by="${by}" typed="${typed ? "yes" : "no"}" date="${date}"`,
    ...(state === "" ? [] : [`state="${state}"`]),
    ...(provider === "" ? [] : [`in="${provider}"`]),
  ];
  const about = files.length === 0 ? "" : `files: ${files.join(", ")}\n`;
  return `<memory ${marks.join(" ")}>\n${about}${cut(text)}\n</memory>`;
}

function cut(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  const left = text.length - MOST_CHARACTERS;
  // A mark that the cut would split goes whole.
  const kept = text
    .slice(0, MOST_CHARACTERS)
    .replace(/&[a-z]{0,5}$/u, "")
    .toWellFormed();
  return `${kept}\n[${formatCount(left)} more characters are not shown]`;
}

function listed(ids: readonly string[]): string {
  return ids.map((id) => JSON.stringify(id.slice(0, 64))).join(", ");
}
