// Who may import whom (see ARCHITECTURE.md). `npm run check` enforces it; structure/structure.test.ts proves every folder is covered.
const FEATURE = ["contract", "platform"];

/** Folder of packages/agent/src -> folders it may import, besides itself. `*` = everything. */
export const AGENT = {
  contract: [],
  platform: ["contract"],
  agent: ["contract"],
  provider: FEATURE,
  tools: FEATURE,
  sandbox: FEATURE,
  session: FEATURE,
  config: FEATURE,
  logger: FEATURE,
  login: FEATURE,
  guardrail: FEATURE,
  compactor: FEATURE,
  permission: FEATURE,
  lsp: FEATURE,
  memory: FEATURE,
  subagent: FEATURE,
  audit: FEATURE,
  extension: FEATURE,
  export: FEATURE,
  plan: FEATURE,
  commands: ["contract"],
  // The client of --mode rpc stands alone: it is published as pi-ts/rpc. The server takes from it where both meet.
  client: [],
  modes: ["contract", "platform", "client"],
  cli: ["*"],
};

const TEST = "([.]test[.]ts$|/__fixtures__/|/test-support/)";

const rule = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

const layers = Object.entries(AGENT)
  .filter(([, allowed]) => allowed[0] !== "*")
  .map(([name, allowed]) =>
    rule(
      `agent-${name}`,
      `packages/agent/src/${name} may import only itself${allowed.map((folder) => `, ${folder}`).join("")}`,
      { path: `^packages/agent/src/${name}/`, pathNot: TEST },
      { path: "^packages/agent/src/", pathNot: `^packages/agent/src/(${[name, ...allowed].join("|")})/` },
    ),
  );

export default {
  forbidden: [
    ...layers,
    rule("no-cycle", "a cycle has no first file to read", {}, { circular: true }),
    rule(
      "siblings-stay-apart",
      "a tool or a wire stands alone; what two need lies in shared/; only the registry knows the wires",
      {
        path: "^packages/agent/src/(provider|tools)/([^/]+)/",
        pathNot: ["^packages/agent/src/provider/registry/"],
      },
      { path: "^packages/agent/src/$1/[^/]+/", pathNot: "^packages/agent/src/$1/($2|shared)/" },
    ),
    rule(
      "modes-stay-apart",
      "modes are surfaces over one event stream",
      { path: "^packages/agent/src/modes/([^/]+)/" },
      { path: "^packages/agent/src/modes/[^/]+/", pathNot: "^packages/agent/src/modes/($1|shared)/" },
    ),
    rule(
      "remem-core-stands-alone",
      "the memory engine's core has no input or output and no host",
      { path: "^packages/remem/src/core/", pathNot: TEST },
      { pathNot: "^packages/remem/src/core/" },
    ),
    rule(
      "remem-parts-see-the-core",
      "stores, embedders, screening, identity and transfer meet in the core's ports",
      { path: "^packages/remem/src/(store|embed|privacy|identity|transfer)/", pathNot: TEST },
      { path: "^packages/", pathNot: "^packages/remem/(assets/|src/(core|$1)/)" },
    ),
    rule(
      "remem-runtime-builds-the-parts",
      "the runtime puts the parts together; the command line and the hosts see the runtime",
      { path: "^packages/remem/src/runtime/", pathNot: TEST },
      { path: "^packages/remem/src/(cli|hosts)/" },
    ),
    rule(
      "remem-hosts-stand-apart",
      "an adapter maps one host's events onto the runtime; what several need lies in hosts/shared/",
      { path: "^packages/remem/src/hosts/([^/]+)/", pathNot: TEST },
      {
        path: "^(packages|node_modules)/",
        pathNot: "^packages/remem/src/((core|runtime|identity|hosts/(shared|$1))/|cli/version[.]ts$)",
      },
    ),
    rule(
      "remem-commands-see-no-adapter",
      "the command line registers with hosts and reads what their adapters leave behind; it loads none",
      { path: "^packages/remem/src/cli/", pathNot: TEST },
      { path: "^packages/remem/src/hosts/", pathNot: "^packages/remem/src/hosts/shared/" },
    ),
    rule(
      "remem-knows-no-agent",
      "the memory engine runs in other hosts, too",
      { path: "^packages/remem/" },
      { path: "^packages/agent/" },
    ),
    rule(
      "testkit-knows-no-product",
      "the test kit must not share a product bug",
      { path: "^packages/testkit/" },
      { path: "^packages/(?!testkit/)" },
    ),
    rule(
      "no-testkit-in-product",
      "test code never ships",
      { path: "^packages/(agent|remem)/src/", pathNot: TEST },
      { path: "^packages/testkit/" },
    ),
    rule("not-to-test-file", "tests are leaves", { pathNot: TEST }, { path: "[.]test[.]ts$" }),
    rule(
      "os-only-behind-doors",
      "files, processes and sockets are reached through platform/, sandbox/ and cli/",
      { path: "^packages/agent/src/(contract|agent|tools|commands)/", pathNot: TEST },
      { dependencyTypes: ["core"], path: "^(node:)?(fs|fs/promises|child_process|net|os|worker_threads)$" },
    ),
    rule(
      "sdks-are-types-only",
      "requests are sent by provider/shared/post.ts; an SDK's code costs a start more than all of ours (docs/adr/0003)",
      { path: "^packages/agent/src/", pathNot: TEST },
      { path: "node_modules/(@anthropic-ai|openai|@google)/", dependencyTypesNot: ["type-only"] },
    ),
  ],
  options: {
    combinedDependencies: true,
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: "node_modules" },
    exclude: { path: "node_modules/(bun-types|@types)" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["bun", "import", "types", "default"],
    },
  },
};
