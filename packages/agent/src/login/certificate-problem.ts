/** A certificate that was not accepted, for people. */
export interface CertificateProblem {
  message: string;
  hint: string;
}

const OWN_AUTHORITY =
  "A proxy or virus scanner between here and the service probably signs with its own authority: give its certificate with --ca-cert FILE, or as caCert in your config file.";
const CLOCK =
  "Is the clock of this machine right? If it is, the service's certificate (or that of a proxy in between) has to be renewed.";

/** What the codes of Bun and Node mean, and what to do. */
const PROBLEMS: readonly [RegExp, string, string][] = [
  [
    /^(?:SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER_CERT(?:_LOCALLY)?|UNABLE_TO_VERIFY_LEAF_SIGNATURE)$/,
    "its certificate chain leads to an authority that is not known here",
    OWN_AUTHORITY,
  ],
  [/^DEPTH_ZERO_SELF_SIGNED_CERT$/, "its certificate is signed by itself", OWN_AUTHORITY],
  [/^CERT_HAS_EXPIRED$/, "its certificate has expired", CLOCK],
  [/^CERT_NOT_YET_VALID$/, "its certificate is not valid yet", CLOCK],
  [
    /^(?:ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/,
    "its certificate is for another name",
    "The address leads to another machine: a login page of the network you are in, a wrong name server, or a wrong address in your config file.",
  ],
  [/^CERT_REVOKED$/, "its certificate was revoked", "Do not log in from this network."],
  [/^(?:CERT_|ERR_SSL|ERR_TLS|EPROTO)/, "the encrypted connection was refused", OWN_AUTHORITY],
];

/** The certificate problem that made a request fail; undefined when it failed for another reason. */
export function certificateProblem(thrown: unknown): CertificateProblem | undefined {
  for (let at = thrown, depth = 0; at !== undefined && at !== null && depth < 8; depth++) {
    const code = String((at as { code?: unknown }).code ?? "");
    const found = PROBLEMS.find(([pattern]) => pattern.test(code));
    if (found !== undefined) return { message: `${found[1]} (${code})`, hint: found[2] };
    at = (at as { cause?: unknown }).cause;
  }
  return undefined;
}
