import { StoreError } from "../../core/errors.ts";
import { sha256 } from "./sha256.ts";

/** One step of the layout. A published step never changes: its checksum is kept in every database. */
export interface Migration {
  readonly id: number;
  readonly name: string;
  readonly sql: string;
}

/** A step as a store says it was taken. */
export interface AppliedMigration {
  readonly id: number;
  readonly name: string;
  readonly checksum: string;
}

export function migrationChecksum(migration: Migration): string {
  return sha256(migration.sql);
}

/** Throws a StoreError for steps that this version does not know, or knows otherwise. */
export function verifyApplied(known: readonly AppliedMigration[], migrations: readonly Migration[]): void {
  for (const [index, step] of known.entries()) {
    const ours = migrations[index];
    if (ours === undefined)
      throw new StoreError(
        "newer_version",
        `the memory store has layout ${known.length} and this version knows ${migrations.length}`,
        "use the newer version that wrote it; nothing was changed",
      );
    if (step.id !== ours.id || step.checksum !== migrationChecksum(ours))
      throw new StoreError(
        "changed_migration",
        `step ${step.id} (${step.name}) of the memory store's layout is not the one this version knows`,
        "restore a backup, or use the version that wrote the store; nothing was changed",
      );
  }
}
