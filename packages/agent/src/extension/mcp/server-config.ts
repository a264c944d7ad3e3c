/** What one MCP server is started or reached with: variables filled in, paths absolute. */
export interface McpServerConfig {
  /** As the user wrote it. */
  readonly name: string;
  readonly transport: StdioSetting | HttpSetting;
  /** The file that names it, for people. */
  readonly source: string;
  readonly limits: ServerLimits;
  /** Not started by itself. */
  readonly off: boolean;
}

/** A program that speaks over its stdin and stdout. */
export interface StdioSetting {
  readonly kind: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the environment that every child of ours gets. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** An address. `auto` tries streamable HTTP and then the older SSE transport. */
export interface HttpSetting {
  readonly kind: "http";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly protocol: "auto" | "http" | "sse";
  /** A client that was registered by hand, for services that do not register clients themselves. */
  readonly oauth?: OAuthClientSetting;
}

export interface OAuthClientSetting {
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly scopes?: readonly string[];
}

/** All in milliseconds. */
export interface ServerLimits {
  /** Until a started server has given its list of tools. */
  readonly startMs: number;
  /** Without an answer or progress. */
  readonly callMs: number;
  /** However much progress there is. */
  readonly mostCallMs: number;
}

/**
 * What the cached list of a server belongs to: the program with its arguments and folder, or the address. Of variables and headers
 * only the names count, so that nothing secret is in it and a new token keeps the list.
 */
export function configDigest({ name, transport }: McpServerConfig): string {
  const parts =
    transport.kind === "stdio"
      ? [transport.command, transport.args, transport.cwd, Object.keys(transport.env).sort()]
      : [transport.url, Object.keys(transport.headers).sort(), transport.protocol];
  return sha256(JSON.stringify([name, transport.kind, ...parts])).slice(0, 32);
}

/** The SHA-256 of a text in hexadecimal digits. */
export function sha256(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex");
}

/** A server's name as a part of a file's name; two names never share one. */
export function fileName(server: string): string {
  const plain = server.replace(/[^A-Za-z0-9_-]+/g, "_").slice(0, 60);
  return plain === server ? plain : `${plain}-${sha256(server).slice(0, 8)}`;
}
