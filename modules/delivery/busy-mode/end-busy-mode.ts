import { sql } from 'kysely';
import { systemActor } from '../../../kernel/actor.ts';
import type { Database } from '../../../platform/db/database.ts';
import { recordAudits } from '../../access/audit/record-audit.ts';
import { announceBusyModes, lockBusyModes } from './busy-mode-rows.ts';

/** `remainingMs`: time until the next end. */
export type BusyModesEnded = { ended: number; remainingMs: number | null };

/** Deletes expired busy modes (FUL-70). Idempotent. */
export function endDueBusyModes({ db }: { db: Database }): Promise<BusyModesEnded> {
  return db.transaction(async (tx) => {
    await lockBusyModes(tx);
    const ended = await tx.db
      .deleteFrom('busy_mode')
      .where('until', '<=', sql<Date>`clock_timestamp()`)
      .returning(['organizationId', 'extraMinutes', 'until'])
      .execute();

    await recordAudits(
      tx,
      systemActor('busy-mode'),
      ended.map(({ organizationId, extraMinutes, until }) => ({
        entityType: 'busy-mode',
        entityId: organizationId,
        action: 'ended',
        before: { extraMinutes, until: until.toISOString() },
      })),
    );

    await announceBusyModes(
      tx,
      ended.map((mode) => mode.organizationId),
    );

    const remainingMs = sql<number | null>`
      ceil(extract(epoch from min(until) - clock_timestamp()) * 1000)::float8`.as('remainingMs');
    const next = await tx.db.selectFrom('busy_mode').select(remainingMs).executeTakeFirstOrThrow();

    return {
      ended: ended.length,
      remainingMs: next.remainingMs === null ? null : Math.max(1, next.remainingMs),
    };
  });
}
