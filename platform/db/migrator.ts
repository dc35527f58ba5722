import type { MikroORM } from '@mikro-orm/core';
import { MigrationRunner, Migrator as OrmMigrator, type Migration } from '@mikro-orm/migrations';

/** Longest lock wait of a migration statement. Guests wait behind it. */
const LOCK_TIMEOUT_MS = 1_000;

type Rest = Parameters<MigrationRunner['run']> extends [unknown, ...infer R] ? R : never;

/**
 * Runs each migration in a transaction with {@link LOCK_TIMEOUT_MS}. A non-transactional one runs
 * statement by statement without a limit: it builds indexes concurrently, which blocks no other
 * session.
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
 * The ORM's migrator with a lock limit (OPS-76). Registered under the ORM's extension name, or the
 * ORM would replace it.
 */
export class Migrator extends OrmMigrator {
  static override register(orm: MikroORM): void {
    orm.config.registerExtension('@mikro-orm/migrator', () => new Migrator(orm.em as never));
  }

  protected override createRunner(): MigrationRunner {
    return new LockLimitedRunner(this.driver, this.options, this.config);
  }
}
