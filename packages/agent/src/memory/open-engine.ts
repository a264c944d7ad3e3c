import type { SmallModel } from "agentic-remem/core";
import { type Memory, openMemory } from "agentic-remem/runtime";
import type { Notice } from "../contract/settings.ts";
import { engineSettings, type MemorySetting } from "./engine-settings.ts";

export interface EngineOptions {
  /** The project folder. */
  cwd: string;
  /** The global folder, and the user's own home folder. */
  root: string;
  user: string;
  environment: Readonly<Record<string, string | undefined>>;
  setting: MemorySetting;
  interactive: boolean;
  /** False: nothing is written, not even that something was recalled. */
  captures: boolean;
  /** For compression and summaries; absent: both are made by rule. */
  model?: SmallModel | undefined;
  onNotice(notice: Notice): void;
}

/** Opens the memory engine for this program. Returns at once and never throws; trouble comes as notices without any memory's text. */
export function openEngine(options: EngineOptions): Memory {
  const { cwd, root, user, environment, setting, interactive, captures, model, onNotice } = options;
  return openMemory({
    host: "pi-ts",
    cwd,
    environment: { ...environment, PI_HOME: root },
    home: user,
    run: interactive ? "interactive" : "one-shot",
    access: captures ? "write" : "read",
    settings: engineSettings(setting, captures),
    ...(model === undefined ? {} : { model }),
    onNotice: ({ level, message }) => onNotice({ level, message: `memory: ${message}` }),
  });
}
