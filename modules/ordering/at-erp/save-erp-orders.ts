import { sql } from 'kysely';
import type { ErpDelivery } from '../../../erp/schemas/deliveries.ts';
import type { Actor } from '../../../kernel/actor.ts';
import { anyOf, json, type Sql } from '../../../platform/db/database.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import { recordAudits } from '../../access/audit/record-audit.ts';
import { normalPhone } from '../../access/rules/phone.ts';
import { effectiveTimeZone } from '../../delivery/configuration/ordering-config.ts';
import { phoneDigest } from '../../gifts/clients/clients.ts';
import { isPrice, kopecks } from '../../mirror/rules/values.ts';
import { ordersOfPhone } from '../orders/orders-of-phone.ts';
import { reportedState, type OrderState } from '../rules/order-states.ts';
import type { ErpOrderLine } from '../tables/erp-orders.ts';

type Created = Extract<ErpDelivery, { creation: 'SUCCESS' }>;
type Deps = { db: Sql; secrets: SecretBox; env: { SYNC_TIME_ZONE: string } };
type Place = { id: number; timeZone: string };

const ROWS_PER_STATEMENT = 500;

/**
 * Stores orders from other channels except `ownIds` (rule ORD-94). The highest ERP timestamp wins.
 * Idempotent.
 */
export async function saveErpOrders(
  deps: Deps,
  connectionId: number,
  facts: readonly ErpDelivery[],
  ownIds: ReadonlySet<string>,
): Promise<void> {
  const { db } = deps.db;
  const created = facts.filter((fact): fact is Created => fact.creation === 'SUCCESS');
  const isOwn = ({ id, movedFrom, movedTo }: Created) =>
    [id, movedFrom, movedTo?.deliveryId].some((entry) => entry != null && ownIds.has(entry));
  if (created.length === 0) return;
  const places = await readPlaces(deps, connectionId);
  const rows = created.flatMap((fact) => {
    const place = places.get(fact.organizationId);
    return place === undefined || isOwn(fact) ? [] : toRows(deps, connectionId, place, fact);
  });

  // A statement must not write a row twice.
  const newest = new Map<string, (typeof rows)[number]>();

  for (const row of rows.toSorted(
    (a, b) =>
      a.erpTimestamp - b.erpTimestamp || Number(a.movedTo !== null) - Number(b.movedTo !== null),
  )) {
    const movedTo = row.movedTo ?? newest.get(row.id)?.movedTo ?? null;
    const guest = movedTo === null ? {} : { phoneDigest: null, erpCustomerId: null };
    newest.set(row.id, { ...row, ...guest, movedTo });
  }

  const ordered = [...newest.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));

  for (let at = 0; at < ordered.length; at += ROWS_PER_STATEMENT)
    await db
      .insertInto('erp_order')
      .values(
        ordered
          .slice(at, at + ROWS_PER_STATEMENT)
          .map((row) => ({ ...row, lines: json(row.lines), moves: json(row.moves) })),
      )
      .onConflict((conflict) =>
        conflict
          .column('id')
          .doUpdateSet((eb) => ({
            ...Object.fromEntries(CHANGING.map((column) => [column, eb.ref(`excluded.${column}`)])),
            movedTo: sql<string | null>`coalesce(excluded.moved_to, erp_order.moved_to)`,
            state: sql<OrderState>`case when excluded.moves = '[]' then erp_order.state else excluded.state end`,
            phoneDigest: guestColumn('phone_digest'),
            erpCustomerId: guestColumn('erp_customer_id'),
            moves: sql<never>`case when erp_order.moves -> -1 ->> 'state' = excluded.state then erp_order.moves
                                  else erp_order.moves || excluded.moves end`,
          }))
          .where((eb) =>
            eb.or([
              eb('erp_order.erpTimestamp', '<', eb.ref('excluded.erpTimestamp')),
              sql<boolean>`erp_order.moved_to is null and excluded.moved_to is not null`,
            ]),
          ),
      )
      .execute();

  if (ownIds.size > 0)
    await db
      .deleteFrom('erp_order')
      .where('id', '=', anyOf([...ownIds], 'uuid'))
      .execute();
}

export type StoredErpOrder = ReturnType<typeof toRows>[number];

/** Returns null if the restaurant has no row. */
export async function buildErpOrder(
  deps: Deps,
  connectionId: number,
  fact: Created,
): Promise<StoredErpOrder | null> {
  const place = (await readPlaces(deps, connectionId)).get(fact.organizationId);
  return place === undefined ? null : toRows(deps, connectionId, place, fact)[0]!;
}

const CHANGING = [
  'connectionId',
  'organizationId',
  'erpTimestamp',
  'number',
  'fulfillmentType',
  'paymentKind',
  'persons',
  'isAsap',
  'dueAt',
  'totalKopecks',
  'lines',
] as const;

/** Keeps guests erased. An order that moved has its guest only under the new id. */
const guestColumn = (column: string) =>
  sql<
    string | null
  >`case when erp_order.erased_at is null and coalesce(excluded.moved_to, erp_order.moved_to) is null
                          then ${sql.ref(`excluded.${column}`)} end`;

async function readPlaces({ db, env }: Deps, connectionId: number): Promise<Map<string, Place>> {
  const rows = await db.db
    .selectFrom('mirror_organization as organization')
    .leftJoin('ordering_config as config', 'config.organizationId', 'organization.id')
    .select([
      'organization.id',
      'organization.erpId',
      'organization.timeZone as ofErp',
      'config.timeZone as own',
    ])
    .where('organization.connectionId', '=', connectionId)
    .execute();

  return new Map(
    rows.map(({ id, erpId, own, ofErp }) => [
      erpId,
      { id, timeZone: effectiveTimeZone(own, ofErp, env.SYNC_TIME_ZONE) },
    ]),
  );
}

/** Includes the former id, so that a late report creates no second order. */
function toRows(
  deps: Deps,
  connectionId: number,
  { id: organizationId, timeZone }: Place,
  fact: Created,
) {
  const { content, timestamp } = fact;
  const state = reportedState(fact);
  const placedAt = parseMoment(content.createdAt, timeZone) ?? new Date(timestamp);
  const phone = normalPhone(content.phone ?? '');
  const lines = content.items.map(toLine);
  const row = {
    id: fact.id,
    connectionId,
    organizationId,
    erpTimestamp: timestamp,
    movedTo: fact.movedTo?.deliveryId ?? null,
    number: fact.number === null ? '' : String(fact.number),
    state: state ?? ('CONFIRMED' as const),
    fulfillmentType: content.isPickup ? ('PICKUP' as const) : ('DELIVERY' as const),
    paymentKind: content.paymentKind,
    persons: content.persons ?? 1,
    timeZone,
    placedAt,
    isAsap: content.isAsap,
    dueAt: parseMoment(content.completeBefore, timeZone),
    totalKopecks: toPrice(fact.sum) ?? lines.reduce((sum, line) => sum + line.lineTotalKopecks, 0),
    lines,
    moves: state === null ? [] : [{ state, at: new Date(timestamp).toISOString() }],
    phoneDigest: phone === null ? null : phoneDigest(deps, phone),
    erpCustomerId: content.customerId,
  };

  return fact.movedFrom === null ? [row] : [row, { ...row, id: fact.movedFrom, movedTo: fact.id }];
}

const toPrice = (rubles: number | null): number | null =>
  rubles !== null && isPrice(rubles) ? kopecks(rubles) : null;

function toLine({
  itemId,
  sizeId,
  name,
  sizeName,
  quantity,
  price,
  total,
  modifiers,
}: Created['content']['items'][number]): ErpOrderLine {
  const unitPriceKopecks = toPrice(price) ?? 0;
  return {
    itemId,
    sizeId,
    name,
    sizeName,
    quantity,
    unitPriceKopecks,
    lineTotalKopecks: toPrice(total) ?? Math.round(unitPriceKopecks * quantity),
    modifiers: modifiers.map(({ price: each, ...modifier }) => ({
      ...modifier,
      unitPriceKopecks: toPrice(each) ?? 0,
    })),
  };
}

function parseMoment(text: string | null, timeZone: string): Date | null {
  if (text === null) return null;
  try {
    return new Date(
      Temporal.PlainDateTime.from(text.replace(' ', 'T')).toZonedDateTime(timeZone)
        .epochMilliseconds,
    );
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/**
 * Erases a guest by phone or ERP customer (rules CLI-6, ORD-119). Must run before the card is
 * erased. Idempotent.
 */
export async function eraseErpOrders(
  tx: Sql,
  actor: Actor,
  { digests, reasonId }: { digests: readonly string[]; reasonId: string },
): Promise<void> {
  const erased = await tx.db
    .updateTable('erp_order')
    .set(ERASED)
    .where('id', 'in', ordersOfPhone(tx, digests))
    .returning('id')
    .execute();

  await recordAudits(
    tx,
    actor,
    erased.map(({ id }) => ({ entityType: 'order', entityId: id, action: 'erase', reasonId })),
  );
}

export const ERASED = { phoneDigest: null, erpCustomerId: null, erasedAt: sql<Date>`now()` };

/** Erases guests of at most `limit` orders (rule ORD-94). Returns the number of orders. */
export async function forgetErpOrders({ db }: Sql, days: number, limit: number): Promise<number> {
  const old = db
    .selectFrom('erp_order')
    .select('id')
    .where((eb) => eb.or([eb('phoneDigest', 'is not', null), eb('erpCustomerId', 'is not', null)]))
    .where('placedAt', '<', sql<Date>`now() - ${days}::int * interval '1 day'`)
    .limit(limit);

  const { numUpdatedRows } = await db
    .updateTable('erp_order')
    .set(ERASED)
    .where('id', 'in', old)
    .executeTakeFirstOrThrow();

  return Number(numUpdatedRows);
}
