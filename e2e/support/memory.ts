/** Puts memories where `pi` looks for them, by the memory engine itself. */
import type { Workspace } from "@pi-ts/testkit";
import type { Memory, MemorySession } from "agentic-remem/runtime";
import { openMemory } from "agentic-remem/runtime";

/** Works on the store of a workspace's user, seen from a folder. */
export async function fillMemory<T>(
  ws: Workspace,
  work: (memory: Memory, session: MemorySession) => Promise<T>,
  cwd: string = ws.path,
): Promise<T> {
  await using memory = openMemory({
    host: "remem",
    cwd,
    home: ws.home,
    environment: ws.env(),
    ignoreFiles: true,
    settings: { capture: { enabled: true } },
  });
  const session = memory.session({ id: "an-earlier-session" });
  const done = await work(memory, session);
  await memory.idle();
  return done;
}

/** What a person stated earlier, word for word, in a project. */
export async function stateEarlier(ws: Workspace, texts: readonly string[], cwd?: string): Promise<void> {
  await fillMemory(
    ws,
    async (memory, session) => {
      for (const [index, text] of texts.entries())
        session.typed({ messageId: `earlier-${index}-${text.length}`, text, source: "interactive" });
      await memory.idle();
    },
    cwd,
  );
}
