import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject, type Json, type JsonSchema } from "../contract/json.ts";
import type { ToolKind } from "../contract/tool.ts";
import type { Offering } from "../extension/mcp/mcp-hub.ts";
import { ensurePrivateFolder } from "../platform/private-folder.ts";
import { readSmallFile } from "../platform/read-small-file.ts";
import { writeIfDifferent } from "../platform/write-if-different.ts";
import type { McpParts } from "./open-mcp-hub.ts";
import { VERSION } from "./version.ts";

/** What a model is told of a tool of a server. */
export interface KnownTool {
  name: string;
  kind: ToolKind;
  description: string;
  input: JsonSchema;
}

/**
 * The tools of servers that the last start offered, kept in one private file of the cache folder: as long as nothing that they are made
 * from is different, a run that only asks once need not load anything of MCP before its request.
 */
export class KnownTools {
  readonly #file: string;
  readonly #folder: string;
  readonly #key: string;

  private constructor(folder: string, key: string) {
    this.#folder = folder;
    this.#key = key;
    this.#file = join(folder, `offer-${key.slice(0, 32)}.json`);
  }

  /** Null when a configuration file has variables, whose values may be different each time, or cannot be read. `files` are those that may name servers. */
  static of({ settings, flags, home, cwd, only }: McpParts, files: readonly string[]): KnownTools | null {
    try {
      const made = JSON.stringify([
        VERSION,
        cwd,
        settings.config.mcp,
        files.map((file) => [file, readSmallFile(file)]),
        flags.tools,
        flags.excludeTools,
        only ?? null,
      ]);
      if (made.includes("${")) return null;
      // Only the digest is kept: the files may hold secrets.
      const key = new Bun.CryptoHasher("sha256").update(made).digest("hex");
      return new KnownTools(join(home.cache, "mcp"), key);
    } catch {
      return null;
    }
  }

  /** Null when nothing is kept, or a server has listed something since. */
  read(): readonly KnownTool[] | null {
    try {
      const kept: Json = JSON.parse(readSmallFile(this.#file));
      if (!isJsonObject(kept) || kept["key"] !== this.#key || !isJsonObject(kept["lists"])) return null;
      const fresh = Object.entries(kept["lists"]).every(([file, stamp]) => stampOf(file) === stamp);
      if (!fresh || !Array.isArray(kept["tools"])) return null;
      return kept["tools"].every(isKnownTool) ? (kept["tools"] as unknown as KnownTool[]) : null;
    } catch {
      return null;
    }
  }

  /** Null forgets what is kept. What cannot be written is only not there next time. */
  keep(offering: Offering | null): void {
    try {
      if (offering === null) {
        rmSync(this.#file, { force: true });
        return;
      }
      const lists = Object.fromEntries(offering.lists.map((file) => [file, stampOf(file)]));
      const tools = offering.tools.map(({ name, kind, description, input }) => ({
        name,
        kind,
        description,
        input,
      }));
      ensurePrivateFolder(this.#folder);
      writeIfDifferent(this.#file, JSON.stringify({ key: this.#key, lists, tools }), {
        mode: 0o600,
        durable: false,
      });
    } catch {
      // a full or read-only disk
    }
  }
}

function stampOf(file: string): string {
  const { mtimeMs, size } = statSync(file);
  return `${mtimeMs}:${size}`;
}

const KINDS: ReadonlySet<unknown> = new Set<ToolKind>(["inspect", "edit", "run", "network"]);

function isKnownTool(value: Json): boolean {
  if (!isJsonObject(value)) return false;
  const { name, kind, description, input } = value;
  return (
    typeof name === "string" && typeof description === "string" && KINDS.has(kind) && isJsonObject(input)
  );
}
