import { existsSync, readFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";

/** How a file of an installed package is loaded. `other`: what we do not compile (addons, WebAssembly, text, JSX). */
export type ModuleKind = "module" | "commonjs" | "json" | "other";

/** What kind of module a file is. Only those are compiled that are plainly ES modules. */
export function moduleKind(path: string, source: () => string): ModuleKind {
  switch (extname(path)) {
    case ".ts":
    case ".mts":
    case ".mjs":
      return "module";
    case ".cjs":
    case ".cts":
      return "commonjs";
    case ".json":
      return "json";
    case ".js":
      return isTypeModule(dirname(path)) || /^\s*(?:import|export)\b/m.test(source()) ? "module" : "commonjs";
    default:
      return "other";
  }
}

function isTypeModule(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    const manifest = join(at, "package.json");
    if (existsSync(manifest)) return /"type"\s*:\s*"module"/.test(readFileSync(manifest, "utf8"));
    if (dirname(at) === at || at.endsWith("node_modules")) return false;
  }
}
