/**
 * An example extension: a tool, a command, a rule about tool calls, and state that follows the conversation.
 * Try it with: pi -e docs/examples/extensions/release-notes.ts
 */
import { Type } from "typebox";

interface Notes {
  lines: string[];
}

// The parts of the API that are used here; extensions in JavaScript need none of this.
interface Context {
  ui: { notify(text: string, level?: string): void };
  sessionManager: { getBranch(): { type: string; customType?: string; data?: Notes }[] };
}
interface Api {
  on(event: string, handler: (event: never, context: Context) => unknown): void;
  registerTool(tool: object): void;
  registerCommand(name: string, command: object): void;
  appendEntry(type: string, data: Notes): void;
}

const ENTRY = "release-notes";

export default function releaseNotes(pi: Api): void {
  let notes: Notes = { lines: [] };

  // Going back in the conversation takes the notes along: they are read from the branch that is active.
  const restore = (_event: unknown, { sessionManager }: Context) => {
    const kept = sessionManager.getBranch().findLast(({ customType }) => customType === ENTRY);
    notes = kept?.data ?? { lines: [] };
  };
  pi.on("session_start", restore);
  pi.on("session_tree", restore);

  pi.registerTool({
    name: "note_change",
    label: "Note a change",
    description: "Adds one line to the release notes of this conversation",
    promptGuidelines: ["After a change that users notice, call note_change with one sentence for them."],
    parameters: Type.Object({ line: Type.String({ description: "one sentence for users" }) }),
    async execute(_id: string, { line }: { line: string }) {
      notes = { lines: [...notes.lines, line] };
      pi.appendEntry(ENTRY, notes);
      return {
        content: [{ type: "text", text: `Noted; there are ${notes.lines.length} notes now.` }],
        details: notes,
      };
    },
  });

  pi.registerCommand("release-notes", {
    description: "Show the release notes of this conversation",
    async handler(_args: string, { ui }: Context) {
      ui.notify(
        notes.lines.length === 0
          ? "Nothing is noted yet."
          : notes.lines.map((line) => `- ${line}`).join("\n"),
      );
    },
  });

  pi.on("tool_call", ({ toolName, input }: { toolName: string; input: { file_path?: string } }) => {
    if (toolName === "write" && input.file_path?.endsWith("CHANGELOG.md"))
      return { block: true, reason: "CHANGELOG.md is written at release time; use note_change instead." };
    return undefined;
  });
}
