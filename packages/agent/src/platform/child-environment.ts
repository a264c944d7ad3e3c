/** What the programs that we start may see of our environment: everything but secrets and what steers ourselves. */

import { KEY_FORM } from "./key-forms.ts";

/** Settings of {@link childEnvironment}. */
export interface ChildEnvironmentOptions {
  /** Names that pass although they look like secrets; `*` stands for any text (`NPM_*`). From the user's config only. */
  allow?: readonly string[];
  /** Secrets known by value (keys in use): a variable that contains one is removed whatever its name. */
  secretValues?: readonly string[];
}

/** Names of secrets, compared in upper case. Values are not looked at: `SECRETARY=ann` is kept, `DB_PASSWORD=` is not. */
const SECRET_NAME = new RegExp(
  [
    "(^|_)(API_?KEYS?|ACCESS_?KEYS?|PRIVATE_?KEY|ENCRYPTION_KEY|SIGNING_KEY|ACCOUNT_KEY|STORAGE_KEY)(_ID|_FILE|_PATH|_[0-9]+)?$",
    "(^|_)(TOKEN|API_TOKENS|PAT|JWT|APIKEY)(_FILE|_[0-9]+)?$",
    "(^|_)(SECRETS?|CLIENTSECRET)(_|$)",
    "(^|_)(PASSWORD|PASSWD|PASSPHRASE|PWD_SECRET|PGPASSWORD)(_FILE|_[0-9]+)?$|^(PGPASSWORD|MYSQL_PWD|REDISCLI_AUTH|SSHPASS)$",
    "(^|_)(CREDENTIALS?|AUTH_?HEADER|AUTHORIZATION|BEARER|CONNECTION_STRING|SAS)(_JSON|_FILE|_PATH)?$",
    "^(AWS_WEB_IDENTITY_TOKEN_FILE|AWS_CONTAINER_.*|GOOGLE_APPLICATION_CREDENTIALS.*)$",
    "^(NPM_CONFIG__AUTH|NPM_CONFIG_.*AUTHTOKEN|.*_AUTH_TOKEN.*|VAULT_.*ID|ACTIONS_ID_TOKEN_REQUEST_.*)$",
  ].join("|"),
);

const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;

/** What steers Bun or pi itself and must not reach a command that happens to use them, too. The user's NODE_OPTIONS are for their tools. */
const OURS = /^(BUN_OPTIONS|BUN_BE_BUN|BUN_INSPECT.*|NODE_CHANNEL_FD|PI_[A-Z_]+)$/;

/**
 * A copy of `environment` without secrets (by name, by known value, by the form of the value) and without our own
 * variables. Never throws.
 */
export function childEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  options: ChildEnvironmentOptions = {},
): Record<string, string> {
  const allowed = (options.allow ?? []).map(namePattern);
  const values = (options.secretValues ?? []).filter((value) => value.length >= 8);
  const child: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined) continue;
    const passes =
      allowed.some((pattern) => pattern.test(name)) ||
      !(OURS.test(name) || isSecret(name, value) || values.some((secret) => value.includes(secret)));
    if (passes) child[name] = value;
  }
  return child;
}

function isSecret(name: string, value: string): boolean {
  return SECRET_NAME.test(name.toUpperCase()) || KEY_FORM.test(value) || PRIVATE_KEY.test(value);
}

function namePattern(glob: string): RegExp {
  const escaped = glob.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replace(/\*/g, ".*");
  return new RegExp(`^${escaped}$`);
}
