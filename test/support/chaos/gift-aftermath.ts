import { isDeepStrictEqual } from 'node:util';
import type { Database } from '../../../db/database.ts';
import type { Emulator } from '../../../emulator/server.ts';
import { rebuiltRights, storedRights } from '../rights.ts';
import { ordersAtErp } from './erp-weather.ts';
import type { GiftGuests } from './gift-guests.ts';

type Right = {
  id: string;
  clientId: string;
  status: string;
  source: string;
  quantity: number;
  orderId: string | null;
  itemId: string;
  redemptions: number;
};

type Card = { id: string; comment: string | null; categoryIds: string[] };

/** Rights of a product that has come to rest, by source and state. */
export async function giftCounts(db: Database): Promise<Record<string, number>> {
  const rows = await db.query<{ what: string; count: number }>(
    `select source || ' ' || status as what, count(*)::int as count from compensation group by 1 order by 1`,
  );
  return Object.fromEntries(rows.map(({ what, count }) => [what, count]));
}

/**
 * What is wrong with the gifts of a product that has come to rest, one sentence each: a right that is lost, redeemed twice, or still
 * reserved; one that was redeemed although the ERP does not have its order with the gift once; a gift at the ERP without a right; more
 * rights than promises; a marker that is left of a right that was used; a ledger that says something else than the rows.
 */
export async function giftDifferences(db: Database, emulator: Emulator, { guests }: GiftGuests): Promise<string[]> {
  const rights = await db.query<Right>(
    `select c.id, c.client_id as "clientId", c.status, c.source, c.quantity, c.redeemed_order_id as "orderId", r.erp_item_id as "itemId",
            (select count(*)::int from compensation_move m where m.compensation_id = c.id and m.to_status = 'REDEEMED') as redemptions
       from compensation c join reward r on r.id = c.reward_id`,
  );
  const [promised] = await db.query<{ count: number }>(
    'select count(*)::int as count from compensation_move where version = 0',
  );
  const gifts = new Set(rights.map(({ itemId }) => itemId));
  const created = new Map(
    (await ordersAtErp(emulator))
      .filter(({ creationStatus }) => creationStatus === 'Success')
      // An order that was moved is another one at the ERP, with the same lines.
      .map(({ sent }) => [sent.id, sent.items.filter(({ productId = '' }) => gifts.has(productId))] as const),
  );
  const redeemed = Map.groupBy(
    rights.filter(({ status }) => status === 'REDEEMED'),
    ({ orderId }) => orderId,
  );
  const { customers } = await emulator.control<{ customers: Card[] }>('customers');
  const cards = new Map(customers.map((card) => [card.id, card]));
  const of = (clientId: string) => rights.filter((each) => each.clientId === clientId);
  return [
    ...(promised!.count === rights.length ? [] : [`${promised!.count} promises, ${rights.length} rights`]),
    ...rights.flatMap(({ id, status, redemptions }) => [
      ...(status === 'RESERVED' ? [`right ${id} is still reserved`] : []),
      ...(redemptions === Number(status === 'REDEEMED') ? [] : [`right ${id} is redeemed ${redemptions} times`]),
    ]),
    ...[...redeemed].flatMap(([orderId, all]) => {
      const lines = created.get(orderId ?? '') ?? [];
      return all.flatMap(({ id, itemId, quantity }) => {
        const found = lines.filter(({ productId }) => productId === itemId);
        const isThere = found.length === 1 && found[0]!.amount === quantity && (found[0]!.price ?? 0) === 0;
        return isThere
          ? []
          : [`right ${id} is redeemed by order ${orderId}, of which the ERP has ${found.length} gifts`];
      });
    }),
    ...[...created].flatMap(([orderId, lines]) => {
      const count = redeemed.get(orderId)?.length ?? 0;
      return count === lines.length ? [] : [`order ${orderId} has ${lines.length} gifts at the ERP, ${count} here`];
    }),
    ...guests.flatMap(({ clientId, customerId, byStaff, written }) => {
      const mine = of(clientId);
      const own = mine.filter(({ source }) => source === 'ADMIN').length;
      const read = mine.length - own;
      const used = mine.filter(({ source, status }) => source !== 'ADMIN' && status === 'REDEEMED').length;
      const { comment, categoryIds } = cards.get(customerId)!;
      const present = categoryIds.length + (comment ?? '').split('[COMP]').length - 1;
      return [
        ...(own === byStaff ? [] : [`client ${clientId} has ${own} of ${byStaff} rights that staff have promised`]),
        // Each right that was used had a marker of its own, which must be gone.
        ...(present <= written - used
          ? []
          : [`the card of client ${clientId} has ${present} markers: ${written} were written, ${used} were used`]),
        ...(read <= written ? [] : [`client ${clientId} has ${read} rights from ${written} markers`]),
      ];
    }),
    ...(isDeepStrictEqual(await rebuiltRights(db), await storedRights(db))
      ? []
      : ['the ledger says something else than the rights']),
  ];
}
