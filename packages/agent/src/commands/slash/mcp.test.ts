import { expect, test } from "bun:test";
import { PiError } from "../../contract/errors.ts";
import { type ListedServer, type McpPorts, type McpReport, mcpCommand } from "./mcp.ts";
import { completed, run } from "./test-support/run-command.ts";

function server(name: string, more: Partial<ListedServer> = {}): ListedServer {
  return {
    name,
    state: "ready",
    problem: null,
    tools: 3,
    searched: 0,
    tokens: 1_200,
    prompts: 0,
    resources: false,
    where: "npx server",
    file: "~/.pi-go/mcp.json",
    log: `~/.pi-go/log/mcp/${name}.log`,
    ...more,
  };
}

const REPORT: McpReport = {
  servers: [
    server("github", { prompts: 2, resources: true, searched: 3, tokens: 0 }),
    server("mail", { state: "login", problem: "it wants an authorisation", tools: 0, tokens: 0 }),
  ],
  unused: [{ name: "keys", file: ".mcp.json", message: "the variable X is not set" }],
  files: ["~/.pi-go/mcp.json", "~/p/.mcp.json"],
};

function ports(more: Partial<McpPorts["mcp"]> = {}) {
  const done: string[] = [];
  const note = (word: string, result: ListedServer) => (name: string) => {
    done.push(`${word} ${name}`);
    return Promise.resolve(result);
  };
  const mcp: McpPorts["mcp"] = {
    off: () => null,
    list: () => REPORT,
    reload: () => Promise.resolve({ servers: [], unused: [], files: REPORT.files }),
    restart: note("restart", server("github")),
    enable: note("enable", server("github", { state: "failed", problem: "it does not answer" })),
    disable: async (name) => void done.push(`disable ${name}`),
    login: note("login", server("mail")),
    completePrompt: () => Promise.resolve([]),
    ...more,
  };
  const near = (name: string, known: Iterable<string>) => [...known].filter((each) => each[0] === name[0]);
  return { done, mcp, near };
}

test("/mcp lists state, offers, tokens and origin, then what is wrong and what to do [A-TUI-02][M05]", async () => {
  const { said, failed } = await run(mcpCommand, "", ports());
  expect(failed).toBe(false);
  expect(said.split("\n")).toEqual([
    "server |  | offers | tokens | from",
    "github | ready | 3 tools, 2 prompts, resources |  | npx server (~/.pi-go/mcp.json)",
    "mail | needs a login |  |  | npx server (~/.pi-go/mcp.json)",
    "3 tools would not fit the budget (mcp.toolBudget): the model finds them with mcp-search.",
    "not available | why | log",
    "mail | it wants an authorisation; /mcp login mail | ~/.pi-go/log/mcp/mail.log",
    "not started | why",
    "keys | the variable X is not set (.mcp.json)",
  ]);
});

test("without servers /mcp says where they are named [A-TUI-02]", async () => {
  const { said } = await run(mcpCommand, "reload", ports());
  expect(said).toBe(
    "There are no MCP servers yet. They are named in ~/.pi-go/mcp.json or ~/p/.mcp.json; then /mcp reload.",
  );
});

test("restart, enable and disable act on the server they name, and say how it is then [A-TUI-02]", async () => {
  const parts = ports();
  expect((await run(mcpCommand, "restart github", parts)).said).toStartWith("github is ready: 3 tools.");
  const enabled = await run(mcpCommand, "enable github", parts);
  expect(enabled).toMatchObject({ failed: true });
  expect(enabled.said).toBe("github: failed, it does not answer.\nIts log: ~/.pi-go/log/mcp/github.log");
  expect((await run(mcpCommand, "disable mail", parts)).said).toStartWith("mail is off for this session");
  expect(parts.done).toEqual(["restart github", "enable github", "disable mail"]);
});

test("a name that nobody has, a word that is none and a missing name change nothing [A-TUI-02]", async () => {
  const parts = ports();
  const wrong = await run(mcpCommand, "restart gihub", parts);
  expect(wrong.said).toBe('There is no MCP server "gihub".\nDid you mean github?');
  for (const line of ["restart", "explode github", "reload now"])
    expect((await run(mcpCommand, line, parts)).failed).toBe(true);
  expect(parts.done).toEqual([]);
});

test("/mcp login takes the address that is typed in, and asks again for one that is none [A-TUI-02]", async () => {
  const typed: string[] = [];
  const parts = ports({
    login: (_name, { shown }) =>
      new Promise((resolve) => {
        shown((address) => {
          typed.push(address);
          if (address === "good") resolve(server("mail"));
          return address === "good";
        });
      }),
  });
  const { said } = await run(mcpCommand, "login mail", parts, { answers: ["bad", "good"] });
  expect(typed).toEqual(["bad", "good"]);
  expect(said).toStartWith("mail is ready");
});

test("leaving the question of /mcp login stops it; a refusal of the service is told as such [A-TUI-02]", async () => {
  const stopped = ports({
    login: (_name, { signal, shown }) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(new PiError({ code: "aborted", message: "stopped" })));
        shown(() => false);
      }),
  });
  expect((await run(mcpCommand, "login mail", stopped, { answers: [null] })).said).toBe(
    "mail was not authorised.",
  );
  const refused = ports({
    login: () => Promise.reject(new PiError({ code: "mcp_login", message: "access denied" })),
  });
  await expect(run(mcpCommand, "login mail", refused)).rejects.toThrow("access denied");
});

test("what can follow is completed: actions, then the names of servers [A-TUI-02]", async () => {
  expect(await completed(mcpCommand, "re", ports())).toEqual(["restart", "reload"]);
  expect(await completed(mcpCommand, "login m", ports())).toEqual(["login mail"]);
});

test("in a run that can have no servers /mcp says why [A-TUI-02]", async () => {
  const { said } = await run(mcpCommand, "", ports({ off: () => "it was started with --no-tools" }));
  expect(said).toBe("There are no MCP servers in this run: it was started with --no-tools.");
});
