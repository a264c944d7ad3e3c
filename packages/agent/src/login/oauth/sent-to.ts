import { PiError } from "../../contract/errors.ts";
import { isLoopback } from "../../platform/loopback.ts";

/** A code beyond this is nothing that a person types. */
const MOST_CODE = 64;

/**
 * An address that a service wants a person's browser at, in the form that browsers take. Throws a PiError `login_answer` for what would
 * open a file or another program, or go there unencrypted.
 */
export function pageAddress(provider: string, address: string): string {
  const url = URL.parse(address);
  if (url !== null && (url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname))))
    return url.href;
  throw unusable(provider, `an address that is no encrypted page: ${JSON.stringify(address.slice(0, 200))}`);
}

/** A code that a person is to type in. Throws a PiError `login_answer` for one that cannot be typed or shown as it is. */
export function typedCode(provider: string, code: string): string {
  if (code.length <= MOST_CODE && /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/.test(code)) return code;
  throw unusable(provider, "a code that nobody can type in");
}

function unusable(provider: string, what: string): PiError {
  return new PiError({
    code: "login_answer",
    message: `${provider} gave ${what}`,
    hint: `Nothing was opened. Check the addresses of oauth.${provider} in your config file.`,
  });
}
