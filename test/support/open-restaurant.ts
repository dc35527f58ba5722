import type { Database } from './text-database.ts';
import { addRow } from './rows.ts';

/** No test may depend on the time of day. */
export const ALWAYS_OPEN = [1, 2, 3, 4, 5, 6, 7].flatMap((dayOfWeek) =>
  (['DELIVERY', 'DINE_IN'] as const).map((channel) => ({
    dayOfWeek,
    channel,
    opensAt: '00:00',
    closesAt: '00:00',
    crossesMidnight: true,
  })),
);

export async function openForOrders(db: Database, organizationId: number): Promise<void> {
  await addRow(db, 'ordering_schedule', { organizationId, windows: ALWAYS_OPEN });
  await addRow(db, 'ordering_config', {
    organizationId,
    deliveryEnabled: true,
    pickupEnabled: true,
  });
  await db.query(
    `update payment_method set availability = availability || $1 where code in ('CASH', 'CARD_COURIER')`,
    [JSON.stringify([{ organizationId, fulfillmentTypes: ['DELIVERY', 'PICKUP'] }])],
  );
}
