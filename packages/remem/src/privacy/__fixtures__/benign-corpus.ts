import { BASE62, BASE64, chance, HEX, LOWER, UPPER } from "./chance.ts";

/** Sentences and lines that a filter of names and long words takes for secrets. */
const WRITTEN = `docs/adr/0015-treat-retrieved-memory-as-untrusted-data
feature/JIRA-1234-move-auth-to-gateway
packages/ui/src/components/DataTable/useColumnResize
OPENAI_BASE_URL_OVERRIDE_FOR_TESTING_V2
The staging password is stored in Vault
We decided the access token is refreshed in middleware
All tests pass: 774 of 774
The password is hashed with argon2id before it is saved
The token is valid for 3600s and then refreshed
Use a token bucket with 100 tokens per second
password: string;
password: z.string().min(8),
token: req.headers["x-token"],
const token = await getToken(user.id);
const apiKey = process.env.API_KEY;
api_key = os.environ["OPENAI_API_KEY"]
API_KEY=your-api-key-here
API_KEY=<your key>
OPENAI_API_KEY=sk-...
DB_PASSWORD=\${DB_PASSWORD}
DB_PASSWORD=$(cat /run/secrets/db)
PASSWORD_FILE=/run/secrets/db_password
MAX_TOKENS=4096
maxTokens: 128000,
tokens_used=18234
secretName: database-credentials
secretKeyRef: { name: db, key: password }
primary_key=user_id
key: build-\${{ runner.os }}-node
keyPath: "createdAt"
sort_key = created_at
foreign_key: customer_id
publicKey: keys.public
if (password.length < 12) throw new Error("too short");
expect(screen.getByLabelText("Password")).toBeVisible();
<input type="password" name="password" autocomplete="current-password">
passwordResetTokenExpiresInMinutes: 30
function refreshAccessToken(clientId, clientSecret) {
the secret of good tests is that they fail
He is the key person for the token service
auth: true
auth: { strategy: "jwt", expiresIn: "15m" }
Authorization: Bearer <token>
Authorization: Bearer $TOKEN
curl -H "Authorization: Bearer \${GITHUB_TOKEN}" https://api.github.com/user
The Authorization header is missing
Bearer authentication is used by the gateway
basic authentication is disabled in production
https://github.com/acme/shop/pull/1234/files#diff-3f2a
https://user@github.com/acme/shop.git
git@github.com:acme/shop.git
ssh://git@github.com:22/acme/shop.git
postgres://localhost:5432/shop
postgres://app:\${PASSWORD}@db:5432/shop
http://localhost:3000/login?next=/home&token=
GET /items?page=2&sort=created_at&key=name
?code=404
npm ERR! code ERESOLVE
react@18.2.0
"@types/node@20.11.5"
icon@2x.png
user@example.com
noreply@github.com
@acme/shop-ui@1.2.3-beta.4
127.0.0.1:8080
10.0.0.12
192.168.1.1/24
version 1.2.3.4
2026-11-30T17:43:51.123Z
2026-11-30 17:43:51
20261130174351
0x7fff5fbff8c0
line 1234567890 of 9876543210
+1234567890
-1234567890
@@ -120,7 +120,9 @@ export function main() {
1,234,567.89
Duration: 00:12:34.567
pid 123456, tid 140735204, addr 0x00007f8a9c000000
Segmentation fault at 0x0000000000000018
PASS packages/agent/src/tools/edit/edit.test.ts (12 tests) 1234ms
✓ keeps the line endings of the file [A-TOOL-03] [12.34ms]
Ran 774 tests across 96 files. [41.23s]
error TS2345: Argument of type 'string | undefined' is not assignable to parameter of type 'string'.
warning: unused variable: \`token_stream\`
thread 'main' panicked at src/main.rs:42:13
    at Object.<anonymous> (/home/me/shop/node_modules/jest-circus/build/legacy-code-todo-rewrite/jestAdapter.js:79:19)
Caused by: java.lang.IllegalStateException: AuthenticationProviderManagerDelegatingFilterProxyRegistrationBean2
org.springframework.security.config.annotation.web.configurers.oauth2.server.resource.OAuth2ResourceServerConfigurer
com/example/shop/authentication/PasswordEncoderFactoriesConfiguration2Test
AbstractAuthenticationTokenMixinBuilderFactory
getServerSideAuthenticationTokenFromCookieOrHeaderV2
use_server_side_authentication_token_from_cookie_or_header_v2
USE_SERVER_SIDE_AUTHENTICATION_TOKEN_FROM_COOKIE_V2
NSAttributedStringDocumentReadingOptionKey2
node_modules/.pnpm/@babel+plugin-transform-react-jsx@7.23.4_@babel+core@7.23.7/node_modules
_ZN4core3fmt9Formatter15debug_lower_hex17h0123456789abcdefE
Kubernetes1DeploymentReplicaSetPodTemplateSpecV1
arn:aws:iam::123456789012:role/service-role/shop-deploy
us-east-1.console.aws.amazon.com
projects/shop-prod/locations/europe-west3/clusters/main
gs://shop-prod-artifacts/builds/2026/11/30/app.tar.gz
s3://bucket/path/to/some/very/long/key/name/with/many/parts/file.parquet
sha256:${"0123456789abcdef".repeat(4)}
!function(e,t){"object"==typeof exports&&"undefined"!=typeof module?module.exports=t():e.x=t()}(this,function(){
var a=function(e){return e&&e.__esModule?e:{default:e}},b=Object.getOwnPropertyDescriptor;
"mappings":"AAAA,SAASA,EAAT,CAAcC,EAAd,EAA0B;EACxB,OAAOA,EAAI,CAAX;AACD"
.css-1q2w3e4r5t{display:flex;margin:0 auto}
<svg viewBox="0 0 24 24"><path d="M12 2C6.48 2 2 6.48 2 12s4.48 10 10 10 10-4.48 10-10S17.52 2 12 2z"/></svg>
d="M10.5 3.75a6.75 6.75 0 1 0 0 13.5 6.75 6.75 0 0 0 0-13.5ZM2.25 10.5a8.25 8.25 0 1 1 14.59 5.28l4.69 4.69"
color: #ff00aa; background: #1a2b3c4d
rgba(255, 255, 255, 0.87)
U+200B and U+FEFF are removed
1f3f4 e0067 e0062 e0065
我们决定把登录服务迁移到网关，令牌在中间件里刷新。
密码存放在保险库中，不写进代码。
请用 pnpm 安装依赖，然后运行测试。
数据库密码由运维团队保管
密码是加密的
パスワードは暗号化されています
비밀번호는 암호화되어 저장됩니다
Пароль хранится в хранилище секретов
Das Passwort ist im Tresor hinterlegt
La contraseña es obligatoria
O token é renovado automaticamente
Le mot de passe est chiffré
مرحبا بالعالم، كلمة المرور محفوظة
می‌خواهم این پروژه را ببینم
नमस्ते दुनिया, क्‍या हाल है
👨‍👩‍👧 family and 🏴‍☠️ pirate and ❤️ heart
é ö ü ß œ
ssh-rsa public keys may be shared
ETag: "33a64df551425fcc55e4d42a148795d9f25f89d4"
index 3f2a1b4..9c8d7e6 100644
Merge branch 'feature/token-refresh' into main
commit fixes #1234, see also GH-5678
Co-authored-by: renovate[bot]
CVE-2026-12345 and GHSA-abcd-1234-efgh
ISO 8601, RFC 6749, PKCS#8, X.509
credit card form component
phone: string
tel: input type
Call 911
ids: 1, 2, 3, 5, 8, 13, 21, 34, 55, 89
1111 2222 3333 4444
123-456
555-0100
2026-11-30
12/31/2026
000-00-0000
DE00 0000 0000
let x = 4111;
port 5432, 6379 and 27017
IMG_20261130_174351.jpg
Screenshot 2026-11-30 at 17.43.51.png
v24.12.0-nightly20261130abcdef0123
1.0.0-alpha.20261130.1
libssl3_3.0.15-1~deb12u1_amd64.deb
linux-image-6.1.0-28-cloud-amd64
ghcr.io/acme/shop:1.2.3
pi -p "what is the token budget?"
token_budget: 5000
--max-tokens 4096
--token-limit=8192
--key-file ./deploy.pem
--secret-name shop-db-credentials
--password-stdin
mysql -u root -p shop
docker login ghcr.io -u me --password-stdin
secrets.GITHUB_TOKEN
\${{ secrets.NPM_TOKEN }}
op://vault/item/password
vault kv get secret/shop/db
kubectl get secret db-credentials -o yaml
GITHUB_TOKEN is not set
the environment variable DATABASE_PASSWORD must be set
Error: invalid token at position 12
SyntaxError: Unexpected token '<', "<!DOCTYPE "... is not valid JSON
unexpected token: EOF
pass: 774, fail: 0
passes: true
passed=12 failed=0 skipped=3
pwd: /home/me/shop
PWD=/home/me/shop
OLDPWD=/home/me
compass=north
use password hashing with Argon2id
the login page uses OAuth2/OIDC
login: localhost:5432/shop2
pass K8sDeployment42 as name
pass HTTP2Settings to it
token src/lexer/token2/TokenKind34.ts
unexpected token ILLEGAL123456789012345678
| Password | string, min 8 chars |
| token | count2 |
GPIO pin: 12
the pin is 13
passphrase is the word that users type in
password: must have at least eight characters
echo $PASSWORD | sudo -S ls
bypass: enabled
author: Jane Doe
authority=https://login.microsoftonline.com/common
authenticated: true
keyboard: us
keyword = "return"
monkey=banana
hotkey: ctrl+shift+p
keys: ["id", "name", "createdAt"]
cert: ./certs/server.crt
cookie: SameSite=Lax; Secure
Cookie: theme=dark; lang=en
Set-Cookie: theme=dark; Path=/`.split("\n");

const WORDS =
  "user order item cart price token auth session config build parse render layout stream buffer search index memory agent tool shell prompt model".split(
    " ",
  );

/** Texts without secrets and personal data: what an agent sees all day. At least 400, the same in every run. */
export function benignCorpus(seed = 11): string[] {
  const c = chance(seed);
  const word = (): string => c.pick(WORDS);
  const capital = (): string => word().replace(/^./, (letter) => letter.toUpperCase());
  const many = (count: number, make: () => string): string[] => Array.from({ length: count }, make);
  const uuid = (): string =>
    [8, 4, 4, 4, 12].map((length) => c.text(HEX, length)).join("-");
  return [
    ...WRITTEN,
    ...many(25, () => `packages/${word()}/src/${word()}s/${capital()}${capital()}/use${capital()}${capital()}.ts:${c.number(900)}`),
    ...many(15, () => `${c.pick(["feature", "fix", "chore"])}/${c.text(UPPER, 4)}-${c.number(9999)}-${word()}-${word()}-to-${word()}`),
    ...many(20, () => `commit ${c.text(HEX, 40)} ${word()} the ${word()}`),
    ...many(10, () => `${c.text(HEX, 7)} ${capital()} ${word()}s in ${word()}`),
    ...many(15, () => `request ${uuid()} took ${c.number(900)} ms`),
    ...many(10, () => uuid().toUpperCase()),
    ...many(15, () => `  integrity sha512-${c.text(BASE64, 86)}==`),
    ...many(10, () => `"node_modules/${word()}-${word()}": { "version": "${c.number(20)}.${c.number(20)}.${c.number(9)}", "integrity": "sha512-${c.text(BASE64, 86)}==" }`),
    ...many(10, () => `github.com/acme/${word()} v1.${c.number(30)}.${c.number(9)} h1:${c.text(BASE64, 43)}=`),
    ...many(10, () => `${word()}==${c.number(9)}.${c.number(30)} --hash=sha256:${c.text(HEX, 64)}`),
    ...many(8, () => `checksum = "${c.text(HEX, 64)}"`),
    ...many(8, () => `<img src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA${c.text(BASE64, 120)}">`),
    ...many(6, () => `"image": "/9j/4AAQSkZJRgABAQAAAQABAAD${c.text(BASE64, 100)}"`),
    ...many(6, () => `url(data:image/svg+xml;base64,PHN2ZyB4${c.text(BASE64, 90)}%2B${c.text(BASE64, 60)})`),
    ...many(6, () => `body: "${Buffer.from(`the ${word()} of the ${word()} is in the ${word()}`).toString("base64")}"`),
    ...many(6, () => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${c.text(BASE64, 43)} me`),
    ...many(6, () => `SHA256:${c.text(BASE64, 43)} (ED25519)`),
    ...many(6, () => `-----BEGIN CERTIFICATE-----\n${c.text(BASE64, 64)}\n${c.text(BASE64, 64)}\n-----END CERTIFICATE-----`),
    ...many(20, () => `${word()}_${word()}_${word()}_V${c.number(9)}`.toUpperCase()),
    ...many(20, () => `function get${capital()}${capital()}From${capital()}${c.number(9)}() { return ${word()}.${word()}${capital()}; }`),
    ...many(15, () => `The ${word()} ${word()} is ${c.pick(["stored", "checked", "refreshed", "hashed"])} in the ${word()} ${word()}`),
    ...many(10, () => `assets/index-${c.text(BASE62, 8)}.js   ${c.number(900)}.${c.number(99)} kB │ gzip: ${c.number(99)}.20 kB`),
    ...many(8, () => `docker.io/acme/${word()}@sha256:${c.text(HEX, 64)}`),
    ...many(8, () => `${c.text(LOWER, 10)} ${c.text(LOWER, 12)} ${c.text(LOWER, 9)}`),
    ...many(8, () => `trace_id=${c.text(HEX, 32)} span_id=${c.text(HEX, 16)}`),
    ...many(8, () => `PASS ${word()}/${word()}.test.ts ✓ ${c.number(99)} of ${c.number(99)} (${c.number(9999)} ms)`),
  ];
}
