import { existsSync } from "node:fs";
import { join } from "node:path";
import { testNode, type Workspace } from "@pi-ts/testkit";
import { piExecutable } from "../subject.ts";

/** One call of a tool in the scripted work. */
export interface PeerCall {
  name: string;
  input: object;
}

/** An agent as it is measured. */
export interface Peer {
  name: string;
  /** Its npm package; null is ours. */
  package: string | null;
  /** Writes what it needs to speak with the scripted service and to ask nothing. */
  prepare(space: Workspace, url: string): void;
  environment(space: Workspace, url: string): Record<string, string>;
  /** One prompt without a terminal. */
  once: readonly string[];
  /** The same in the session of the last run. */
  resume: readonly string[];
  /** In a terminal, ready for a prompt. */
  terminal: readonly string[];
  /** Stands on the screen when a prompt can be typed. */
  ready: RegExp;
  /** Runs a shell command. */
  shell(command: string): PeerCall;
}

const INSTALLED = join(import.meta.dir, "node_modules");

/** A peer's native executable where its package brings one for this platform, else its script under Node. Native ones are the kinder measure: npm's launchers cost a Node start more. */
function program(native: string, script: string): readonly string[] {
  const executable = join(INSTALLED, native);
  if (existsSync(executable)) return [executable];
  return [testNode() ?? "node", join(INSTALLED, script)];
}

const platform = `${process.platform}-${process.arch}`;
const claude = program(
  `@anthropic-ai/claude-code-${platform}/claude`,
  "@anthropic-ai/claude-code/cli-wrapper.cjs",
);
const codex = program(
  `@openai/codex-${platform}/vendor/x86_64-unknown-linux-musl/bin/codex`,
  "@openai/codex/bin/codex.js",
);
const opencode = [join(INSTALLED, `opencode-${platform}/bin/opencode`)];
const pi = program("-", "@earendil-works/pi-coding-agent/dist/bundle/cli.js");
const gemini = program("-", "@google/gemini-cli/bundle/gemini.js");

const KEY = "bench-key-0123456789";
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** Ours with these flags. */
const ours = (name: string, flags: readonly string[]): Peer => {
  const command = [piExecutable(), "--model", "openai/gpt-5.4", ...flags];
  return {
    name,
    package: null,
    prepare: () => undefined,
    environment: (space, url) => ({
      OPENAI_API_KEY: KEY,
      OPENAI_BASE_URL: `${url}/v1`,
      PI_HOME: join(space.home, ".pi-go"),
    }),
    once: [...command, "-p", "{prompt}"],
    resume: [...command, "-c", "-p", "{prompt}"],
    terminal: command,
    ready: /─{60}/,
    shell: (line) => ({ name: "bash", input: { command: line } }),
  };
};

/** Ours first, as it comes and without its sandbox, as the others run; then they by name. */
export const PEERS: readonly Peer[] = [
  ours("pi-ts", []),
  ours("pi-ts --sandbox off", ["--sandbox", "off"]),
  {
    name: "Claude Code",
    package: "@anthropic-ai/claude-code",
    prepare(space) {
      space.write(
        join(space.home, ".claude.json"),
        json({
          hasCompletedOnboarding: true,
          theme: "dark",
          customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
          projects: { [space.path]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
        }),
      );
    },
    environment: (_, url) => ({
      ANTHROPIC_API_KEY: KEY,
      ANTHROPIC_BASE_URL: url,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_TELEMETRY: "1",
    }),
    once: [...claude, "-p", "--allowedTools=Bash", "--", "{prompt}"],
    resume: [...claude, "-c", "-p", "--allowedTools=Bash", "--", "{prompt}"],
    terminal: claude,
    ready: /❯|> /,
    shell: (command) => ({ name: "Bash", input: { command } }),
  },
  {
    name: "Codex",
    package: "@openai/codex",
    prepare(space, url) {
      space.write(
        join(space.home, ".codex", "config.toml"),
        [
          'model = "gpt-5.4"',
          'model_provider = "bench"',
          "check_for_update_on_startup = false",
          "[model_providers.bench]",
          'name = "bench"',
          `base_url = "${url}/v1"`,
          'wire_api = "responses"',
          'env_key = "BENCH_KEY"',
          `[projects."${space.path}"]`,
          'trust_level = "trusted"',
          "",
        ].join("\n"),
      );
    },
    environment: () => ({ BENCH_KEY: KEY }),
    once: [
      ...codex,
      "exec",
      "--skip-git-repo-check",
      "--dangerously-bypass-approvals-and-sandbox",
      "{prompt}",
    ],
    resume: [
      ...codex,
      "exec",
      "--skip-git-repo-check",
      "--dangerously-bypass-approvals-and-sandbox",
      "resume",
      "--last",
      "{prompt}",
    ],
    terminal: codex,
    ready: /›/,
    shell: (command) => ({ name: "exec_command", input: { cmd: command } }),
  },
  {
    name: "Gemini CLI",
    package: "@google/gemini-cli",
    prepare(space) {
      space.write(
        join(space.home, ".gemini", "settings.json"),
        json({
          security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
          general: { disableAutoUpdate: true, enableAutoUpdate: false },
          privacy: { usageStatisticsEnabled: false },
          telemetry: { enabled: false },
        }),
      );
    },
    environment: (_, url) => ({ GEMINI_API_KEY: KEY, GOOGLE_GEMINI_BASE_URL: url }),
    once: [...gemini, "-m", "gemini-2.5-pro", "--yolo", "-p", "{prompt}"],
    resume: [...gemini, "-m", "gemini-2.5-pro", "--yolo", "-r", "latest", "-p", "{prompt}"],
    terminal: [...gemini, "-m", "gemini-2.5-pro"],
    ready: /Type your message/,
    shell: (command) => ({ name: "run_shell_command", input: { command, description: "a step" } }),
  },
  {
    name: "OpenCode",
    package: `opencode-${platform}`,
    prepare(space, url) {
      space.write(
        join(space.home, ".config", "opencode", "opencode.json"),
        json({
          autoupdate: false,
          share: "disabled",
          permission: "allow",
          model: "bench/bench-model",
          small_model: "bench/bench-model",
          provider: {
            bench: {
              npm: "@ai-sdk/openai-compatible",
              name: "bench",
              options: { baseURL: `${url}/v1`, apiKey: KEY },
              models: {
                "bench-model": {
                  name: "bench-model",
                  tool_call: true,
                  limit: { context: 1_000_000, output: 8_000 },
                },
              },
            },
          },
        }),
      );
    },
    environment: (space) => ({
      // It takes its folder from here and not from where it runs.
      PWD: space.path,
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    }),
    once: [...opencode, "run", "-m", "bench/bench-model", "{prompt}"],
    resume: [...opencode, "run", "-c", "-m", "bench/bench-model", "{prompt}"],
    terminal: opencode,
    ready: /Ask anything|┃/,
    shell: (command) => ({ name: "bash", input: { command, description: "a step" } }),
  },
  {
    name: "Pi",
    package: "@earendil-works/pi-coding-agent",
    prepare(space, url) {
      const folder = join(space.home, ".pi", "agent");
      const bench = {
        baseUrl: `${url}/v1`,
        api: "openai-completions",
        apiKey: KEY,
        models: [{ id: "bench-model", contextWindow: 1_000_000, maxTokens: 8_000 }],
      };
      space.write(join(folder, "models.json"), json({ providers: { bench } }));
      space.write(
        join(folder, "settings.json"),
        json({ defaultProvider: "bench", defaultModel: "bench-model" }),
      );
    },
    environment: () => ({ PI_OFFLINE: "1", PI_TELEMETRY: "0", PI_SKIP_VERSION_CHECK: "1" }),
    once: [...pi, "-p", "{prompt}"],
    resume: [...pi, "-c", "-p", "{prompt}"],
    terminal: pi,
    ready: /─{60}/,
    shell: (command) => ({ name: "bash", input: { command } }),
  },
];
