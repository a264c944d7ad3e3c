import { expect, test } from "bun:test";
import { nearNames } from "../../platform/near-names.ts";
import { helpCommand } from "./help.ts";
import { keysCommand } from "./keys.ts";
import { SLASH_INFOS, type SlashName } from "./slash-infos.ts";
import { SLASH_USAGE } from "./slash-usage.ts";
import { completed, run } from "./test-support/run-command.ts";

const BINDINGS = [
  {
    action: "editor.submit",
    description: "send the prompt",
    keys: ["Enter"],
    group: "Editor",
    changed: false,
  },
  {
    action: "app.interrupt",
    description: "stop the answer",
    keys: ["Esc"],
    group: "Program",
    changed: false,
  },
  { action: "editor.undo", description: "undo", keys: [], group: "Editor", changed: true },
];

function ports(conflicts: { key: string; actions: string[]; problem?: string }[] = []) {
  return {
    near: nearNames,
    help: { commands: () => SLASH_INFOS },
    keys: { list: () => BINDINGS, conflicts: () => conflicts, file: "~/.pi-go/config.json" },
  };
}

test("/help lists every command under its group, and the keys [A-TUI-02]", async () => {
  const { blocks, said } = await run(helpCommand, "", ports());
  const heads = blocks.map((block) => (block.kind === "table" ? block.head[0] : "?"));
  expect(heads).toEqual(["Conversation", "Project", "Model", "Display", "Program", "Editor", "Program"]);
  for (const { name, summary } of SLASH_INFOS) expect(said).toContain(`/${name} | ${summary}`);
  expect(said).toContain("Enter | send the prompt");
});

test.each(["model", "/model", "MODEL"])("/help %s explains one command", async (word) => {
  const { said } = await run(helpCommand, word, ports());
  expect(said).toStartWith("/model [role | model] [thinking] [--session]: choose the model");
  expect(said).toContain("/model ROLE | the model of a role");
  expect(said).toContain("It waits until no answer is in progress.");
});

test("/help finds a command by its alias", async () => {
  expect((await run(helpCommand, "quit", ports())).said).toContain("/exit: end pi");
});

test("/help for an unknown command names the near ones", async () => {
  const { said, failed } = await run(helpCommand, "comit", ports());
  expect(failed).toBe(true);
  expect(said).toContain("Did you mean /commit?");
});

test("/help completes the names of commands", async () => {
  expect(await completed(helpCommand, "re", ports())).toEqual(["resume", "rewind", "restart"]);
});

test("the forms in the help are forms of their own command", () => {
  for (const [name, forms] of Object.entries(SLASH_USAGE))
    for (const [form] of forms) expect(form).toMatch(new RegExp(`^/${name as SlashName}( |$)`));
});

test("/keys lists the keys by group with the names that the config uses", async () => {
  const { said, blocks } = await run(keysCommand, "", ports());
  expect(said).toContain("Enter | send the prompt | editor.submit");
  expect(said).toContain("(no key) | undo | editor.undo (yours)");
  expect(blocks).toHaveLength(3);
  expect(said).toContain('set "keybindings" in ~/.pi-go/config.json');
});

test("/keys conflicts names each key with the actions that want it", async () => {
  const conflict = { key: "Ctrl+R", actions: ["app.history", "editor.redo"] };
  const odd = { key: "hyper+", actions: ["editor.undo"], problem: "no such key" };
  const { said } = await run(keysCommand, "conflicts", ports([conflict, odd]));
  expect(said).toContain("2 conflicts:");
  expect(said).toContain("Ctrl+R | app.history, editor.redo");
  expect(said).toContain("hyper+ | editor.undo | no such key");
});

test("/keys conflicts tells what belongs to no action as a sentence, not in a column", async () => {
  const odd = { key: 'there is no action "app.fly"', actions: [], problem: "/keys lists the names." };
  const { said } = await run(keysCommand, "conflicts", ports([odd]));
  expect(said).toContain('there is no action "app.fly". /keys lists the names.');
  expect(said).not.toContain("|");
});

test("/keys conflicts says when there are none", async () => {
  expect((await run(keysCommand, "conflicts", ports())).said).toBe("Every key has one meaning.");
});

test("/keys refuses another word", async () => {
  expect((await run(keysCommand, "map", ports())).failed).toBe(true);
});
