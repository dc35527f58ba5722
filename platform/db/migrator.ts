import type { MikroORM } from '@mikro-orm/core';
import { MigrationRunner, Migrator as OrmMigrator, type Migration } from '@mikro-orm/migrations';

/** Longest wait of one statement of a migration for a lock. Guests wait behind it for no longer. */
const LOCK_TIMEOUT_MS = 1_000;

type Rest = Parameters<MigrationRunner['run']> extends [unknown, ...infer R] ? R : never;

/**
 * Runs each migration in a transaction of its own, in which no statement waits for a lock for
 * longer than {@link LOCK_TIMEOUT_MS}. One that is not transactional runs statement by statement
 * and waits without a limit: it builds indexes concurrently, which blocks no other session.
 */
class LockLimitedRunner extends MigrationRunner {
  override async run(migration: Migration, ...rest: Rest): Promise<void> {
    const [method] = rest;
    const change = migration[method].bind(migration);
    if (migration.isTransactional())
      migration[method] = () => {
        migration.addSql(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
        return change();
      };
    return super.run(migration, ...rest);
  }
}

/**
 * The migrator of the ORM with a limit for locks (OPS-76). The ORM replaces an extension of another
 * name by its own one.
 */
export class Migrator extends OrmMigrator {
  static override register(orm: MikroORM): void {
    orm.config.registerExtension('@mikro-orm/migrator', () => new Migrator(orm.em as never));
  }

  protected override createRunner(): MigrationRunner {
    return new LockLimitedRunner(this.driver, this.options, this.config);
  }
}
