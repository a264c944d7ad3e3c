import { errorMessage, PiError, systemCode } from "../../contract/errors.ts";
import type { FetchLike } from "../../contract/model.ts";
import type { Notice } from "../../contract/settings.ts";
import { readSmallFile } from "../../platform/read-small-file.ts";
import { proxyFor } from "./proxy.ts";

export interface FetchOptions {
  /** The environment; only the proxy variables are looked at. */
  environment: Readonly<Record<string, string | undefined>>;
  /** A PEM file of certificates to trust besides the system's. */
  caCert?: string | null;
  /** Do not check certificates. */
  insecure?: boolean;
}

/** Bun's own options of a fetch; `timeout: false` also lifts the limit that ended silent streams after six minutes. */
type BunInit = RequestInit & {
  proxy: string | false;
  timeout: false;
  tls?: { ca?: string[]; rejectUnauthorized?: boolean };
};

/**
 * The one way to model services: proxies as the environment says (never for this machine), extra certificates, no time limit, and
 * no redirect: keys in headers would follow it to another host, so a redirect becomes a refusal that says where it led.
 * Throws PiError `ca_cert` (exit code 2) for a certificate file that cannot be used.
 */
export async function createFetch(options: FetchOptions): Promise<{ fetch: FetchLike; notices: Notice[] }> {
  const notices: Notice[] = [];
  const tls: NonNullable<BunInit["tls"]> = {};
  if (options.caCert) {
    const own = readCertificates(options.caCert);
    const { rootCertificates } = await import("node:tls");
    // a list of ours replaces the system's, so both go in
    tls.ca = [...rootCertificates, own];
  }
  if (options.insecure) {
    tls.rejectUnauthorized = false;
    notices.push({
      level: "warning",
      message:
        "TLS certificates are not checked (insecure): anyone on the way can read and change what is sent",
    });
  }
  const fetchModel: FetchLike = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const complete: BunInit = {
      ...init,
      redirect: "manual",
      timeout: false,
      proxy: proxyFor(url, options.environment),
      ...(Object.keys(tls).length > 0 ? { tls } : {}),
    };
    const response = await fetch(input, complete as RequestInit);
    return isRedirect(response.status) ? refuseRedirect(response, url) : response;
  };
  return { fetch: fetchModel, notices };
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400 && status !== 304;
}

/** The service's own answer cannot be followed; this one has the form of an error that all wires read. */
async function refuseRedirect(response: Response, url: URL): Promise<Response> {
  await response.body?.cancel();
  const location = response.headers.get("location");
  const to = location ? URL.parse(location, url.href) : null;
  const place = to ? `${to.origin}${to.pathname}` : "another address";
  const message = `${url.origin}${url.pathname} redirects to ${place}, which is not followed because the API key would go along`;
  return Response.json(
    { error: { type: "redirect", message } },
    { status: response.status, headers: { "content-type": "application/json" } },
  );
}

function readCertificates(path: string): string {
  let text: string;
  try {
    text = readSmallFile(path);
  } catch (error) {
    throw new PiError({
      code: "ca_cert",
      message: `the certificate file ${path} cannot be read: ${systemCode(error) ?? errorMessage(error)}`,
      hint: "Give the path of a PEM file with --ca-cert, or as caCert in your config file.",
      exitCode: 2,
    });
  }
  if (text.includes("-----BEGIN CERTIFICATE-----")) return text;
  throw new PiError({
    code: "ca_cert",
    message: `${path} holds no certificate in PEM form (no "-----BEGIN CERTIFICATE-----")`,
    hint: "Convert it first, for example: openssl x509 -inform der -in FILE -out FILE.pem",
    exitCode: 2,
  });
}
