import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Workspace } from "@pi-ts/testkit";
import type { Command } from "./measure.ts";

const built = join(import.meta.dir, "..", "dist", process.platform === "win32" ? "pi.exe" : "pi");

/** The built executable; throws when it has not been built. */
export function piExecutable(): string {
  if (!existsSync(built)) throw new Error(`${built} is not there: run npm run build first`);
  return built;
}

/** `pi` in a workspace, against a scripted OpenAI Responses service. */
export function piCommand(workspace: Workspace, url: string, words: readonly string[]): Command {
  return {
    argv: [piExecutable(), ...words],
    cwd: workspace.path,
    environment: workspace.env({
      OPENAI_API_KEY: "bench-key-0123456789",
      OPENAI_BASE_URL: `${url}/v1`,
      PI_HOME: join(workspace.home, ".pi-go"),
    }),
  };
}

export const MODEL = ["--model", "openai/gpt-5.4"];
