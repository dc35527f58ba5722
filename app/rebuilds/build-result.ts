import { sql } from 'kysely';
import { json, type Sql } from '../../db/database.ts';

/**
 * Records, in the build's own transaction, that the reasons up to `dirtySeq` are dealt with; an older build takes nothing back. True
 * when there are newer ones.
 */
export async function markBuilt(tx: Sql, organizationId: number, dirtySeq: number): Promise<boolean> {
  const request = await tx.db
    .updateTable('snapshot_request')
    .set({ builtSeq: sql<number>`greatest(built_seq, ${dirtySeq})` })
    .where('organizationId', '=', organizationId)
    .returning(sql<boolean>`dirty_seq > built_seq`.as('pending'))
    .executeTakeFirst();
  return request?.pending ?? false;
}

/** Records the size of a menu that was too large to be published, and what its bytes are made of. */
export async function recordTooLarge(
  tx: Sql,
  organizationId: number,
  { bytes, parts }: { bytes: number; parts: Readonly<Record<string, number>> },
): Promise<void> {
  const tooLarge = { tooLargeBytes: bytes, tooLargeParts: json(parts) };
  await tx.db
    .insertInto('snapshot_request')
    .values({ organizationId, ...tooLarge })
    .onConflict((conflict) => conflict.column('organizationId').doUpdateSet(tooLarge))
    .execute();
}

/** Forgets that the menu was too large: the latest build is not. */
export async function forgetTooLarge(tx: Sql, organizationId: number): Promise<void> {
  await tx.db
    .updateTable('snapshot_request')
    .set({ tooLargeBytes: null, tooLargeParts: null })
    .where('organizationId', '=', organizationId)
    .where('tooLargeBytes', 'is not', null)
    .execute();
}
