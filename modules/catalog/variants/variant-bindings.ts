import { sql } from 'kysely';
import type { BindingState } from '../rules/states.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { nextVersion } from '../../../kernel/edits.ts';

/** Binds a variant to another size. The caller has locked the variant and claimed the dish. */
export async function bindVariant({ db }: Tx, id: number, itemSizeId: number): Promise<void> {
  await db
    .updateTable('catalog_variant as variant')
    .set({
      itemSizeId,
      bindingState: 'OK',
      missingSince: null,
      updatedAt: sql`now()`,
      version: nextVersion('variant'),
    })
    .where('id', '=', id)
    .execute();
}

/**
 * Writes binding states in one statement. `relation` contains `id`, `last_seen_at` and the dish's
 * `deleted_at` of each variant. A missing variant keeps the time of its loss.
 */
export async function writeBindingStates(
  tx: Tx,
  states: readonly { id: number; state: BindingState }[],
  relation: string,
): Promise<void> {
  await sql`
    update catalog_variant variant
       set binding_state = evaluated.next, missing_since = case when evaluated.next = 'MISSING' then evaluated.deleted_at end,
           last_seen_at = case when evaluated.next = 'MISSING' then evaluated.last_seen_at else variant.last_seen_at end,
           updated_at = now(), version = ${nextVersion('variant')}
      from (select moved.id, moved.next, read.deleted_at, read.last_seen_at from ${sql.table(relation)} as read
              join unnest(${states.map(({ id }) => id)}::bigint[], ${states.map(({ state }) => state)}::text[]) as moved (id, next)
                using (id)) evaluated
     where evaluated.id = variant.id`.execute(tx.db);
}
