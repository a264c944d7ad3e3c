import type { SlashCommand, SlashOutcome } from "../../contract/slash-command.ts";
import { completeWords } from "./shared/complete-words.ts";
import { count, percent } from "./shared/format.ts";
import { refused, said, table, text } from "./shared/outcome.ts";
import { type SettingsPort, whereSaved } from "./shared/settings-port.ts";
import { slashInfo } from "./slash-infos.ts";

export interface RtkPorts extends SettingsPort {
  compactor: {
    enabled(): boolean;
    /** What was shortened since the start or the last reset. */
    statistics(): readonly CompactorStatistic[];
    reset(): void;
  };
}

/** What one technique did to the output of one tool; `before` and `after` are characters. */
export interface CompactorStatistic {
  tool: string;
  technique: string;
  count: number;
  before: number;
  after: number;
}

const SWITCH = "compactor.enabled";

/** `/rtk [on|off|reset]`: what the shortening of tool output saves, and its switch. */
export const rtkCommand: SlashCommand<RtkPorts> = {
  ...slashInfo("rtk"),
  complete: async (argument) =>
    completeWords(argument, [
      ["on", "shorten long tool output"],
      ["off", "give the model every output as it is"],
      ["reset", "count anew"],
    ]),
  async run(argument, { ports: { compactor, settings } }) {
    const word = argument.toLowerCase();
    if (word === "" || word === "stats") return describe(compactor);
    if (word === "reset") {
      compactor.reset();
      return said("The statistics begin anew.");
    }
    if (word !== "on" && word !== "off")
      return refused(`/rtk does not know "${argument}".`, "/rtk, /rtk on, /rtk off or /rtk reset.");
    const saved = await settings.save(SWITCH.split("."), word === "on");
    return said(
      `Long tool output is ${word === "on" ? "shortened" : "given to the model as it is"} from now on. ${whereSaved(saved)}`,
    );
  },
};

function describe(compactor: RtkPorts["compactor"]): SlashOutcome {
  const state = compactor.enabled()
    ? "Long tool output is shortened before the model sees it; /rtk off ends that."
    : "Tool output is not shortened; /rtk on begins to.";
  const rows = [...compactor.statistics()].sort((a, b) => b.before - b.after - (a.before - a.after));
  if (rows.length === 0) return said(state, "Nothing has been shortened yet.");
  const sum = rows.reduce(
    (total, row) => ({
      count: total.count + row.count,
      before: total.before + row.before,
      after: total.after + row.after,
    }),
    { count: 0, before: 0, after: 0 },
  );
  return {
    blocks: [
      text(state),
      table(
        ["tool", "technique", "times", "characters before", "after", "saved"],
        [...rows, { tool: "all", technique: "", ...sum }].map((row) => [
          row.tool,
          row.technique,
          count(row.count),
          count(row.before),
          count(row.after),
          percent(row.before === 0 ? 0 : Math.max(0, row.before - row.after) / row.before),
        ]),
      ),
    ],
  };
}
