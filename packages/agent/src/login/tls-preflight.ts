import { PiError } from "../contract/errors.ts";
import type { FetchLike } from "../contract/model.ts";
import type { Clock } from "../contract/services.ts";
import { certificateProblem } from "./certificate-problem.ts";
import { within } from "./deadline.ts";

const PATIENCE_MS = 4_000;
/** Below it a clock does no harm: tokens are renewed five minutes early. */
const MOST_SKEW_MS = 5 * 60_000;

/**
 * Asks the service for nothing, on the way that the login will take (proxy, certificates), before a person is sent out to it. Throws a
 * PiError `login_tls` for a certificate that is not accepted; all else shows when it is asked for something. Gives what is wrong
 * with this machine's clock, for people, or null.
 */
export async function tlsPreflight(
  address: string,
  { fetch, clock, signal }: { fetch: FetchLike; clock: Clock; signal?: AbortSignal },
): Promise<string | null> {
  const { origin, protocol } = new URL(address);
  if (protocol !== "https:") return null;
  const late = () => new PiError({ code: "login_network", message: `${origin} does not answer` });
  let response: Response;
  try {
    response = await within({ clock, ms: PATIENCE_MS, signal, late }, (stop) =>
      fetch(origin, { method: "HEAD", signal: stop }),
    );
  } catch (thrown) {
    const problem = certificateProblem(thrown);
    if (problem === undefined) return null;
    throw new PiError({
      code: "login_tls",
      message: `${origin}: ${problem.message}`,
      hint: problem.hint,
      cause: thrown,
    });
  }
  await response.body?.cancel();
  return skewOf(response, origin, clock.now());
}

function skewOf(response: Response, origin: string, now: number): string | null {
  const there = Date.parse(response.headers.get("date") ?? "");
  const off = Math.abs(there - now);
  if (!(off > MOST_SKEW_MS)) return null;
  return `the clock of this machine and that of ${origin} are ${Math.round(off / 60_000)} minutes apart; set it right if requests are refused`;
}
