import type { Figure } from "../report.ts";
import { benchFirstFrame } from "./first-frame.ts";
import { benchStreaming } from "./streaming.ts";
import { benchTyping } from "./typing.ts";

/** The interactive program as a whole process on an emulated terminal. POSIX. */
export async function benchTerminal(smoke: boolean): Promise<Figure[]> {
  if (process.platform === "win32") return [];
  return [
    ...(await benchFirstFrame(smoke ? 1 : 11, smoke ? 100 : 5_000)),
    ...(await benchTyping(smoke ? 10 : 100, smoke ? 100 : 20_000)),
    ...(await benchStreaming(smoke ? 1 : 3, smoke ? [20, 100] : [200, 10_000], smoke ? 300 : 4_000)),
  ];
}
