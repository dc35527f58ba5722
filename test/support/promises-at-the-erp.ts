import { toScheduleId } from '../../kernel/pure/define-workflow.ts';
import { giftReconciliationWorkflow } from '../../modules/ordering/messages/gift-reconciliation.ts';
import { ensureClient } from '../../modules/gifts/clients/clients.ts';
import { readEnv } from '../../modules/env.ts';
import { createSecretBox } from '../../platform/secrets.ts';
import { connectTemporal } from '../../platform/temporal.ts';
import { readLoyalty } from './erp-guests.ts';
import { eventually } from './processes.ts';
import type { DemoProduct } from './product.ts';
import { grantTo } from './rights.ts';
import { not, selectRow, selectRows } from './rows.ts';

const DAY_MS = 86_400_000;
const PATIENCE_MS = 180_000;
/**
 * A client with two gift categories and two phrases in the comment, and a client who has used one
 * of two portions.
 */
const [PROMISED, FEWER] = ['+79990003344', '+79990004455'];
const COMMENT =
  'Аллергия на орехи, должны ролл. Домофон не работает. Должны ролл за 14.10, звонила Ольга.';

type Reward = { id: number; code: string; version: number; erpItemId: string };

/**
 * Adds promises at the ERP that staff decide on, a gift without a right, and a day with a
 * difference.
 */
export async function promisesAtTheErp({
  product,
  admin,
  organizationId,
}: DemoProduct): Promise<void> {
  const { db, emulator, env } = product;
  const program = await readLoyalty(emulator);
  const { items } = await admin.get<{ items: Reward[] }>('/rewards');
  const [tart, juice] = ['TART', 'JUICE'].map((code) =>
    items.find((item) => item.code === code)!,
  ) as [Reward, Reward];
  for (const [reward, categoryId] of [
    [tart, program.dessert],
    [juice, program.roll],
  ] as const)
    await admin.patch(`/rewards/${reward.id}`, { version: reward.version, categoryId });
  await admin.patch('/settings/gift_phrases', {
    version: 0,
    value: { usual: ['должны ролл'], connections: {} },
  });

  const connection = await selectRow(db, 'connection', ['id'], {}, { orderBy: 'id', limit: 1 });
  const connectionId = connection.id;
  const deps = { secrets: createSecretBox(readEnv(env).ENCRYPTION_KEYS) };
  const clientId = await db.transaction((tx) =>
    ensureClient(tx, deps, { connectionId, phone: FEWER }),
  );
  await grantTo(db, {
    clientId,
    rewardId: tart.id,
    quantity: 2,
    at: new Date(Date.now() - 3 * DAY_MS),
  });

  const categoryIds = [program.dessert, program.roll];
  const customerId = await program.put({ phone: PROMISED, comment: COMMENT, categoryIds });
  const gift = {
    organizationId,
    items: [{ productId: tart.erpItemId, amount: 1, price: 0 }],
    daysAgo: 1,
  };
  for (const guest of [{ phone: PROMISED, customerId }, { phone: FEWER }])
    await emulator.control('put-delivery', { ...gift, ...guest });

  const temporal = await connectTemporal({ ...product.temporal, identity: 'demo-gifts' });
  try {
    // The reconciliation reads recent orders, and the cards of clients who had a gift without a
    // right.
    await temporal.client.schedule
      .getHandle(toScheduleId(giftReconciliationWorkflow.id({ connectionId })))
      .trigger();
    await eventually(
      'the days with gifts are compared',
      async () => (await selectRows(db, 'gift_reconciliation', '*', { fingerprint: not(null) }))[0],
      PATIENCE_MS,
    );
  } finally {
    await temporal.close();
  }
}
