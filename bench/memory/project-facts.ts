import type { NewMemory } from "../../packages/remem/src/core/memory/record.ts";
import type { MemoryScope } from "../../packages/remem/src/core/memory/scope.ts";
import { seeded } from "./random.ts";

/** One fact about a project and how it changed: the last statement is the one that holds. */
export interface FactChain {
  subject: string;
  statements: string[];
  question: string;
  historyQuestion: string;
}

interface Attribute {
  name: string;
  values: readonly string[];
  statements: readonly ((service: string, value: string) => string)[];
  question: (service: string) => string;
  history: (service: string) => string;
}

const SERVICES =
  "billing checkout search gateway mailer importer scheduler catalogue ledger reporting inventory uploads sessions webhooks profiles pricing invoices exports thumbnails analytics notifications shipping refunds coupons moderation translations archive dashboard directory feedback".split(
    " ",
  );

const ATTRIBUTES: readonly Attribute[] = [
  {
    name: "port",
    values: ["8080", "8081", "9000", "3000", "4317"],
    statements: [
      (s, v) => `The ${s} service listens on port ${v}.`,
      (s, v) => `From now on ${s} binds to ${v} locally.`,
      (s, v) => `Moved ${s} over to port ${v}, the old one clashed.`,
    ],
    question: (s) => `Which port does ${s} listen on?`,
    history: (s) => `Which port did ${s} listen on before?`,
  },
  {
    name: "package manager",
    values: ["npm", "pnpm", "yarn", "bun"],
    statements: [
      (s, v) => `Use ${v} as the package manager in ${s}.`,
      (s, v) => `We install the dependencies of ${s} with ${v}.`,
      (s, v) => `We switched ${s} to ${v} for packages.`,
    ],
    question: (s) => `What package manager do we use for ${s}?`,
    history: (s) => `What package manager did ${s} use previously?`,
  },
  {
    name: "database",
    values: ["PostgreSQL", "SQLite", "MySQL", "DynamoDB", "Redis"],
    statements: [
      (s, v) => `${v} is the database behind ${s}.`,
      (s, v) => `Decided: ${s} stores its rows in ${v}.`,
      (s, v) => `The ${s} data has been migrated to ${v}.`,
    ],
    question: (s) => `Where does ${s} keep its data, what database?`,
    history: (s) => `What database did ${s} have originally?`,
  },
  {
    name: "test runner",
    values: ["jest", "vitest", "mocha", "bun test", "ava"],
    statements: [
      (s, v) => `Run the ${s} tests with ${v}.`,
      (s, v) => `${s} specs are executed by ${v} now.`,
      (s, v) => `Please always use ${v} when testing ${s}.`,
    ],
    question: (s) => `How do I run the tests of ${s}?`,
    history: (s) => `How were the tests of ${s} run earlier?`,
  },
  {
    name: "timeout",
    values: ["5 seconds", "10 seconds", "30 seconds", "2 minutes"],
    statements: [
      (s, v) => `Requests to ${s} time out after ${v}.`,
      (s, v) => `The ${s} client timeout is ${v}.`,
      (s, v) => `Raised the timeout of ${s}: ${v}.`,
    ],
    question: (s) => `How long is the ${s} timeout?`,
    history: (s) => `What was the ${s} timeout in the past?`,
  },
  {
    name: "branch",
    values: ["main", "develop", "trunk", "release", "stable"],
    statements: [
      (s, v) => `${s} is deployed from the ${v} branch.`,
      (s, v) => `Merge ${s} work into ${v}.`,
      (s, v) => `Releases of ${s} come from branch ${v} now.`,
    ],
    question: (s) => `From which branch is ${s} released?`,
    history: (s) => `Which branch was ${s} released from before?`,
  },
  {
    name: "log level",
    values: ["debug", "info", "warn", "error"],
    statements: [
      (s, v) => `Keep the log level of ${s} at ${v}.`,
      (s, v) => `${s} logs at ${v} level in production.`,
      (s, v) => `Set ${s} logging to ${v}.`,
    ],
    question: (s) => `What log level should ${s} have?`,
    history: (s) => `What log level did ${s} have formerly?`,
  },
  {
    name: "region",
    values: ["eu-west-1", "us-east-1", "eu-central-1", "ap-south-1"],
    statements: [
      (s, v) => `${s} runs in region ${v}.`,
      (s, v) => `Host ${s} in ${v}, legal asked for it.`,
      (s, v) => `The ${s} cluster was moved to ${v}.`,
    ],
    question: (s) => `In which region is ${s} hosted?`,
    history: (s) => `In which region was ${s} hosted initially?`,
  },
  {
    name: "owner",
    values: ["Priya", "Jonas", "Mei", "Tomas", "Aylin"],
    statements: [
      (s, v) => `${v} owns ${s}; ask before changing its API.`,
      (s, v) => `Reviews for ${s} go to ${v}.`,
      (s, v) => `${v} took over ${s}.`,
    ],
    question: (s) => `Who owns ${s}?`,
    history: (s) => `Who owned ${s} before?`,
  },
  {
    name: "Node version",
    values: ["18", "20", "22", "24"],
    statements: [
      (s, v) => `${s} needs Node ${v}.`,
      (s, v) => `Build ${s} on Node version ${v}.`,
      (s, v) => `The Node version of ${s} has been raised to ${v}.`,
    ],
    question: (s) => `What Node version does ${s} need?`,
    history: (s) => `What Node version did ${s} need previously?`,
  },
];

const MOST_CHANGES = 4;

/** A chain for each service and attribute: 300, each changed once to four times. */
export function factChains(seed: number): FactChain[] {
  const random = seeded(seed);
  return SERVICES.flatMap((service) =>
    ATTRIBUTES.map((attribute) => {
      const length = 2 + random.below(Math.min(MOST_CHANGES, attribute.values.length - 1));
      const start = random.below(attribute.values.length);
      return {
        subject: `${service} ${attribute.name}`,
        statements: Array.from({ length }, (_, step) =>
          random.pick(attribute.statements)(
            service,
            attribute.values[(start + step) % attribute.values.length]!,
          ),
        ),
        question: attribute.question(service),
        historyQuestion: attribute.history(service),
      };
    }),
  );
}

/** Questions of the same form about services nobody ever spoke of. */
export function unknownQuestions(): string[] {
  const unknown = [
    "telemetry",
    "onboarding",
    "firewall",
    "payroll",
    "newsletter",
    "sandboxing",
    "replication",
    "kiosk",
  ];
  return unknown.flatMap((service) => ATTRIBUTES.map((attribute) => attribute.question(service)));
}

/** The chains as memories in the order they were said, a day between two versions, each typed by a person. */
export function factMemories(
  chains: readonly FactChain[],
  scope: MemoryScope,
  subjects: boolean,
): NewMemory[] {
  const day = 86_400_000;
  const begin = Date.UTC(2026, 0, 1);
  const longest = Math.max(...chains.map(({ statements }) => statements.length));
  return Array.from({ length: longest }, (_, version) =>
    chains.flatMap(({ subject, statements }, index): NewMemory[] => {
      const text = statements[version];
      if (text === undefined) return [];
      return [
        {
          kind: "fact",
          scope,
          text,
          ...(subjects ? { subject } : {}),
          at: begin + version * day + index,
          provenance: {
            host: "bench",
            sessionId: `day-${version}-${index % 20}`,
            author: { role: "user" },
            typed: true,
          },
        },
      ];
    }),
  ).flat();
}
