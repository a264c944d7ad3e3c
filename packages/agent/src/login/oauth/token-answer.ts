import { boundedText } from "../../platform/bounded-text.ts";
import { parseObject } from "../../platform/parse-object.ts";

/** No answer with tokens comes near. */
const MOST_BYTES = 1024 * 1024;

/** The answer of a token address, in the form that the standard asks for, and the account that its ID token names. */
export interface TokenAnswer {
  response: Response;
  account?: string;
}

/**
 * Makes up for what services do differently: refusals with status 200 (GitHub), no `token_type` (OpenAI), a challenge beside the
 * error. The ID token is taken out: only the name in it is of use here, and it came straight from the service.
 */
export async function readTokenAnswer(response: Response): Promise<TokenAnswer> {
  const text = await boundedText(response.body, MOST_BYTES);
  const answer = parseObject(text);
  if (answer === null)
    return { response: new Response(text, { status: response.status, headers: plainHeaders(response) }) };
  const { id_token, ...rest } = answer;
  const refused = typeof rest["error"] === "string" && rest["access_token"] === undefined;
  const body = refused ? rest : { token_type: "bearer", ...rest };
  const account = accountOf(id_token);
  return {
    response: Response.json(body, { status: refused && response.ok ? 400 : response.status }),
    ...(account === undefined ? {} : { account }),
  };
}

function plainHeaders(response: Response): Record<string, string> {
  const type = response.headers.get("content-type");
  return type === null ? {} : { "content-type": type };
}

function accountOf(token: unknown): string | undefined {
  try {
    const claims = parseObject(Buffer.from(String(token).split(".")[1] ?? "", "base64url").toString("utf8"));
    const name = claims?.["email"] ?? claims?.["preferred_username"];
    return typeof name === "string" && /^[\x21-\x7e]{1,200}$/.test(name) ? name : undefined;
  } catch {
    return undefined;
  }
}
