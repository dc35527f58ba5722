import type { SecretBox } from '../../../platform/secrets.ts';
import { anyOf, type Database } from '../../../platform/db/database.ts';
import type { ErpDelivery } from '../../../erp/schemas/deliveries.ts';
import { normalPhone } from '../../access/rules/phone.ts';
import { raiseNotification } from '../../notifications/raise-notification.ts';
import { findClients } from '../clients/clients.ts';
import { giftsOfOrder, type GiftReward } from '../rules/order-gifts.ts';

type Created = Extract<ErpDelivery, { creation: 'SUCCESS' }>;

const PAID_SUBJECT = 'erp-order';

/**
 * Notifies staff once per order if a client has paid for a dish that a right covers. The right
 * stays (rule CMP-99).
 */
export async function notifyPaidGifts(
  { db, secrets }: { db: Database; secrets: SecretBox },
  connectionId: number,
  fact: Created,
  dishes: readonly GiftReward[],
): Promise<void> {
  const paid = fact.content.lines
    .filter(({ isPaid }) => isPaid)
    .map((line) => ({ ...line, isPaid: false }));
  const rewardIds = giftsOfOrder(paid, dishes).flatMap((gift) => gift.rewardIds);
  const { customerId, phone } = fact.content;
  if (rewardIds.length === 0 || fact.status === 'Cancelled') return;
  await db.transaction(async (tx) => {
    const clients = await findClients(
      tx,
      { secrets },
      {
        connectionId,
        erpCustomerId: customerId ?? undefined,
        phone: phone === null ? undefined : (normalPhone(phone) ?? undefined),
      },
    );

    const right = await tx.db
      .selectFrom('compensation')
      .select(['id', 'rewardId'])
      .where(
        'clientId',
        '=',
        anyOf(
          clients.slice(0, 1).map(({ id }) => id),
          'uuid',
        ),
      )
      .where('rewardId', '=', anyOf(rewardIds))
      .where('status', 'in', ['GRANTED', 'RESERVED'])
      .orderBy('grantedAt')
      .limit(1)
      .executeTakeFirst();
    if (right === undefined) return;

    const existing = await tx.db
      .selectFrom('notification')
      .select('id')
      .where('kind', '=', 'COMPENSATION_DIVERGENCE')
      .where('subjectType', '=', PAID_SUBJECT)
      .where('subjectId', '=', fact.id)
      .limit(1)
      .executeTakeFirst();
    if (existing !== undefined) return;

    await raiseNotification(tx, {
      kind: 'COMPENSATION_DIVERGENCE',
      subjectType: PAID_SUBJECT,
      subjectId: fact.id,
      details: {
        what: 'PAID_FOR',
        erpOrderId: fact.id,
        organizationErpId: fact.organizationId,
        compensationId: right.id,
        rewardId: right.rewardId,
      },
    });
  });
}
