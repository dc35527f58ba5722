import { isDeepStrictEqual } from 'node:util';
import type { Database } from '../text-database.ts';
import type { Emulator } from '../../../packages/erp-emulator/server.ts';
import { rebuiltRights, storedRights } from '../rights.ts';
import { giftAccounts } from './gift-accounts.ts';
import type { ForeignOrders } from './foreign-orders.ts';
import type { GiftGuests } from './gift-guests.ts';
import { countRows, selectRows } from '../rows.ts';

type Right = { id: string; clientId: string; status: string; source: string; redemptions: number };
type Card = { id: string; comment: string | null; categoryIds: string[] };

export async function giftCounts(db: Database): Promise<Record<string, number>> {
  const rows = await db.query<{ what: string; count: number }>(
    `select source || ' ' || status as what, count(*)::int as count from compensation group by 1 order by 1`,
  );
  return Object.fromEntries(rows.map(({ what, count }) => [what, count]));
}

/** Lists faults of gifts after a run, one sentence each. */
export async function giftDifferences(
  db: Database,
  emulator: Emulator,
  { guests }: GiftGuests,
  foreign: ForeignOrders,
): Promise<string[]> {
  const rights = await db.query<Right>(
    `select c.id, c.client_id as "clientId", c.status, c.source,
            (select count(*)::int from compensation_move m where m.compensation_id = c.id and m.to_status = 'REDEEMED') as redemptions
       from compensation c`,
  );
  const count = await countRows(db, 'compensation_move', { version: 0 });
  const { customers } = await emulator.control<{ customers: Card[] }>('customers');
  const cards = new Map(customers.map((card) => [card.id, card]));
  // A person with a promise by phone and an order with an ERP id is two clients until merged.
  const clients = await selectRows(db, 'compensation_client', [
    'id',
    'erpCustomerId as customerId',
  ]);
  const of = ({ clientId, customerId }: GiftGuests['guests'][number]) => {
    const ids = new Set([
      clientId,
      ...clients.flatMap((client) => (client.customerId === customerId ? [client.id] : [])),
    ]);
    return rights.filter((right) => ids.has(right.clientId));
  };
  return [
    ...(count === rights.length ? [] : [`${count} promises, ${rights.length} rights`]),
    ...rights.flatMap(({ id, status, redemptions }) => [
      ...(status === 'RESERVED' ? [`right ${id} is still reserved`] : []),
      ...(redemptions === Number(status === 'REDEEMED')
        ? []
        : [`right ${id} is redeemed ${redemptions} times`]),
    ]),
    ...(await giftAccounts(db, emulator, foreign)).differences,
    ...guests.flatMap((guest) => {
      const { clientId, customerId, byStaff, written } = guest;
      const mine = of(guest);
      const own = mine.filter(({ source }) => source === 'ADMIN').length;
      const read = mine.length - own;
      const used = mine.filter(
        ({ source, status }) => source !== 'ADMIN' && status === 'REDEEMED',
      ).length;
      const { comment, categoryIds } = cards.get(customerId)!;
      const present = categoryIds.length + (comment ?? '').split('[COMP]').length - 1;
      return [
        ...(own === byStaff
          ? []
          : [`client ${clientId} has ${own} of ${byStaff} rights that staff have promised`]),
        // The marker of a used right must be removed.
        ...(present <= written - used
          ? []
          : [
              `the card of client ${clientId} has ${present} markers: ${written} were written, ${used} were used`,
            ]),
        ...(read <= written
          ? []
          : [`client ${clientId} has ${read} rights from ${written} markers`]),
      ];
    }),
    ...(isDeepStrictEqual(await rebuiltRights(db), await storedRights(db))
      ? []
      : ['the ledger says something else than the rights']),
  ];
}
