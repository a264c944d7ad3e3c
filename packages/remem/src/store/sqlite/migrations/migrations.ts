import type { Migration } from "../../shared/migration.ts";
import { BASE_TABLES } from "./0001-base-tables.ts";
import { ENGINE_TABLES } from "./0002-engine-tables.ts";
import { STATE_TABLES } from "./0003-state-tables.ts";

/** All steps, in order, numbered from 1 without gaps. */
export const MIGRATIONS: readonly Migration[] = [BASE_TABLES, ENGINE_TABLES, STATE_TABLES];
