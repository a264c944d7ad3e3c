import { dirname } from "node:path";
import { errorMessage, isPiError } from "../contract/errors.ts";
import type { TokenBudget } from "../contract/services.ts";
import { withLockSync } from "../platform/lock.ts";
import { ensurePrivateFolder } from "../platform/private-folder.ts";
import { processIdentity } from "../platform/process-identity.ts";
import { randomHex } from "../platform/random.ts";
import { type BudgetUsage, describeUsage, limitReached, limitUnknown } from "./budget-report.ts";
import { keepAside, RESERVATION_MS, readUsage, type UsageFile, writeUsage } from "./usage-file.ts";

export interface TokenBudgetOptions {
  /** `~/.pi-go/usage.json`. */
  file: string;
  /** Tokens a day, input and output together; 0: no limit, counted all the same. */
  limit: number;
  now(): number;
  onNotice(message: string): void;
}

/** Without a limit nothing waits for the count, so it is written this often and at the end. */
const UNLIMITED_WRITE_MS = 5_000;

/** A {@link TokenBudget} with its figures. */
export interface DayBudget extends TokenBudget {
  usage(): BudgetUsage;
  /** Writes what is not in the file yet; at the end of a run. Never throws. */
  flush(): void;
}

/**
 * The day's tokens, counted in one file for all processes. Without a limit a file that cannot be written costs one notice
 * and the count goes on in memory. With a limit nobody could keep it then, so requests are refused (`daily_limit`).
 */
export function createTokenBudget(options: TokenBudgetOptions): DayBudget {
  const { file, limit, now } = options;
  /** Used but not in the file yet, because the disk refused. */
  const unsaved = { input: 0, output: 0, requests: 0 };
  let warned = false;
  let folderMade = false;
  let lastWrite = now();

  const onBroken = (path: string): void => {
    const aside = keepAside(path, now());
    options.onNotice(`${path} was broken and is kept as ${aside}; today's tokens are counted from zero`);
  };
  /** Changes the file under its lock. */
  const update = <T>(change: (usage: UsageFile) => T): T => {
    if (!folderMade) ensurePrivateFolder(dirname(file));
    folderMade = true;
    return withLockSync(`${file}.lock`, () => {
      const usage = readUsage(file, now(), onBroken);
      usage.input_tokens += unsaved.input;
      usage.output_tokens += unsaved.output;
      usage.requests += unsaved.requests;
      const result = change(usage);
      writeUsage(file, usage);
      Object.assign(unsaved, { input: 0, output: 0, requests: 0 });
      lastWrite = now();
      return result;
    });
  };
  const warn = (thrown: unknown): void => {
    if (!warned) options.onNotice(`today's tokens are counted in memory only: ${errorMessage(thrown)}`);
    warned = true;
  };
  const take = (tokens: number): string => {
    const id = randomHex(6);
    const asked = count(tokens);
    try {
      update((usage) => {
        const reserved = usage.reserved.reduce((sum, one) => sum + one.tokens, 0);
        const used = usage.input_tokens + usage.output_tokens;
        if (used + reserved + asked > limit) throw limitReached({ limit, used, reserved, asked, now: now() });
        usage.reserved.push({ id, tokens: asked, owner: processIdentity(), expires: now() + RESERVATION_MS });
      });
    } catch (thrown) {
      if (isPiError(thrown) && thrown.code === "daily_limit") throw thrown;
      throw limitUnknown(limit, file, thrown);
    }
    return id;
  };

  /** Writes what was used and gives back the reservation `id`. */
  const save = (id: string | null): void => {
    try {
      update((usage) => {
        usage.reserved = usage.reserved.filter((one) => one.id !== id);
      });
    } catch (thrown) {
      warn(thrown);
    }
  };

  return {
    reserve(tokens) {
      const id = limit > 0 ? take(typeof tokens === "number" ? tokens : tokens()) : null;
      let settled = false;
      return {
        settle(used) {
          if (settled) return;
          settled = true;
          unsaved.input += count(used.input);
          unsaved.output += count(used.output);
          unsaved.requests += count(used.requests);
          if (id !== null || now() - lastWrite >= UNLIMITED_WRITE_MS) save(id);
        },
      };
    },
    flush() {
      if (unsaved.requests > 0) save(null);
    },
    usage() {
      let broken = false;
      let usage: UsageFile;
      try {
        usage = readUsage(file, now(), () => {
          broken = true;
        });
      } catch (thrown) {
        warn(thrown);
        usage = { date: "", input_tokens: 0, output_tokens: 0, requests: 0, reserved: [], earlier: {} };
      }
      usage.input_tokens += unsaved.input;
      usage.output_tokens += unsaved.output;
      usage.requests += unsaved.requests;
      return describeUsage(usage, limit, now(), broken);
    },
  };
}

function count(value: number): number {
  return Number.isFinite(value) ? Math.max(0, Math.ceil(value)) : 0;
}
