import {
  countToLeave,
  isCountedOut,
  type KnownMarker,
  type SeenMarkers,
} from '../rules/markers.ts';
import type { MarkerSource } from '../rules/words.ts';
import type { Sql, Tx } from '../../../platform/db/database.ts';
import type { CompensationStatus } from '../rules/states.ts';
import { createHash } from 'node:crypto';
import { nameKey } from '../rules/comment-blocks.ts';

export type AppliedMarker = KnownMarker & {
  compensationId: string | null;
  status: CompensationStatus | null;
};

type EqualMarkers = { clientId: string; source: MarkerSource; subject: string };

/**
 * Stores how many equal markers must remain. After a lost response, only this number proves the
 * removal (rule CMP-84).
 */
export async function noteEquals(
  tx: Sql,
  { compensationId, ...equals }: EqualMarkers & { compensationId: string },
  there: number,
): Promise<void> {
  const { known } = await tx.db
    .selectFrom('client_marker')
    .select((eb) => eb.fn.countAll<number>().as('known'))
    .where('clientId', '=', equals.clientId)
    .where('source', '=', equals.source)
    .where('subject', '=', equals.subject)
    .where('isPresent', '=', true)
    .executeTakeFirstOrThrow();

  await setCount(tx, compensationId, countToLeave(there, known));
}

/**
 * Returns the removed marker of a redeemed right, or null if the number of equal markers does not
 * prove the removal (rule CMP-84). Requires a locked card.
 */
export async function clearedMarker(
  tx: Tx,
  compensationId: string,
  known: readonly AppliedMarker[],
  seen: SeenMarkers,
): Promise<AppliedMarker | null> {
  const marker = known.find((entry) => entry.compensationId === compensationId);
  const { equalsLeft } = await tx.db
    .selectFrom('marker_clearing')
    .select('equalsLeft')
    .where('compensationId', '=', compensationId)
    .executeTakeFirstOrThrow();
  if (marker === undefined || equalsLeft === null) return null;

  if (isCountedOut(marker, seen, equalsLeft)) return marker;
  // The request had no effect. Someone else makes any later removal.
  if (seen.isWhole) await setCount(tx, compensationId, null);

  return null;
}

async function setCount(
  { db }: Sql,
  compensationId: string,
  equalsLeft: number | null,
): Promise<void> {
  await db
    .updateTable('marker_clearing')
    .set({ equalsLeft })
    .where('compensationId', '=', compensationId)
    .where('equalsLeft', 'is distinct from', equalsLeft)
    .execute();
}

/** Deletes counts that became invalid when an equal marker was removed. */
export async function forgetCounts(
  { db }: Tx,
  { clientId, source, subject }: EqualMarkers,
): Promise<void> {
  await db
    .updateTable('marker_clearing')
    .set({ equalsLeft: null })
    .where('equalsLeft', 'is not', null)
    .where('compensationId', 'in', (eb) =>
      eb
        .selectFrom('client_marker')
        .select((marker) => marker.ref('compensationId').$notNull().as('id'))
        .where('clientId', '=', clientId)
        .where('source', '=', source)
        .where('subject', '=', subject)
        .where('compensationId', 'is not', null),
    )
    .execute();
}

/** Returns the same key for equivalent names. The comment itself is not stored. */
export function blockSubject(name: string): string {
  return createHash('sha256').update(nameKey(name)).digest('hex').slice(0, 32);
}
