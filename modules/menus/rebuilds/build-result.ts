import { sql } from 'kysely';
import { json, type Sql } from '../../../platform/db/database.ts';

/** Records a build up to `dirtySeq`. Returns true if newer reasons exist. */
export async function markBuilt(
  tx: Sql,
  organizationId: number,
  dirtySeq: number,
): Promise<boolean> {
  const request = await tx.db
    .updateTable('snapshot_request')
    .set({
      builtSeq: sql<number>`greatest(built_seq, ${dirtySeq})`,
      failedSeq: null,
      failedAt: null,
      failure: null,
    })
    .where('organizationId', '=', organizationId)
    .returning(sql<boolean>`dirty_seq > built_seq`.as('pending'))
    .executeTakeFirst();

  return request?.pending ?? false;
}

/**
 * Records a build that would fail again. It is retried after further reasons, or after an hour
 * (SNP-46). `failure` is for operators.
 */
export async function recordBrokenBuild(
  { db }: Sql,
  organizationId: number,
  { dirtySeq, failure }: { dirtySeq: number; failure: string },
): Promise<void> {
  await db
    .updateTable('snapshot_request')
    .set({ failedSeq: dirtySeq, failedAt: sql<Date>`now()`, failure: failure.slice(0, 500) })
    .where('organizationId', '=', organizationId)
    .execute();
}

/** Returns the newest reason for a build; 0 if there is none. */
export async function newestReason({ db }: Sql, organizationId: number): Promise<number> {
  const request = await db
    .selectFrom('snapshot_request')
    .select('dirtySeq')
    .where('organizationId', '=', organizationId)
    .executeTakeFirst();

  return request?.dirtySeq ?? 0;
}

/** Returns the last of `DIRTY_SOURCES`, or null. */
export async function lastSource({ db }: Sql, organizationId: number): Promise<string | null> {
  const request = await db
    .selectFrom('snapshot_request')
    .select('reason')
    .where('organizationId', '=', organizationId)
    .executeTakeFirst();

  return request?.reason ?? null;
}

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

export async function forgetTooLarge(tx: Sql, organizationId: number): Promise<void> {
  await tx.db
    .updateTable('snapshot_request')
    .set({ tooLargeBytes: null, tooLargeParts: null })
    .where('organizationId', '=', organizationId)
    .where('tooLargeBytes', 'is not', null)
    .execute();
}
