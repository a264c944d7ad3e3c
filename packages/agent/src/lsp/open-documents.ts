import { uriOf } from "./file-uri.ts";
import { LineMap, type PositionEncoding } from "./line-map.ts";

/** Documents that one server holds open; the one used longest ago is closed for a new one. */
const MOST_OPEN = 40;
const CHANGE_NONE = 0;
const CHANGE_FULL = 1;

/** What a server wants to hear of documents, from its capabilities. */
export interface DocumentSync {
  /** 0 nothing, 1 whole texts, 2 what changed. */
  change: number;
  openClose: boolean;
  save: boolean;
  saveText: boolean;
}

/** A document as the server has it. */
export interface OpenDocument {
  readonly path: string;
  readonly uri: string;
  version: number;
  text: string;
  /** Of the server's publishes when this version was sent: later ones may speak of it. */
  sentAt: number;
}

export interface DocumentPorts {
  notify(method: string, params: unknown): void;
  languageId(path: string): string;
  /** How many publishes there have been. */
  published(): number;
  forget(path: string): void;
}

/** Keeps a server's documents at what the files are. Versions only grow. */
export class OpenDocuments {
  readonly #open = new Map<string, OpenDocument>();
  readonly #ports: DocumentPorts;
  readonly #sync: DocumentSync;
  readonly #encoding: PositionEncoding;

  constructor(ports: DocumentPorts, sync: DocumentSync, encoding: PositionEncoding) {
    this.#ports = ports;
    this.#sync = sync;
    this.#encoding = encoding;
  }

  /** The documents, the one used last at the end. */
  list(): readonly OpenDocument[] {
    return [...this.#open.values()];
  }

  get(path: string): OpenDocument | undefined {
    return this.#open.get(path);
  }

  /** Makes the server see this text; tells nothing when it does already. `saved`: it is what lies on the disk. */
  show(path: string, text: string, saved: boolean): OpenDocument {
    const document = this.#open.get(path) ?? this.#opened(path, text);
    this.#open.delete(path);
    this.#open.set(path, document);
    if (document.text !== text) this.#change(document, text, saved);
    if (this.#open.size > MOST_OPEN) this.close(this.#open.keys().next().value!);
    return document;
  }

  close(path: string): void {
    const document = this.#open.get(path);
    if (document === undefined) return;
    this.#open.delete(path);
    this.#ports.forget(path);
    if (this.#sync.openClose)
      this.#ports.notify("textDocument/didClose", { textDocument: { uri: document.uri } });
  }

  #opened(path: string, text: string): OpenDocument {
    const document = { path, uri: uriOf(path), version: 1, text, sentAt: this.#ports.published() };
    if (this.#sync.openClose) {
      const { uri, version } = document;
      this.#ports.notify("textDocument/didOpen", {
        textDocument: { uri, languageId: this.#ports.languageId(path), version, text },
      });
    }
    return document;
  }

  #change(document: OpenDocument, text: string, saved: boolean): void {
    const before = document.text;
    document.text = text;
    document.version++;
    document.sentAt = this.#ports.published();
    const { uri, version } = document;
    if (this.#sync.change !== CHANGE_NONE)
      this.#ports.notify("textDocument/didChange", {
        textDocument: { uri, version },
        contentChanges: [
          this.#sync.change === CHANGE_FULL ? { text } : difference(before, text, this.#encoding),
        ],
      });
    if (saved && this.#sync.save)
      this.#ports.notify("textDocument/didSave", {
        textDocument: { uri },
        ...(this.#sync.saveText ? { text } : {}),
      });
  }
}

/** The one stretch in which two texts differ. */
export function difference(before: string, after: string, encoding: PositionEncoding) {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before.charCodeAt(start) === after.charCodeAt(start)) start++;
  let end = 0;
  while (
    end < most - start &&
    before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)
  )
    end++;
  // A pair of units that is one character, or one line end, is not cut in two.
  if (joined(before, start) || joined(after, start)) start--;
  while (end > 0 && (joined(before, before.length - end) || joined(after, after.length - end))) end--;
  const map = new LineMap(before);
  return {
    range: { start: map.position(start, encoding), end: map.position(before.length - end, encoding) },
    text: after.slice(start, after.length - end),
  };
}

function joined(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return false;
  const unit = text.charCodeAt(at);
  const previous = text.charCodeAt(at - 1);
  return (
    (unit === 10 && previous === 13) ||
    (unit >= 0xdc00 && unit <= 0xdfff && previous >= 0xd800 && previous <= 0xdbff)
  );
}
