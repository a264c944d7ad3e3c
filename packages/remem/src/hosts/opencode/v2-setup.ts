import { detached, type HostTrouble } from "../shared/host-guard.ts";
import { openHostMemory } from "./open-host-memory.ts";
import { isRunByAgent } from "./provenance.ts";
import { V2Hooks } from "./v2-hooks.ts";
import { isV2Context } from "./v2-types.ts";

/** What the host calls when it lets go of the plugin. */
export type Cleanup = () => Promise<void>;

interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Default: the user's home folder. */
  readonly home?: string;
}

/** This API lends no log of the host's, and its output belongs to it; `remem doctor` looks at the same settings and store. */
const SILENT: HostTrouble = () => undefined;

/** Memory as the plugin function of a host with the newer hooks; see {@link setUp}. */
export function setup(context: unknown): Promise<Cleanup | undefined> {
  return setUp(context, { environment: process.env });
}

/**
 * Registers memory with a host that has the newer hooks; gives what ends it. Never rejects. In a host that has not the hooks it does
 * nothing at all, since the same file may be loaded there for its older ones.
 */
export async function setUp(
  context: unknown,
  { environment, home }: Surroundings,
): Promise<Cleanup | undefined> {
  try {
    if (!isV2Context(context)) return undefined;
    const { memory, config, options, mayRecall } = await openHostMemory({
      directory: context.location?.directory ?? process.cwd(),
      given: context.options,
      environment,
      ...(home === undefined ? {} : { home }),
      trouble: SILENT,
      onNotice: () => undefined,
    });
    const { version } = context.app ?? {};
    memory.greet(typeof version === "string" ? version : null);
    if (!config.settings.enabled) return undefined;
    const { compaction } = config.settings;
    const isAgents = isRunByAgent(environment);
    const hooks = new V2Hooks({ context, memory, options, mayRecall, isAgents, compaction, trouble: SILENT });
    detached("open", SILENT, () => memory.memory.ready());
    return await hooks.register();
  } catch {
    // A host whose hooks are not what they seem goes on without memory.
    return undefined;
  }
}
