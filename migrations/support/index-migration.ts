import { Migration } from '@mikro-orm/migrations';

/**
 * A migration that builds indexes and does nothing else. Reads and writes of the tables continue
 * during a build. An aborted build leaves an invalid index, which the next run drops first.
 */
export abstract class IndexMigration extends Migration {
  /** Name of each index and what follows `on`: table, columns and condition. */
  abstract readonly indexes: Readonly<Record<string, string>>;

  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    for (const [name, definition] of Object.entries(this.indexes)) {
      this.addSql(`drop index concurrently if exists ${name}`);
      this.addSql(`create index concurrently ${name} on ${definition}`);
    }
  }

  override down(): void {
    for (const name of Object.keys(this.indexes))
      this.addSql(`drop index concurrently if exists ${name}`);
  }
}
