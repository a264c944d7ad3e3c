import type { RunnerOptions } from "../../agent/options.ts";
import { Runner } from "../../agent/runner.ts";
import type { AgentEvent } from "../../contract/events.ts";
import type { UserMessage } from "../../contract/messages.ts";
import type { ExtensionHost } from "../../extension/pi/host/extension-host.ts";

/** A runner whose runs have extensions around them. */
export class ExtensionRunner extends Runner {
  readonly #host: () => ExtensionHost;

  constructor(options: RunnerOptions, host: () => ExtensionHost) {
    super(options);
    this.#host = host;
  }

  override run(input: UserMessage | null, signal: AbortSignal): AsyncIterable<AgentEvent> {
    return this.#host().run((message, stop) => super.run(message, stop), input, signal);
  }

  override compact(request: { focus?: string; signal: AbortSignal }): AsyncIterable<AgentEvent> {
    return this.#host().compaction(super.compact(request), request.signal);
  }
}
