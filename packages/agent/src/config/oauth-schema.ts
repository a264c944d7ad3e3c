import type { JsonSchema } from "../contract/json.ts";
import { address, closed, name, textMap } from "./schema-parts.ts";

/** The schema of `oauth{}`. */
export const oauthSchema: JsonSchema = {
  type: "object",
  description: "How pi logs in to model services, by provider (see docs/login.md). Not read from a project.",
  properties: {
    store: {
      type: "string",
      enum: ["file", "keychain"],
      description: "Where tokens are kept: a private file of pi, or the keychain of the system.",
    },
  },
  additionalProperties: closed("One login service.", {
    clientId: { ...name, description: "Of the client that you registered with the service." },
    clientSecret: { ...name, description: "The secret itself, or $NAME for a variable." },
    issuer: { ...address, description: "Where the service's addresses are found (RFC 8414, OpenID)." },
    authorizeUrl: { ...address, description: "Where the browser is sent, if the issuer does not tell." },
    tokenUrl: { ...address, description: "Where tokens are asked for, if the issuer does not tell." },
    deviceUrl: { ...address, description: "For the device flow." },
    revokeUrl: { ...address, description: "For pi logout." },
    flow: {
      type: "string",
      enum: ["browser", "device"],
      description: "What pi login does if it is not told.",
    },
    scopes: { type: "array", items: name, description: "What is asked for." },
    redirectUrl: {
      ...address,
      description: "If the service takes one only: on this machine, or a page that shows a code to paste.",
    },
    redirectPort: {
      type: "integer",
      minimum: 1,
      maximum: 65_535,
      description: "Port of http://127.0.0.1/callback; without it any that is free.",
    },
    parameters: { ...textMap, description: "Further parameters of the authorisation address." },
    tokenFormat: {
      type: "string",
      enum: ["form", "json"],
      description: "How the token address is spoken to; form if not given.",
    },
    baseUrl: { ...address, description: "Where requests with the token go; the provider's if not given." },
    header: { ...name, description: "The header of the token; Authorization if not given." },
    scheme: { type: "string", description: "What stands before the token; Bearer if not given." },
  }),
  default: {},
};
