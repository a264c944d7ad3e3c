import { existsSync } from "node:fs";
import type { Embedder } from "../core/ports/embedder.ts";
import { SYSTEM_SCHEDULER } from "../core/ports/scheduler.ts";
import type { Screen } from "../core/ports/screen.ts";
import type { EmbeddingConfig, MemorySettings } from "./config/memory-config.ts";
import { findPlaces } from "./config/places.ts";
import type { MemoryOptions, MemoryParts, StoreOpener } from "./memory-options.ts";

/** The usual parts; everything heavy is imported when it is first needed. */
export function defaultParts(options: MemoryOptions): MemoryParts {
  const usual: MemoryParts = {
    clock: { now: () => Date.now() },
    scheduler: SYSTEM_SCHEDULER,
    newId: () => crypto.randomUUID().replaceAll("-", ""),
    openStore,
    identify: async (cwd) => {
      const { identifyProject } = await import("../identity/identify-project.ts");
      const { keptRoots } = await import("./kept-roots.ts");
      const { defaultStore } = findPlaces(options.environment ?? process.env, options.home);
      return identifyProject(cwd, {
        ...(options.access === "read" ? {} : { roots: keptRoots(defaultStore, usual.newId) }),
        ...(options.hostProjectId === undefined
          ? {}
          : { host: { name: options.host, projectId: options.hostProjectId } }),
        ...(options.home === undefined ? {} : { home: options.home }),
        ...(options.environment === undefined ? {} : { environment: options.environment }),
      });
    },
    screen: openScreen,
    exclusion: async ({ capture }) => {
      const { createExclusion } = await import("../privacy/excluded.ts");
      return createExclusion({ tools: capture.excludedTools, paths: capture.excludedPaths });
    },
    embedder: ({ embedding }) => openEmbedder(embedding, options.environment ?? process.env),
  };
  return { ...usual, ...options.parts };
}

const openStore: StoreOpener = async (request) => {
  if (request.kind === "sqlite") {
    if (request.access === "read" && !existsSync(request.path)) return undefined;
    const { openSqliteStore } = await import("../store/sqlite/open-store.ts");
    const store = await openSqliteStore(request);
    return { memories: store, state: store.state };
  }
  const { openOtherStore } = await import("./other-stores.ts");
  return openOtherStore(request);
};

async function openScreen({ privacy }: MemorySettings): Promise<Screen> {
  const { createScreen } = await import("../privacy/create-screen.ts");
  // Private blocks and secrets are never kept; what is switched off is the search for personal data and own patterns.
  return createScreen(privacy.enabled ? { patterns: privacy.patterns } : { personalData: false });
}

async function openEmbedder(
  embedding: EmbeddingConfig,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Embedder | undefined> {
  if (embedding.kind === "off") return undefined;
  if (embedding.kind === "openai" || embedding.kind === "onnx") {
    const { openOtherEmbedder } = await import("./other-embedders.ts");
    return openOtherEmbedder(embedding, environment);
  }
  const { HashEmbedder, StaticEmbedder } = await import("../embed/index.ts");
  return embedding.kind === "hash" ? new HashEmbedder() : new StaticEmbedder();
}
