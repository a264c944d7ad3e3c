import type { LoginScreen } from "../../contract/logins.ts";
import type { FetchLike } from "../../contract/model.ts";
import type { Clock } from "../../contract/services.ts";
import type { LoginService } from "../login-service.ts";
import type { OAuthClient } from "../oauth/oauth-client.ts";

/** What a flow runs with. */
export interface FlowParts {
  service: LoginService;
  client: OAuthClient;
  screen: LoginScreen;
  clock: Clock;
  fetch: FetchLike;
  signal: AbortSignal;
}
