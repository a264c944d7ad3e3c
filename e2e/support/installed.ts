/** Pi packages that npm has installed for the user, and what pi has compiled of them. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Workspace } from "@pi-ts/testkit";
import { type PiResult, pi } from "./pi.ts";
import { stateFolder } from "./state.ts";

/** Where npm puts what pi loads. */
export function modulesFolder(ws: Workspace): string {
  return join(stateFolder(ws), "npm", "node_modules");
}

/** Writes packages and names them in the settings; `extensions` of each: paths in its folder, none for one that others need. */
export function install(
  ws: Workspace,
  packages: Readonly<
    Record<string, { extensions: readonly string[]; files: Readonly<Record<string, string>> }>
  >,
): void {
  for (const [name, { extensions, files }] of Object.entries(packages)) {
    const folder = join(modulesFolder(ws), name);
    const manifest = { name, version: "1.0.0", type: "module", pi: { extensions } };
    const all = { "package.json": JSON.stringify(manifest), ...files };
    for (const [path, text] of Object.entries(all)) ws.write(join(folder, path), text);
  }
  const named = Object.keys(packages).filter((name) => packages[name]!.extensions.length > 0);
  ws.write(
    join(stateFolder(ws), "config.json"),
    JSON.stringify({ packages: named.map((name) => `npm:${name}`) }),
  );
}

/** Compiles modules as the helper process does that a terminal program starts; paths in `node_modules`. */
export async function compile(ws: Workspace, ...modules: readonly string[]): Promise<PiResult> {
  const files = modules.map((path) => join(modulesFolder(ws), path));
  return await pi(ws, ["--compile-extensions", "--", ...files]);
}

/** An extension with the command `/NAME`, which says what `value` is (code; a promise is waited for) and whether its own code is compiled. */
export function says(name: string, value: string): string {
  return `export default (pi) => { pi.registerCommand(${JSON.stringify(name)}, { handler: async (_, ctx) => ctx.ui.notify((new Error("x").stack.includes("/cache/extensions/") ? "compiled " : "as it is ") + String(await (${value}))) }); };`;
}

export interface CompiledFiles {
  readonly folder: string;
  /** Descriptions of sets, parsed. */
  readonly sets: readonly { modules: { path: string }[]; refused: [string, string][] }[];
  /** Files with code. */
  readonly code: readonly string[];
}

/** What lies in the cache. */
export function compiledFiles(ws: Workspace): CompiledFiles {
  const folder = join(stateFolder(ws), "cache", "extensions");
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String) : [];
  return {
    folder,
    sets: names
      .filter((name) => name.endsWith(".json"))
      .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as never),
    code: names.filter((name) => /\.jsc?$/.test(name)).map((name) => join(folder, name)),
  };
}
