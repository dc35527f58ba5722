import { setTimeout as delay } from 'node:timers/promises';
import type { KyselyPlugin } from 'kysely';
import type { TransactionOptions } from '../../../platform/db/database.ts';
import { retryConflicts } from '../../../platform/db/retry-conflicts.ts';
import type { Database, Tx } from '../text-database.ts';

export class Died extends Error {}

export type Ended<T> = { value: T } | { error: unknown };

/** A session that stops around each statement, or only before its commit. */
export class SteppedSession<T> {
  ended: Ended<T> | null = null;
  /** Attempts that PostgreSQL aborted because of a conflict, and that were retried. */
  conflicts = 0;
  private readonly db: Database;
  private readonly stopsAt: 'statements' | 'commit';
  private pid: number | null = null;
  private stopped = Promise.withResolvers<void>();
  private go = Promise.withResolvers<void>();
  private dies = false;

  constructor(db: Database, stopsAt: 'statements' | 'commit') {
    this.db = db;
    this.stopsAt = stopsAt;
  }

  /** Starts the transaction, with retries like the product. A deadlock is an error. */
  begin(work: (tx: Tx) => Promise<T>, options: TransactionOptions = {}): void {
    let tries = 0;
    const transaction = () => {
      this.conflicts += Number((tries += 1) > 1);
      return this.db.transaction(async (tx) => {
        const [row] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
        this.pid = row!.pid;
        if (this.stopsAt === 'statements') await this.stop();
        const done = await work(this.stopsAt === 'statements' ? this.stepped(tx) : tx);
        if (this.stopsAt === 'commit') await this.stop();
        return done;
      }, options);
    };
    retryConflicts(transaction, 8, new Set(['40001'])).then(
      (value) => this.end({ value }),
      (error: unknown) => this.end({ error }),
    );
  }

  step({ dies = false }: { dies?: boolean } = {}): void {
    const { go } = this;
    this.dies = dies;
    this.stopped = Promise.withResolvers();
    this.go = Promise.withResolvers();
    go.resolve();
  }

  /** True when the session has stopped or ended, false when it waits for a lock. */
  async rests(): Promise<boolean> {
    let isStopped = false;
    const stopped = this.stopped.promise.then(() => (isStopped = true));
    // Most statements do not wait for a lock, and end before the check.
    for (;;) {
      await Promise.race([stopped, delay(1)]);
      const waits = !isStopped && (await this.waits());
      if (isStopped) return true;
      if (waits) return false;
    }
  }

  private async waits(): Promise<boolean> {
    const [row] = await this.db.query<{ waits: boolean }>(
      'select coalesce(cardinality(pg_blocking_pids($1)), 0) > 0 as waits',
      [this.pid],
    );
    return row!.waits;
  }

  private async stop(): Promise<void> {
    this.stopped.resolve();
    await this.go.promise;
    if (this.dies) throw new Died();
  }

  private end(ended: Ended<T>): void {
    this.ended = ended;
    this.stopped.resolve();
  }

  private stepped(tx: Tx): Tx {
    const stops: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        await this.stop();
        return result;
      },
    };
    return { ...tx, db: tx.db.withPlugin(stops) };
  }
}
