import type { CommandBlock } from "../../contract/command.ts";
import type { SlashCommand, SlashContext, SlashOutcome } from "../../contract/slash-command.ts";
import { completeWords } from "./shared/complete-words.ts";
import { counted } from "./shared/format.ts";
import { refused, said, table, text } from "./shared/outcome.ts";
import { slashInfo } from "./slash-infos.ts";

export interface TrustPorts {
  trust: {
    /** Looks at the project now: what lies in it, not what this program loaded at its start. */
    state(): Promise<TrustState>;
    /**
     * Remembers that the user trusts what acts, exactly as `state` showed it (`fingerprint`). False: it changed since, and
     * nothing was remembered. Throws a PiError when the store is broken or cannot be written.
     */
    grant(fingerprint: string): Promise<boolean>;
    /** Forgets the project. True if it was trusted. Throws as `grant`. */
    revoke(): Promise<boolean>;
  };
}

/** `changed`: it was trusted, and another byte acts now. */
export interface TrustState {
  state: "nothing" | "trusted" | "changed" | "unknown";
  /** The project's root, fit to be shown. */
  root: string;
  /** What would act: paths relative to the root, each with what it does where that is known ("runs as a hook before tools"). */
  items: readonly { path: string; effect?: string }[];
  /** Stands for exactly these bytes; null when nothing acts or it could not be looked at. */
  fingerprint: string | null;
  /** Why it could not be looked at. */
  problem?: string;
  /** It acts in this run: it was trusted at the start, or `--trust` was given. */
  acting: boolean;
}

const MOST_ITEMS = 40;

/** `/trust [yes|no]`: what this project brings that would act, and the user's word on it. */
export const trustCommand: SlashCommand<TrustPorts> = {
  ...slashInfo("trust"),
  complete: async (argument) =>
    completeWords(argument, [
      ["yes", "trust it as it is now"],
      ["no", "take trust back"],
    ]),
  async run(argument, context) {
    const word = argument.toLowerCase();
    if (word === "no") return revoke(context);
    if (word !== "" && word !== "yes")
      return refused(`/trust does not know "${argument}".`, "/trust, /trust yes or /trust no.");
    const found = await context.ports.trust.state();
    if (found.state === "nothing")
      return said(`Nothing in ${found.root} acts on pi: there is nothing to trust.`);
    if (found.fingerprint === null)
      return refused(
        `${found.root} is not trusted: ${found.problem ?? "it could not be looked at"}.`,
        "Nothing in it acts until that is mended.",
      );
    if (found.state === "trusted")
      return {
        blocks: [
          text(
            `${found.root} is trusted as it is now.${found.acting ? "" : " It acts after /restart."} /trust no takes that back.`,
          ),
          itemTable(found),
        ],
      };
    return ask(found, found.fingerprint, context);
  },
};

async function ask(
  found: TrustState,
  fingerprint: string,
  { ports: { trust }, dialogs, signal }: SlashContext<TrustPorts>,
): Promise<SlashOutcome> {
  const why =
    found.state === "changed"
      ? "has changed since you trusted it"
      : "brings what would act on pi and on this machine";
  const sure = await dialogs.confirm(
    {
      title: `Trust ${found.root}?`,
      detail: [
        text(
          `It ${why}. Trust it only if you know who wrote these files; any change to them needs your word again.`,
        ),
        itemTable(found),
      ],
      yes: "Trust",
      no: "Not now",
    },
    signal,
  );
  if (!sure)
    return said(
      found.acting
        ? `${found.root} is not trusted. What was loaded at the start of this run goes on acting until /restart.`
        : `${found.root} is not trusted; nothing in it acts.`,
    );
  if (!(await trust.grant(fingerprint)))
    return refused("It changed while you looked, so it is not trusted.", "/trust shows it as it is now.");
  return said(
    `${found.root} is trusted as it is now (${counted(found.items.length, "file")}).`,
    ...(found.acting && found.state === "unknown" ? [] : ["It acts from the next start on: /restart."]),
  );
}

async function revoke({ ports: { trust } }: SlashContext<TrustPorts>): Promise<SlashOutcome> {
  const found = await trust.state();
  const known = await trust.revoke();
  if (!known) return said(`${found.root} was not trusted.`);
  return said(
    `${found.root} is not trusted any more.`,
    ...(found.acting ? ["What of it acts already goes on until /restart."] : []),
  );
}

function itemTable({ items }: TrustState): CommandBlock {
  const rows = items.slice(0, MOST_ITEMS).map(({ path, effect }) => [path, effect ?? ""]);
  const more = items.length - rows.length;
  return table(
    ["what would act", ""],
    more > 0 ? [...rows, [`… and ${counted(more, "more file")}`, ""]] : rows,
  );
}
