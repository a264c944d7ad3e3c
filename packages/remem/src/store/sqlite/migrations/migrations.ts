import { BASE_TABLES } from "./0001-base-tables.ts";
import { ENGINE_TABLES } from "./0002-engine-tables.ts";

/** One step of the layout. A published step never changes: its checksum is kept in every database. */
export interface Migration {
  readonly id: number;
  readonly name: string;
  readonly sql: string;
}

/** All steps, in order, numbered from 1 without gaps. */
export const MIGRATIONS: readonly Migration[] = [BASE_TABLES, ENGINE_TABLES];
