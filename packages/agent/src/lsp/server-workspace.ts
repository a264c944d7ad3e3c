import type { FileDoor } from "../contract/files.ts";
import type { NotLooked } from "../contract/language-servers.ts";
import type { Clock } from "../contract/services.ts";
import { waitWithin } from "./bounded.ts";
import { DiskView } from "./disk-view.ts";
import type { FileChange } from "./file-change.ts";
import { isInside } from "./inside.ts";
import type { LanguageServer } from "./language-server.ts";
import type { OpenDocument } from "./open-documents.ts";
import type { ServerRole } from "./server-definition.ts";
import type { ServerPool } from "./server-pool.ts";
import type { SourceText } from "./source-text.ts";

/** The servers of a session together with what each was told of the files. */
export class ServerWorkspace {
  readonly pool: ServerPool;
  readonly #files: FileDoor;
  readonly #clock: Clock;
  readonly #views = new WeakMap<LanguageServer, DiskView>();
  /** Servers that have not looked around since a command ran. */
  #outdated = new WeakSet<LanguageServer>();

  constructor(pool: ServerPool, files: FileDoor, clock: Clock) {
    this.pool = pool;
    this.#files = files;
    this.#clock = clock;
  }

  /** The server for a file, waiting until it is ready, within the limits; `sinceStart`: they count from its start, so that a slow one is waited for once. */
  async serverFor(
    path: string,
    role: ServerRole,
    limits: { ms: number; signal: AbortSignal; sinceStart?: boolean },
  ): Promise<LanguageServer | NotLooked> {
    if (!isInside(path, this.#files.root))
      return { state: "not_looked", code: "outside", reason: `${path} lies outside of the project` };
    const slot = this.pool.slotFor(path, role);
    if ("state" in slot) return slot;
    const { signal } = limits;
    const ms = limits.sinceStart === true ? limits.ms - slot.startingMs : limits.ms;
    const waited = await waitWithin(slot.get(), { ms, signal, clock: this.#clock });
    if (waited.kind === "value") return waited.value;
    if (waited.kind === "aborted")
      return { state: "not_looked", code: "aborted", reason: "the question was interrupted" };
    return {
      state: "not_looked",
      code: "starting",
      reason: "its language server is still starting",
      hint: "Ask again later.",
    };
  }

  /** A server got ready: what lies there now is what it has read. */
  opened(server: LanguageServer): void {
    this.#viewOf(server).begin();
  }

  /** A command ran, which may have changed any file: every server looks around before its next question. */
  commandRan(): void {
    for (const server of this.pool.running()) this.#outdated.add(server);
  }

  /** Brings a server up to date with the disk. */
  async refresh(server: LanguageServer): Promise<void> {
    const everywhere = this.#outdated.delete(server);
    await this.#viewOf(server).refresh(everywhere);
  }

  /** Shows a server a file as it is on the disk. */
  show(server: LanguageServer, { path, text }: SourceText): OpenDocument {
    const document = server.documents.show(path, text, true);
    this.#viewOf(server).noteShown(path);
    return document;
  }

  /** Tells all servers of a file that a tool of ours changed. */
  fileChanged(path: string, type: FileChange): void {
    for (const server of this.pool.running()) server.filesChanged([{ path, type }]);
  }

  #viewOf(server: LanguageServer): DiskView {
    let view = this.#views.get(server);
    if (view === undefined) {
      view = new DiskView(this.#files, server);
      this.#views.set(server, view);
    }
    return view;
  }
}
