import { markDirty } from '../../modules/menus/rebuilds/mark-dirty.ts';
import { openForOrders } from '../../test/support/open-restaurant.ts';
import { fillLargeTables } from '../../test/support/large-database.ts';
import { menuRows } from '../../test/support/menu-rows.ts';
import type { Database } from '../../test/support/text-database.ts';
import { asOwner } from '../../test/support/database-roles.ts';

const [DISHES, SAUCES] = [300, 5];

/** A copy of the discount in the large tables. */
const LIMITED_DISCOUNT = {
  code: 'LARGE',
  name: 'Large',
  kind: 'PERCENT',
  value: 5,
  is_combinable: true,
};

const MOST_USES = 100_000;

const EARLIER_ORDERS = 20_000;
/** Orders per statement. Statements have a time limit. */
const AT_ONCE = 2_000;

/**
 * Adds a restaurant with many dishes, three discounts and many orders, because PostgreSQL plans by
 * table size. With `isLarge` there are a million orders and 50,000 uses of a discount.
 */
export async function busyRestaurant(
  db: Database,
  { isLarge = false, hasLimitedDiscount = true } = {},
): Promise<{ organizationErpId: string; variantIds: number[] }> {
  const rows = menuRows(db);
  const place = await rows.restaurant();
  const price = (kopecks: number) => ({ [place.organizationId]: kopecks });
  const sauces = [];
  for (let at = 0; at < SAUCES; at += 1)
    sauces.push(await rows.modifier(place.menuId, price(3_000 + at)));
  const variantIds: number[] = [];

  for (let at = 0; at < DISHES; at += 1) {
    const dish = await rows.dish({ ...place, prices: price(20_000 + at) });
    const groupId = await rows.group(place.menuId, dish.sizeId, { free_quantity: 1 });
    for (const sauce of sauces)
      await rows.link(groupId, sauce.itemId, { default_quantity: sauce === sauces[0] ? 1 : 0 });
    variantIds.push(dish.variantId);
  }

  for (const code of ['a', 'b', 'c'])
    await rows.insert('discount', {
      code,
      name: code,
      kind: 'PERCENT',
      value: 5,
      is_combinable: true,
    });

  await openForOrders(db, place.organizationId);
  // An import marks the menu. Processes keep no dishes of a menu without a mark (ORD-164).
  await markDirty(db, 'menu-import', [place.organizationId]);
  await earlierOrders(db, place.organizationId);
  // Only the number of rows differs between the databases.
  if (isLarge) await fillLargeTables(db, place);
  else if (hasLimitedDiscount)
    await rows.insert('discount', { ...LIMITED_DISCOUNT, total_uses: MOST_USES });
  await asOwner(db, 'analyze');

  return { organizationErpId: place.organizationErpId, variantIds };
}

async function earlierOrders(db: Database, organizationId: number): Promise<void> {
  for (let from = 1; from <= EARLIER_ORDERS; from += AT_ONCE)
    await insertOrders(db, organizationId, from, from + AT_ONCE - 1);
  await db.query(
    `insert into personal_data (id, purpose, data_encrypted) select gen_random_uuid(), 'ORDER', '' from generate_series(1, $1)`,
    [EARLIER_ORDERS],
  );

  await db.query(
    `insert into idempotency_key (scope, key, fingerprint, status, body)
     select 'earlier', gen_random_uuid()::text, '', 201, '{}' from generate_series(1, $1)`,
    [EARLIER_ORDERS],
  );
}

async function insertOrders(
  db: Database,
  organizationId: number,
  from: number,
  to: number,
): Promise<void> {
  await db.query(
    `with carts as (
       insert into cart (id, organization_id, lines, options, changes, answered, version)
       select gen_random_uuid(), $1, '[]', '{}', '[]', '', 1 from generate_series($2::int, $3::int) returning id),
     quotes as (
       insert into order_quote (id, cart_id, cart_version, digest, terms, sums, sums_digest, is_binding, valid_until)
       select gen_random_uuid(), id, 1, '', '{}', '{}', '', true, now() from carts),
     orders as (
       insert into customer_order (id, number, day, organization_id, connection_id, cart_id, cart_version, fulfillment_type, slot_id,
         time_zone, due_at, eta_minutes, payment_method, leave_at_door, persons, subtotal_kopecks, discount_kopecks, delivery_fee_kopecks,
         total_kopecks, state, send_until, ended_at)
       select gen_random_uuid(), (10000 + at)::text, date '2026-01-01' + at % 300, $1, organization.connection_id, gen_random_uuid(), 1,
              'PICKUP', 'asap', 'Europe/Moscow', now(), 20, 'CASH', false, 1, 0, 0, 0, 0, 'CLOSED', now(), now()
         from generate_series($2::int, $3::int) at, mirror_organization organization where organization.id = $1 returning id),
     moves as (insert into order_move (order_id, state, by) select id, 'ACCEPTED', 'CUSTOMER' from orders)
     insert into order_line (order_id, position, kind, is_hidden, erp_item_id, name, quantity, modifiers,
       base_price_kopecks, unit_price_kopecks, line_total_kopecks)
     select id, at, 'ITEM', false, gen_random_uuid(), '', 1, '[]', 0, 0, 0 from orders, generate_series(0, 9) at`,
    [organizationId, from, to],
  );
}
