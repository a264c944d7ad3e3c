import { join } from "node:path";
import type { AppParts } from "../app-parts.ts";

/** Pi's own folder, whose settings may name packages. */
export function piFolder({ home, environment }: Pick<AppParts, "home" | "environment">): string {
  const moved = environment["PI_CODING_AGENT_DIR"]?.trim() ?? "";
  if (moved === "") return join(home.user, ".pi", "agent");
  return moved.startsWith("~/") ? join(home.user, moved.slice(2)) : moved;
}
