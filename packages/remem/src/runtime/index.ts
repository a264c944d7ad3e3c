export type {
  EmbeddingConfig,
  MemoryConfig,
  MemorySettings,
  ProviderConfig,
  SettingsLayer,
} from "./config/memory-config.ts";
export { findPlaces, type Places, projectConfig } from "./config/places.ts";
export type { FolderIdentity } from "./folder-identity.ts";
export type * from "./memory.ts";
export type * from "./memory-options.ts";
export { openMemory } from "./open-memory.ts";
