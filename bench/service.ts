import { join } from "node:path";
import type { StreamPlan } from "./model-service.ts";

/** A running {@link file://./model-service.ts}. */
export interface BenchService extends AsyncDisposable {
  url: string;
  /** Of the last request: bytes of its body, and how many tools it declared. */
  last(): Promise<{ bytes: number; tools: number }>;
  /** Lets a stream of {@link streamPrompt} go on. */
  go(): Promise<void>;
}

/** Starts the model service of the benchmarks as a process of its own. */
export async function benchService(): Promise<BenchService> {
  const child = Bun.spawn([process.execPath, "--no-env-file", join(import.meta.dir, "model-service.ts")], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  const { value } = await child.stdout.getReader().read();
  const url = new TextDecoder().decode(value).trim();
  return {
    url,
    last: async () => (await (await fetch(`${url}/last`)).json()) as { bytes: number; tools: number },
    go: async () => {
      await fetch(`${url}/go`, { method: "POST" });
    },
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.exited;
    },
  };
}

/** A prompt that makes the service ask for these calls, one an answer. */
export function prompt(calls: readonly { name: string; input: object }[]): string {
  return `bench:${JSON.stringify({ calls })}:end`;
}

/** A prompt that makes the service answer with a long text; it stops after the first piece until {@link BenchService.go}. */
export function streamPrompt(stream: StreamPlan): string {
  return `bench:${JSON.stringify({ stream })}:end`;
}
