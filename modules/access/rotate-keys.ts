import { sql } from 'kysely';
import type { SecretBox } from '../../platform/secrets.ts';
import { systemActor } from '../../kernel/actor.ts';
import { recordAudit } from './audit/record-audit.ts';
import type { Database } from '../../platform/db/database.ts';
import { createKeys } from './keyring.ts';

export type RotatedKeys = { retired: number; sessionsEnded: number };

/**
 * Replaces the token keys. Every instance uses them within a second (rule ACC-14). Old tokens stay
 * valid; compromised keys end all sessions.
 */
export function rotateKeys(
  { db, secrets }: { db: Database; secrets: SecretBox },
  { isCompromised }: { isCompromised: boolean },
): Promise<RotatedKeys> {
  return db.transaction(async (tx) => {
    await sql`lock table access_signing_key in share row exclusive mode`.execute(tx.db);
    const retired = await tx.db
      .updateTable('access_signing_key')
      .set({ retiredAt: isCompromised ? sql<Date>`'-infinity'` : sql<Date>`now()` })
      .$if(!isCompromised, (keys) => keys.where('retiredAt', 'is', null))
      .returning('kid')
      .execute();

    await createKeys(tx, secrets);
    const ended = !isCompromised
      ? []
      : await tx.db
          .updateTable('access_session')
          .set({ endedAt: sql<Date>`now()`, endReason: 'KEYS_COMPROMISED' })
          .where('endedAt', 'is', null)
          .returning('id')
          .execute();

    await recordAudit(tx, systemActor('keys-rotate'), {
      entityType: 'signing-key',
      entityId: 'all',
      action: 'rotate',
      after: { retired: retired.length, isCompromised, sessionsEnded: ended.length },
    });

    return { retired: retired.length, sessionsEnded: ended.length };
  });
}
