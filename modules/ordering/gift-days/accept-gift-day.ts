import { sql } from 'kysely';
import type { AcceptedGiftDay, GiftDay } from '../schemas/gift-reconciliation.ts';
import { Problem } from '../../../kernel/problem.ts';
import type { Actor } from '../../../kernel/actor.ts';
import { recordAudit } from '../../access/audit/record-audit.ts';
import { keepReason, wordsReference } from '../../access/customers/staff-reasons.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import { requiredTexts } from '../../../kernel/required-texts.ts';
import { resolveGiftDays } from './check-gift-days.ts';
import { giftDays, withAcceptance } from './gift-days.ts';

/**
 * Accepts a day's difference until it changes (rule CMP-71). `fingerprint` identifies the
 * difference. Idempotent. Problems: not-found before the first reconciliation, version-conflict
 * after a change, validation.
 */
export function acceptGiftDay(
  { db, secrets }: { db: Database; secrets: SecretBox },
  actor: Actor,
  { date, organizationErpId, fingerprint, ...input }: AcceptedGiftDay,
): Promise<GiftDay> {
  const { reason } = requiredTexts({ reason: input.reason }, { reason: 500 }, 'words');
  return db.transaction(async (tx) => {
    const existing = await tx.db
      .selectFrom('gift_reconciliation')
      .select(['acceptedFingerprint', 'acceptanceReasonId'])
      .where('day', '=', date)
      .where('organizationErpId', '=', organizationErpId)
      .forUpdate()
      .executeTakeFirstOrThrow(
        () => new Problem('not-found', { detail: 'The day has not been compared yet.' }),
      );

    const dayNow = async () => {
      const query = giftDays(tx, { from: date, to: date, scope: null }).where(
        'counted.organizationErpId',
        '=',
        organizationErpId,
      );

      return (await withAcceptance(tx, { secrets }, await query.execute()))[0];
    };

    const day = await dayNow();
    if (day?.fingerprint !== fingerprint)
      throw new Problem('version-conflict', {
        detail: 'The difference of the day has changed or disappeared. Read the day again.',
      });

    if (existing.acceptedFingerprint === fingerprint) return day;
    const reasonId = await keepReason(tx, { secrets }, reason);
    await tx.db
      .updateTable('gift_reconciliation')
      .set({
        fingerprint,
        differingOrders: day.differingOrders,
        acceptedFingerprint: fingerprint,
        acceptedAt: sql<Date>`now()`,
        acceptedByUserId: actor.type === 'USER' ? actor.userId : null,
        acceptanceReason: null,
        acceptanceReasonId: reasonId,
      })
      .where('day', '=', date)
      .where('organizationErpId', '=', organizationErpId)
      .execute();

    await resolveGiftDays(tx, [{ day: date, organizationErpId }]);
    await recordAudit(tx, actor, {
      entityType: 'gift-day',
      entityId: `${date}/${organizationErpId}`,
      action: 'accept',
      before: {
        acceptedFingerprint: existing.acceptedFingerprint,
        acceptanceReason: wordsReference(existing.acceptanceReasonId),
      },
      after: {
        acceptedFingerprint: fingerprint,
        acceptanceReason: wordsReference(reasonId),
        differingOrders: day.differingOrders,
      },
      reasonId,
    });

    return (await dayNow())!;
  });
}
