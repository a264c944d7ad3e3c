import type { CommandBlock } from "../../contract/command.ts";
import type {
  ArgumentCompletion,
  SlashCommand,
  SlashContext,
  SlashOutcome,
} from "../../contract/slash-command.ts";
import { completeWords, firstWord } from "./shared/complete-words.ts";
import { count, counted, oneLine } from "./shared/format.ts";
import { didYouMean, type NearPort } from "./shared/near-port.ts";
import { refused, said, table, text } from "./shared/outcome.ts";
import { PasteQuestion } from "./shared/paste-question.ts";
import { slashInfo } from "./slash-infos.ts";

export interface McpPorts extends NearPort {
  mcp: {
    /** Why there can be no servers now; null when there may be. */
    off(): string | null;
    list(): McpReport;
    /** Reads the files again; servers whose entries are as before go on. Resolves when new ones have listed their tools or failed. */
    reload(): Promise<McpReport>;
    restart(name: string): Promise<ListedServer>;
    enable(name: string): Promise<ListedServer>;
    disable(name: string): Promise<void>;
    /** Has the person authorise in a browser. Throws a PiError when that cannot be or is not granted. */
    login(name: string, login: McpLogin): Promise<ListedServer>;
    /** Values for the argument of a server's prompt (`/server:prompt`). */
    completePrompt(
      name: string,
      argument: string,
      signal: AbortSignal,
    ): Promise<readonly ArgumentCompletion[]>;
  };
}

export interface McpLogin {
  signal: AbortSignal;
  /** The address stands before the person now; `take` is for the one that the browser ended at, and gives false for anything else. */
  shown(take: (address: string) => boolean): void;
}

export interface McpReport {
  servers: readonly ListedServer[];
  /** Entries that are no servers, and why. */
  unused: readonly { name: string; file: string; message: string }[];
  /** Files that are looked at, fit to be shown. */
  files: readonly string[];
}

export interface ListedServer {
  name: string;
  state: "waiting" | "starting" | "ready" | "failed" | "login" | "off";
  /** Why it cannot be used. */
  problem: string | null;
  /** Tools that it lends, and how many of them a model finds by search. */
  tools: number;
  searched: number;
  /** Estimated, of the others, in each request. */
  tokens: number;
  prompts: number;
  resources: boolean;
  /** The program or the address, and the file that names it; fit to be shown. */
  where: string;
  file: string;
  log: string;
}

const FORMS = "/mcp, /mcp restart NAME, /mcp login NAME, /mcp enable NAME, /mcp disable NAME or /mcp reload.";
const STATES: Readonly<Record<ListedServer["state"], string>> = {
  waiting: "not started",
  starting: "starting",
  ready: "ready",
  failed: "failed",
  login: "needs a login",
  off: "off",
};

const ACTIONS: Readonly<Record<string, string>> = {
  restart: "end a server and start it anew",
  login: "authorise pi with a server's service",
  enable: "switch a server on",
  disable: "switch a server off for this session",
};

/** `/mcp [restart | login | enable | disable NAME | reload]`: the MCP servers of this run, what they cost, and what is wrong. */
export const mcpCommand: SlashCommand<McpPorts> = {
  ...slashInfo("mcp"),
  async complete(argument, { mcp }) {
    const [word, rest] = firstWord(argument);
    if (!Object.hasOwn(ACTIONS, word) || mcp.off() !== null)
      return completeWords(argument, [...Object.entries(ACTIONS), ["reload", "read the files again"]]);
    const names = mcp.list().servers.map(({ name, state }) => [name, STATES[state]] as const);
    return completeWords(rest, names).map((entry) => ({ ...entry, value: `${word} ${entry.value}` }));
  },
  async run(argument, context) {
    const { mcp } = context.ports;
    const off = mcp.off();
    if (off !== null) return refused(`There are no MCP servers in this run: ${off}.`);
    const [word, name] = firstWord(argument);
    if (word === "" || (word === "list" && name === "")) return listed(mcp.list());
    if (word === "reload" && name === "") return listed(await mcp.reload());
    if (!Object.hasOwn(ACTIONS, word) || name === "")
      return refused(`/mcp does not know "${argument}".`, FORMS);
    const known = mcp.list().servers.map((server) => server.name);
    if (!known.includes(name))
      return refused(
        `There is no MCP server "${name}".`,
        didYouMean(context.ports.near(name, known), "/mcp lists all of them."),
      );
    return act(word, name, context);
  },
};

async function act(word: string, name: string, context: SlashContext<McpPorts>): Promise<SlashOutcome> {
  const { mcp } = context.ports;
  switch (word) {
    case "disable":
      await mcp.disable(name);
      return said(
        `${name} is off for this session; its tools go with your next message. /mcp enable ${name} brings it back.`,
      );
    case "enable":
      return told(await mcp.enable(name));
    case "login":
      return login(name, context);
    default:
      return told(await mcp.restart(name));
  }
}

async function login(
  name: string,
  { ports: { mcp }, dialogs, signal }: SlashContext<McpPorts>,
): Promise<SlashOutcome> {
  using paste = new PasteQuestion(dialogs, signal);
  const title =
    "Authorise pi in the browser. If that cannot reach this machine, paste the address it ended at:";
  try {
    return told(await mcp.login(name, { signal: paste.signal, shown: (take) => paste.ask(title, take) }));
  } catch (thrown) {
    if (paste.dismissed) return said(`${name} was not authorised.`);
    throw thrown;
  }
}

/** How a server is after something was done with it. */
function told(server: ListedServer): SlashOutcome {
  const { name, state, problem, log } = server;
  if (state === "ready")
    return said(`${name} is ready: ${tools(server)}. New ones come with your next message.`);
  const login = state === "login" ? `/mcp login ${name} authorises pi.` : `Its log: ${log}`;
  return refused(`${name}: ${STATES[state]}${problem === null ? "" : `, ${problem}`}.`, login);
}

function tools({ tools: lent, prompts, resources }: ListedServer): string {
  const parts = [counted(lent, "tool")];
  if (prompts > 0) parts.push(counted(prompts, "prompt"));
  if (resources) parts.push("resources");
  return parts.join(", ");
}

function listed({ servers, unused, files }: McpReport): SlashOutcome {
  const blocks: CommandBlock[] = [];
  if (servers.length === 0 && unused.length === 0)
    blocks.push(
      text(`There are no MCP servers yet. They are named in ${files.join(" or ")}; then /mcp reload.`),
    );
  if (servers.length > 0)
    blocks.push(
      table(
        ["server", "", "offers", "tokens", "from"],
        servers.map((server) => [
          server.name,
          STATES[server.state],
          offers(server),
          server.tokens === 0 ? "" : count(server.tokens),
          `${oneLine(server.where, 60)} (${server.file})`,
        ]),
      ),
    );
  const searched = servers.reduce((sum, server) => sum + server.searched, 0);
  if (searched > 0)
    blocks.push(
      text(
        `${counted(searched, "tool")} would not fit the budget (mcp.toolBudget): the model finds them with mcp-search.`,
      ),
    );
  const wrong = servers.filter(({ problem }) => problem !== null);
  if (wrong.length > 0)
    blocks.push(
      table(
        ["not available", "why", "log"],
        wrong.map(({ name, state, problem, log }) => [
          name,
          state === "login" ? `${problem}; /mcp login ${name}` : problem!,
          log,
        ]),
      ),
    );
  if (unused.length > 0)
    blocks.push(
      table(
        ["not started", "why"],
        unused.map(({ name, file, message }) => [name, `${message} (${file})`]),
      ),
    );
  return { blocks };
}

function offers(server: ListedServer): string {
  return server.tools + server.prompts === 0 && !server.resources ? "" : tools(server);
}
