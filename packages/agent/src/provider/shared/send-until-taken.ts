import type { ModelError, ProviderSettings } from "../../contract/model.ts";
import type { Exchange } from "./exchange.ts";
import { RequestFailure, requestError } from "./request-error.ts";

/** True when something was learned from a refusal, so that the request, encoded anew, is worth one more try. `sent` is its JSON. */
export type Learn = (error: ModelError, sent: string) => boolean;

/** One try: the body as it will be sent, over which exchange, and the sending, which may throw anything. */
export interface Attempt<Stream> {
  exchange: Exchange;
  body: unknown;
  send: () => Promise<Stream>;
}

/**
 * Sends a request, and sends it again for as long as `learn` gets wiser by the refusals. `attempt` encodes it anew for each
 * try. Throws a {@link RequestFailure} with the last refusal.
 */
export async function sendUntilTaken<Stream>(
  settings: ProviderSettings,
  signal: AbortSignal,
  learn: Learn,
  attempt: () => Promise<Attempt<Stream>>,
): Promise<Stream> {
  for (;;) {
    const { exchange, body, send } = await attempt();
    try {
      return await send();
    } catch (thrown) {
      const error = requestError(thrown, settings, exchange);
      if (signal.aborted || !learn(error, JSON.stringify(body))) throw new RequestFailure(error);
    }
  }
}
