import { invalidField } from '../../kernel/problem.ts';
import { anyOf, type Sql } from '../../platform/db/database.ts';

/** Those of the ids that are media. Each is held until the transaction ends, so none is deleted while somebody begins to show it. */
export async function existingMedia({ db }: Sql, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const held = db.selectFrom('media').select('id').where('id', '=', anyOf(ids)).orderBy('id').forKeyShare();
  return new Set((await held.execute()).map((media) => media.id));
}

/** Holds the media that a field names; null names none. Problem `validation` on the field when it does not exist. */
export async function requireMedia(tx: Sql, field: string, id: number | null): Promise<void> {
  if (id !== null && !(await existingMedia(tx, [id])).has(id)) throw invalidField(field, 'not_found', 'No such media.');
}
