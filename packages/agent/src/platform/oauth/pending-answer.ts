import { PiError } from "../../contract/errors.ts";

/** The answer to one question that a browser was sent out with: what comes back is believed only with the right `state`. */
export interface PendingAnswer {
  /** The parameters of the answer; rejects with a PiError when the service says that it was refused. */
  readonly answered: Promise<URLSearchParams>;
  /** The answer is a code that a person typed in, without the words of the service beside it. */
  readonly bare: boolean;
  /** What came to the callback address. False: it is no answer to this question. */
  accept(params: URLSearchParams): boolean;
  /**
   * What a person typed in: the address that the browser ended at, its query, or `code#state`; with `bareCode` also the code
   * alone, which PKCE binds to this login. False: it is no answer to this question.
   */
  take(text: string): boolean;
}

export interface PendingAnswerOptions {
  state: string;
  /** `code` of the error for a refusal. */
  errorCode: string;
  bareCode?: boolean;
}

/** Opens a question. Whoever no longer waits for its answer need not catch it. */
export function pendingAnswer({ state, errorCode, bareCode = false }: PendingAnswerOptions): PendingAnswer {
  const { promise, resolve, reject } = Promise.withResolvers<URLSearchParams>();
  promise.catch(() => undefined);
  let bare = false;

  function accept(params: URLSearchParams): boolean {
    if (params.get("state") !== state) return false;
    if (params.get("code")) resolve(params);
    else if (params.get("error")) reject(refused(params, errorCode));
    else return false;
    return true;
  }

  function take(text: string): boolean {
    const typed = text.trim();
    const url = URL.parse(typed);
    if (url !== null && /^https?:$/.test(url.protocol)) return accept(url.searchParams);
    if (/^\??[\w.-]+=[^\s]*$/.test(typed) && typed.includes("state="))
      return accept(new URLSearchParams(typed.replace(/^\?/, "")));
    const [, code, tail] = /^([^\s#?&=]+={0,2})(?:#(\S+))?$/.exec(typed) ?? [];
    if (code === undefined || (tail === undefined && !bareCode)) return false;
    bare = accept(new URLSearchParams({ code, state: tail ?? state }));
    return bare;
  }

  return {
    answered: promise,
    accept,
    take,
    get bare() {
      return bare;
    },
  };
}

function refused(params: URLSearchParams, code: string): PiError {
  // Text of another machine: bounded, and only its plain letters.
  const plain = (name: string) => (params.get(name) ?? "").replace(/[^\w .,:;'/-]/g, "").slice(0, 200);
  const description = plain("error_description");
  return new PiError({
    code,
    message: `the service did not authorise pi (${plain("error")}${description === "" ? "" : `: ${description}`})`,
  });
}
