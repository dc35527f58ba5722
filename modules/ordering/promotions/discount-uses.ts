import { sql, type RawBuilder } from 'kysely';
import { anyOf, type Sql, type Statements } from '../../../platform/db/database.ts';
import type { OfferedDiscount } from '../rules/cart-facts.ts';

type Limits = Pick<OfferedDiscount, 'id' | 'totalUses' | 'oncePerCustomer' | 'firstOrderOnly'>;

export function unlimitedAmong(
  discountIds: readonly number[],
  facts: readonly Limits[],
): Set<number> {
  return new Set(
    facts
      .filter((fact) => fact.totalUses === null && !fact.oncePerCustomer && !fact.firstOrderOnly)
      .map((fact) => fact.id)
      .filter((id) => discountIds.includes(id)),
  );
}

export const unlimitedUses = (
  db: Statements,
  {
    orderId,
    customerId,
    discountIds,
  }: { orderId: string; customerId: string | null; discountIds: ReadonlySet<number> },
) =>
  db
    .insertInto('discount_use')
    .columns(['discountId', 'orderId', 'customerId'])
    .expression((eb) =>
      eb
        .selectFrom('discount')
        .select([
          'id',
          sql<string>`${orderId}::uuid`.as('order'),
          sql<string | null>`${customerId}::text`.as('customer'),
        ])
        .where('id', '=', anyOf([...discountIds])),
    );

/** Selects the number of uses of a limited discount. */
export const countedUses = (discountId: RawBuilder<unknown>) =>
  sql<number>`(select coalesce(sum(counted.uses), 0) from discount_count counted where counted.discount_id = ${discountId})`;

/**
 * Selects `uses` by orders that have not failed, and `usesLeft`, which is null without a limit. A
 * trigger counts limited discounts (ORD-103).
 */
export const selectUses = (table: string) => {
  const [id, limit] = [sql.ref(`${table}.id`), sql.ref(`${table}.totalUses`)];
  const uses = sql<number>`(case when ${limit} is not null then ${countedUses(id)}
    else (select count(*) from discount_use used where used.discount_id = ${id}) end)`;

  return [
    sql<number>`${uses}::int`.as('uses'),
    sql<
      number | null
    >`(case when ${limit} is not null then greatest(${limit} - ${countedUses(id)}, 0) end)::int`.as(
      'usesLeft',
    ),
  ];
};

/**
 * Returns false if a discount is used up, even if it has ended since (ORD-88). A trigger counts
 * uses in a random share of the limit. A lost race fails with 40001 or 23505 and requires a new
 * evaluation (ORD-103).
 */
export async function useDiscounts(
  { db }: Sql,
  {
    orderId,
    customerId,
    discountIds,
  }: { orderId: string; customerId: string | null; discountIds: readonly number[] },
): Promise<boolean> {
  if (discountIds.length === 0) return true;
  const { rows } = await sql<{ isUsedUp: boolean }>`
    with wanted as (
      select discount.id, discount.total_uses,
             case when discount.once_per_customer or discount.first_order_only then ${customerId}::text end as once_for
        from discount where discount.id = ${anyOf(discountIds)}),
    free as (
      select * from wanted
       where (total_uses is null or ${countedUses(sql.ref('wanted.id'))} < total_uses)
         and not exists (select 1 from discount_use own where own.discount_id = wanted.id and own.once_for = wanted.once_for)),
    taken as (
      insert into discount_use (discount_id, order_id, customer_id, once_for)
      select id, ${orderId}::uuid, ${customerId}, once_for from free order by id
      returning discount_id)
    select (select count(*) from wanted) > (select count(*) from taken) as is_used_up`.execute(db);

  return rows[0]?.isUsedUp !== true;
}

export const releasedUses = (db: Statements, orderId: string) =>
  db.deleteFrom('discount_use').where('orderId', '=', orderId);
