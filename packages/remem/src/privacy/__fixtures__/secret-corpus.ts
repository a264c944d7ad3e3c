import { BASE62, BASE64, BASE64URL, type Chance, chance, DIGITS, HEX, LETTERS, LOWER, UPPER } from "./chance.ts";

/** A text with a secret in it. */
export interface PlantedSecret {
  readonly kind: string;
  readonly secret: string;
  readonly text: string;
}

/** Makes a secret; with `around`, how it is written down, `@@` being its place. */
interface SecretKind {
  readonly kind: string;
  readonly make: (chance: Chance) => string;
  readonly around?: readonly string[];
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const base64url = (text: string): string => Buffer.from(text).toString("base64url");
const password = (c: Chance): string =>
  `${c.text(UPPER, 1)}${c.text(LOWER, 5)}${c.text(DIGITS, 2)}${c.pick(["!", "#", "%", "+"])}${c.text(LETTERS, 2)}`;

const tokens = (entries: Readonly<Record<string, (c: Chance) => string>>): SecretKind[] =>
  Object.entries(entries).map(([kind, make]) => ({ kind, make }));

/** Prefixes are apart from what follows them, so that no scanner of repositories takes this file for a leak. */
const KINDS: readonly SecretKind[] = [
  ...tokens({
    "aws access key": (c) => "AK" + "IA" + c.text(`${UPPER}234567`, 16),
    "github classic": (c) => "gh" + "p_" + c.text(BASE62, 36),
    "github app": (c) => "gh" + "s_" + c.text(BASE62, 36),
    "github fine-grained": (c) => "github" + "_pat_" + c.text(BASE62, 22) + "_" + c.text(BASE62, 59),
    gitlab: (c) => "gl" + "pat-" + c.text(BASE64URL, 20),
    anthropic: (c) => "sk-" + "ant-api03-" + c.text(BASE64URL, 93) + "AA",
    "openai project": (c) => "sk-" + "proj-" + c.text(BASE64URL, 74) + "T3Blbk" + "FJ" + c.text(BASE64URL, 74),
    "openai classic": (c) => "sk-" + c.text(BASE62, 20) + "T3Blbk" + "FJ" + c.text(BASE62, 20),
    openrouter: (c) => "sk-" + "or-v1-" + c.text(HEX, 64),
    stripe: (c) => "sk_" + "live_" + c.text(BASE62, 24),
    "stripe webhook": (c) => "wh" + "sec_" + c.text(BASE62, 32),
    "slack bot": (c) => "xo" + "xb-" + c.text(DIGITS, 12) + "-" + c.text(DIGITS, 12) + "-" + c.text(BASE62, 24),
    "google api": (c) => "AI" + "za" + c.text(BASE64URL, 35),
    "google client secret": (c) => "GOC" + "SPX-" + c.text(BASE64URL, 28),
    "google oauth": (c) => "ya" + "29." + c.text(BASE64URL, 120),
    huggingface: (c) => "hf" + "_" + c.text(LETTERS, 34),
    npm: (c) => "np" + "m_" + c.text(BASE62, 36),
    pypi: (c) => "py" + "pi-AgEIcHlwaS5vcmc" + c.text(BASE64URL, 100),
    rubygems: (c) => "ruby" + "gems_" + c.text(HEX, 48),
    sendgrid: (c) => "S" + "G." + c.text(BASE64URL, 22) + "." + c.text(BASE64URL, 43),
    mailgun: (c) => "ke" + "y-" + c.text(HEX, 32),
    mailchimp: (c) => c.text(HEX, 32) + "-u" + "s" + (1 + c.number(20)),
    twilio: (c) => "S" + "K" + c.text(HEX, 32),
    telegram: (c) => c.text("123456789", 9) + ":A" + "A" + c.text(BASE64URL, 33),
    discord: (c) => "M" + c.text(BASE62, 23) + "." + c.text(BASE62, 6) + "." + c.text(BASE62, 38),
    digitalocean: (c) => "do" + "p_v1_" + c.text(HEX, 64),
    shopify: (c) => "shp" + "at_" + c.text(HEX, 32),
    vault: (c) => "hv" + "s." + c.text(BASE64URL, 95),
    databricks: (c) => "da" + "pi" + c.text(HEX, 32),
    docker: (c) => "dckr" + "_pat_" + c.text(BASE64URL, 27),
    figma: (c) => "fi" + "gd_" + c.text(BASE64URL, 43),
    linear: (c) => "lin" + "_api_" + c.text(BASE62, 40),
    notion: (c) => "nt" + "n_" + c.text(DIGITS, 11) + c.text(BASE62, 35),
    grafana: (c) => "gl" + "sa_" + c.text(BASE62, 32) + "_" + c.text(HEX, 8),
    vercel: (c) => "vc" + "p_" + c.text(BASE62, 56),
    groq: (c) => "gs" + "k_" + c.text(BASE62, 52),
    xai: (c) => "xa" + "i-" + c.text(BASE62, 80),
    perplexity: (c) => "pp" + "lx-" + c.text(BASE62, 48),
    replicate: (c) => "r8" + "_" + c.text(BASE62, 37),
    sentry: (c) => "sntr" + "ys_" + c.text(BASE64URL, 80),
    atlassian: (c) => "AT" + "ATT3" + c.text(BASE64URL, 180),
    "azure client secret": (c) => c.text(BASE62, 3) + "8" + "Q~" + c.text(BASE62, 34),
    alibaba: (c) => "LT" + "AI" + c.text(BASE62, 20),
    supabase: (c) => "sb" + "p_" + c.text(HEX, 40),
    tailscale: (c) => "ts" + "key-auth-" + c.text(BASE62, 12) + "-" + c.text(BASE62, 30),
    "age key": (c) => "AGE-SECRET" + "-KEY-1" + c.text(`${UPPER}${DIGITS}`, 58),
    airtable: (c) => "pa" + "t" + c.text(BASE62, 14) + "." + c.text(HEX, 64),
    jwt: (c) =>
      `${base64url(`{"alg":"HS256","typ":"JWT"}`)}.${base64url(`{"sub":"${c.text(DIGITS, 10)}","admin":true}`)}.${c.text(BASE64URL, 43)}`,
    "random base62": (c) => c.text(BASE62, 40),
    "random base64": (c) => `${c.text(BASE64, 43)}=`,
  }),
  {
    kind: "aws secret key",
    make: (c) => c.text(BASE64, 40),
    around: ["aws_secret_access_key = @@", "AWS_SECRET_ACCESS_KEY=@@", `"secretAccessKey": "@@",`],
  },
  {
    kind: "pem",
    make: (c) =>
      `-----BEGIN RSA PRI${"VATE KEY"}-----\n${Array.from({ length: 6 }, () => c.text(BASE64, 64)).join("\n")}\n-----END RSA PRI${"VATE KEY"}-----`,
    around: ["@@", "cat key.txt\n@@\ndone"],
  },
  {
    kind: "pem in json",
    make: (c) =>
      `-----BEGIN PRI${"VATE KEY"}-----\\n${Array.from({ length: 4 }, () => c.text(BASE64, 64)).join("\\n")}\\n-----END PRI${"VATE KEY"}-----\\n`.slice(
        0,
        -2,
      ),
    around: [`{"type": "service_account", "private_key": "@@\\n", "client_id": "1"}`],
  },
  {
    kind: "pem without end",
    make: (c) =>
      `-----BEGIN OPENSSH PRI${"VATE KEY"}-----\n${Array.from({ length: 3 }, () => c.text(BASE64, 70)).join("\n")}`,
    around: ["@@\n[output cut]"],
  },
  {
    kind: "env password",
    make: password,
    around: ["DB_PASSWORD=@@", "export POSTGRES_PASSWORD=@@", `REDIS_PASSWORD="@@"`, "docker run -e MYSQL_ROOT_PASSWORD=@@ db"],
  },
  {
    kind: "env secret",
    make: (c) => c.text(HEX, 32),
    around: ["SESSION_SECRET=@@", "JWT_SECRET='@@'", "API_KEY=@@", "export STRIPE_WEBHOOK_SECRET=@@", "ENCRYPTION_KEY: @@"],
  },
  { kind: "yaml password", make: password, around: ["  password: @@", "db:\n  user: app\n  passwd: '@@'\n"] },
  {
    kind: "code password",
    make: password,
    around: [`const client = connect({ user: "app", password: "@@" });`, `dbPassword = '@@'`, `{"username":"a","password":"@@"}`],
  },
  {
    kind: "code token",
    make: (c) => c.text(BASE62, 24),
    around: [`const apiKey = "@@";`, `{"accessToken": "@@"}`, `authToken: '@@',`, `clientSecret := "@@"`],
  },
  {
    kind: "prose password",
    make: password,
    around: ["The admin password is @@", "password was changed to @@ yesterday", "my password: @@", "Das Passwort lautet @@"],
  },
  {
    kind: "prose password in Chinese",
    make: (c) => `${c.text(LOWER, 5)}${c.text(DIGITS, 4)}`,
    around: ["数据库的密码是 @@", "密码：@@", "登录密码为@@。"],
  },
  { kind: "prose password in Russian", make: password, around: ["пароль: @@", "Пароль — это пароль: @@"] },
  {
    kind: "bearer header",
    make: (c) => c.text(BASE62, 40),
    around: ["Authorization: Bearer @@", `curl -H "authorization: bearer @@" https://api.test`, `{"Authorization":"Bearer @@"}`],
  },
  {
    kind: "basic header",
    make: (c) => base64(`admin:${password(c)}`),
    around: ["Authorization: Basic @@", "> proxy-authorization: Basic @@"],
  },
  { kind: "token header", make: (c) => c.text(HEX, 40), around: ["Authorization: token @@", "x-api-key: @@", "X-Auth-Token: @@"] },
  {
    kind: "url password",
    make: (c) => c.text(BASE62, 14),
    around: [
      "postgres://app:@@@db.internal:5432/shop",
      "DATABASE_URL=mysql://root:@@@localhost/shop",
      "git clone https://me:@@@github.com/acme/shop.git",
      "redis://:@@@cache:6379/0",
      "mongodb+srv://svc:@@@cluster0.mongodb.net/test",
      "amqp://guest:@@@mq:5672",
    ],
  },
  { kind: "url token", make: (c) => c.text(HEX, 40), around: ["https://@@@github.com/acme/shop.git", "https://@@:x-oauth-basic@github.com/a/b"] },
  {
    kind: "url parameter",
    make: (c) => c.text(BASE62, 32),
    around: ["GET /v1/items?api_key=@@&page=2", "https://api.test/x?token=@@", "https://cdn.test/a.png?sig=@@", "https://x.test/cb#access_token=@@&type=bearer"],
  },
  { kind: "cookie", make: (c) => c.text(HEX, 32), around: ["Cookie: theme=dark; sessionid=@@; lang=en", "Set-Cookie: sid=@@; Path=/; HttpOnly"] },
  {
    kind: "connection string",
    make: (c) => `${c.text(BASE64, 86)}==`,
    around: ["DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=@@;EndpointSuffix=core.windows.net", "Endpoint=sb://x.test/;SharedAccessKeyName=root;SharedAccessKey=@@"],
  },
  { kind: "ado password", make: password, around: ["Server=db;Database=shop;User Id=sa;Password=@@;Encrypt=true"] },
  {
    kind: "slack webhook",
    make: (c) => `T${c.text(BASE62, 8)}/B${c.text(BASE62, 8)}/${c.text(BASE62, 24)}`,
    around: [`https://hooks.sl${"ack.com"}/services/@@`],
  },
  {
    kind: "discord webhook",
    make: (c) => `${c.text(DIGITS, 18)}/${c.text(BASE64URL, 68)}`,
    around: [`https://disc${"ord.com"}/api/webhooks/@@`],
  },
  { kind: "password hash", make: (c) => `$2b$${"12$"}${c.text(BASE62, 53)}`, around: ["admin:@@", `"hash": "@@"`] },
  { kind: "shadow hash", make: (c) => `$6$${c.text(BASE62, 8)}$${c.text(BASE62, 86)}`, around: ["root:@@:19000:0:99999:7:::"] },
  { kind: "curl user", make: password, around: ["curl -u admin:@@ https://api.test/x", "curl -s --user deploy:@@ https://x.test"] },
  { kind: "command flag", make: password, around: ["tool login --password @@", "app --api-token=@@ run", "sshpass -p @@ ssh host"] },
  {
    kind: "password among words",
    make: (c) => `S${c.pick(["3", "4", "7"])}cr${c.pick(["3", "8"])}tP${c.pick(["4", "9"])}ss`,
    around: [
      "use password @@ for staging",
      "ssh to the host as bob, password: @@",
      "the admin user is bob, pass @@",
      "my credentials are bob:@@",
      "login: bob / @@",
      "mot de passe : @@",
      "wachtwoord: @@",
      "hasło: @@",
      "password:\n@@",
      "| password | @@ |",
      "await page.setPassword('@@')",
      "--password @@",
      "echo @@ | sudo -S apt install jq",
      "echo 'bob:@@' | sudo chpasswd",
    ],
  },
  {
    kind: "passphrase",
    make: () => "correct horse battery staple",
    around: ["passphrase: @@", `password = "@@"`, "the wifi password is @@."],
  },
  {
    kind: "recovery phrase in a sentence",
    make: () => "abandon ability able about above absent absorb abstract absurd abuse access accident",
    around: ["my seed phrase is: @@"],
  },
  { kind: "token among words", make: (c) => c.text(HEX, 32), around: ["the API key @@ works", "use token @@ for that"] },
  { kind: "pin", make: () => "839201", around: ["my PIN is @@", "The pin code is @@"] },
  { kind: "netrc", make: password, around: ["machine api.test login me password @@"] },
  { kind: "npmrc", make: (c) => c.text(HEX, 36), around: ["//registry.test/:_authToken=@@", "_auth = @@"] },
  {
    kind: "markup",
    make: password,
    around: ["<password>@@</password>", `<add key="DbPassword" value="@@" />`, "password: |\n  @@\n", "Password for admin: @@"],
  },
  {
    kind: "sql",
    make: password,
    around: ["CREATE USER app IDENTIFIED BY '@@'", "ALTER ROLE app WITH PASSWORD '@@';"],
  },
  {
    kind: "nested assignment",
    make: password,
    around: ["kubectl create secret generic x --from-literal=password=@@", `$env:DB_PASSWORD = "@@"`, "PGPASSWORD=@@ psql", "ADMIN_PW=@@"],
  },
  { kind: "login pair", make: password, around: [`requests.get(url, auth=("admin", "@@"))`] },
  {
    kind: "dockerfile",
    make: (c) => c.text(BASE62, 24),
    around: ["FROM node\nENV API_TOKEN @@\nRUN npm ci"],
  },
  {
    kind: "path of chance",
    make: (c) => c.text(BASE62, 40),
    around: ["https://shop.test/reset/@@", "GET /v1/invite/@@/accept 200"],
  },
  {
    kind: "recovery phrase",
    make: (c) => Array.from({ length: 12 }, () => c.pick(["apple", "river", "stone", "cloud", "tiger", "lamp", "violin"])).join(" "),
    around: [`mnemonic: "@@"`, "seed phrase is @@"],
  },
  { kind: "kubernetes secret", make: (c) => base64(`password=${password(c)}`), around: ["data:\n  app.conf: @@"] },
  { kind: "encoded token", make: (c) => base64(`gh${"p_"}${c.text(BASE62, 36)}`), around: ["echo @@ | base64 -d", "blob @@"] },
];

/** How a token without a name of its own turns up. */
const AROUND: readonly string[] = [
  "@@",
  "401 Unauthorized: invalid key @@ for this project",
  "const key = '@@'",
  "the user pasted @@ into the chat",
  "export SOME_VARIABLE=@@",
  "├── log\n│   using (@@)\n",
];

/** At least three of each kind, the same in every run. */
export function secretCorpus(seed = 7): PlantedSecret[] {
  const c = chance(seed);
  return KINDS.flatMap(({ kind, make, around = AROUND }) =>
    Array.from({ length: Math.max(3, around.length) }, (_, index) => {
      const secret = make(c);
      return { kind, secret, text: around[index % around.length]!.replace("@@", () => secret) };
    }),
  );
}
