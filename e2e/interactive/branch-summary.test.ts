/** Leaving a branch with a summary of it: /branch switch and /tree, as a person does it, seen on the screen, at the model and on disk. */
import { expect, test } from "bun:test";
import {
  call,
  hold,
  type ModelServer,
  modelServer,
  say,
  type TerminalProgram,
  workspace,
} from "@pi-ts/testkit";
import { messagesOf, onlySession } from "../support/state.ts";
import { gate, idle, leave, openPi, send, talk } from "./support.ts";

const isNotes = ({ system }: { system: string }) => system.includes("branch notes");

/** Common ground on main, and a branch `idea` on which a file was changed. */
async function fork(program: TerminalProgram, server: ModelServer): Promise<void> {
  server.reply(say("Ground it is."));
  await talk(program, "common ground", "Ground it is.");
  send(program, "/branch idea");
  await program.waitFor('Branch "idea" begins here');
  server.reply(call("edit", { file_path: "sky.txt", old_string: "grey", new_string: "green" }));
  server.reply(say("The sky is green."));
  await talk(program, "paint it green", "The sky is green.");
}

test("/branch switch takes a summary of what is left along, which the model reads and a resume keeps; /rewind undo takes it back [A-TUI-02][A-SESS-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "sky.txt": "grey\n" });
  {
    await using program = await openPi(ws, server, { rows: 40 });
    await fork(program, server);
    server.when(isNotes).reply(say("NOTES: green looked odd."));
    send(program, "/branch switch main");
    await program.waitFor("Conversation and files");
    program.press("down", "enter");
    await program.waitFor("You leave 4 messages behind");
    program.press("down", "down", "enter");
    await program.waitFor("What should the summary keep above all?");
    send(program, "the colours");
    await program.waitFor('Branch "main" goes on with');
    const asked = server.requests.at(-1)!;
    expect(asked.text).toContain("paint it green");
    expect(asked.text).toContain("keep above all what concerns: the colours");
    const shown = program.screen().join("\n");
    expect(shown).toContain("A summary of what you left goes along");
    expect(shown).toContain("Summary of another branch:");
    expect(shown).not.toContain("The sky is green.");
    expect(ws.read("sky.txt")).toBe("green\n");
    server.reply(say("Then blue."));
    await talk(program, "another colour?", "Then blue.");
    const sent = server.requests.at(-1)!.userTexts.join("\n");
    expect(sent).toContain('(branch "idea")');
    expect(sent).toContain("NOTES: green looked odd.");
    expect(sent).toContain('- "sky.txt"');
    expect(sent).not.toContain("paint it green");
    await leave(program);
  }
  await using again = await openPi(ws, server, { args: ["--continue"], rows: 40 });
  await again.waitFor("Summary of another branch:");
  server.reply(say("It was odd."));
  await talk(again, "how was green?", "It was odd.");
  expect(server.requests.at(-1)!.userTexts.join("\n")).toContain("NOTES: green looked odd.");
});

test("/rewind undo right after a switch with a summary goes back, and the branch knows nothing of the summary [A-TUI-02][A-SESS-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "sky.txt": "grey\n" });
  await using program = await openPi(ws, server, { rows: 40 });
  await fork(program, server);
  server.when(isNotes).reply(say("NOTES: green looked odd."));
  send(program, "/branch switch main summary");
  await program.waitFor("Conversation and files");
  program.press("enter");
  await program.waitFor(/Change 1 file like this\?[\s\S]*\+grey/);
  program.press("enter");
  await program.waitFor("A summary of what you left goes along");
  expect(ws.read("sky.txt")).toBe("grey\n");
  send(program, "/rewind undo");
  await program.waitFor("Conversation and files");
  program.press("enter");
  await program.waitFor("Change 1 file like this?");
  program.press("enter");
  await program.waitFor("The sky is green.");
  expect(ws.read("sky.txt")).toBe("green\n");
  send(program, "/branch switch main plain");
  await program.waitFor("Conversation and files");
  program.press("down", "enter");
  await program.waitFor('Branch "main" goes on with');
  server.reply(say("Nothing known."));
  await talk(program, "what do you know?", "Nothing known.");
  expect(server.requests.at(-1)!.text).not.toContain("NOTES");
  await leave(program);
  expect(JSON.stringify(messagesOf(onlySession(ws)))).toContain("NOTES: green looked odd.");
});

test("a summary that fails is told of, and the branch is switched to without it; Esc while it is written leaves everything as it is [A-TUI-02][A-SESS-02]", async () => {
  await using server = await modelServer();
  await using ws = await workspace({ "sky.txt": "grey\n" });
  await using program = await openPi(ws, server, { rows: 40 });
  await fork(program, server);
  const held = gate();
  server.when(isNotes).reply(hold(held.passed), say("too late")).reply(say(" "));
  send(program, "/tree");
  await program.waitFor(/› ● paint it green/);
  program.press("home", "enter");
  await program.waitFor('Switch to branch "main"');
  program.press("enter");
  await program.waitFor("Conversation and files");
  program.press("down", "enter");
  await program.waitFor("You leave 4 messages behind");
  program.press("down", "enter");
  await program.waitFor(() => server.requests.some(isNotes));
  program.press("escape");
  await program.waitFor("You stay where you are.");
  held.open();
  await idle(program);
  expect(program.screen().join("\n")).toContain("The sky is green.");
  send(program, "/branch switch main summary");
  await program.waitFor("Conversation and files");
  program.press("down", "enter");
  await program.waitFor("No summary went along: the model gave an empty summary.");
  expect(program.screen().join("\n")).toContain('Branch "main" goes on with');
});
