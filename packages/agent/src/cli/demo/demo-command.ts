import type { CommandDefinition } from "../../contract/command.ts";
import type { Streams } from "../../modes/shared/surface.ts";
import type { Interruptions } from "../interruption.ts";
import type { Place } from "../place.ts";

export interface DemoPorts {
  demo: { place: Place; streams: Streams; interruptions: Interruptions };
}

/** `pi demo`: the real loop and tools on a small failing project, driven by a scripted model. No key, no network. */
export const demoCommand: CommandDefinition<DemoPorts> = {
  name: "demo",
  summary: "watch pi find and fix a bug: scripted model, no key, no network",
  usage: "pi demo",
  options: [],
  accepts: ({ words }) => words.length === 0,
  async run(_parsed, { demo }) {
    const { runDemo } = await import("./run-demo.ts");
    return { exitCode: await runDemo(demo.place, demo.streams, demo.interruptions), blocks: [] };
  },
};
