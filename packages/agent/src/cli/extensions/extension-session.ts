import type { Conversation } from "../../contract/session.ts";
import type { ExtensionNote, SessionPort } from "../../extension/pi/host/session-port.ts";
import type { Session } from "../../session/session.ts";

/** A session as the host of extensions sees it. What extensions keep before anything was said is written with the first message: a conversation without one leaves nothing on disk. */
export function extensionSession(
  session: Session,
  conversation: Conversation,
  cwd: string,
): SessionPort & { flush(): void } {
  const early: ExtensionNote[] = [];
  const write = (note: ExtensionNote) => session.note({ type: "extension", ...note });
  return {
    id: session.id,
    cwd,
    folder: session.folder,
    meta: session.meta,
    head: () => session.head,
    nodes: () =>
      [...session.tree.nodes.values()].map(({ id, type, parent }) => ({
        id,
        type,
        parent: parent?.id ?? null,
      })),
    read: (ids) => {
      const nodes = ids.map((id) => session.tree.nodes.get(id));
      const known = nodes.filter((node) => node !== undefined);
      const records = new Map(session.records(known).map((record, index) => [known[index]!.id, record]));
      return ids.map((id) => records.get(id) ?? null);
    },
    messages: () => session.messages(),
    append: (message) => conversation.append(message),
    note(note) {
      if (session.messages().length > 0 || session.head !== null) return write(note);
      early.push(note);
      return "";
    },
    label: (target, name) => void session.note({ type: "label", target, name }),
    setTitle: (title) => session.setTitle(title),
    saveSettings: (values) => session.saveSettings(values),
    flush() {
      for (const note of early.splice(0)) write(note);
    },
  };
}
