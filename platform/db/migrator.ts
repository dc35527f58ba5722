import type { MikroORM } from '@mikro-orm/core';
import { MigrationRunner, Migrator as OrmMigrator, type Migration } from '@mikro-orm/migrations';

/** Short, because guests wait while the statement waits for its lock. */
const LOCK_TIMEOUT_MS = 1_000;

type Rest = Parameters<MigrationRunner['run']> extends [unknown, ...infer R] ? R : never;

/**
 * Limits lock waits of transactional migrations. Others build indexes concurrently, which blocks
 * no session.
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

/** Has a lock limit (OPS-76). Must use the ORM's extension name, or the ORM replaces it. */
export class Migrator extends OrmMigrator {
  static override register(orm: MikroORM): void {
    orm.config.registerExtension('@mikro-orm/migrator', () => new Migrator(orm.em as never));
  }

  protected override createRunner(): MigrationRunner {
    return new LockLimitedRunner(this.driver, this.options, this.config);
  }
}
