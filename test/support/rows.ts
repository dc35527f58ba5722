import { randomUUID } from 'node:crypto';
import { JsonType } from '@mikro-orm/core';
import type { Insertable, Selectable } from 'kysely';
import { json } from '../../platform/db/database.ts';
import { entities, type Tables } from '../../modules/registry.ts';
import type { Sql } from './text-database.ts';

/** What a test says about a row; the rest comes from {@link DEFAULTS} and from the database. */
export type Row<T extends keyof Tables> = Partial<Insertable<Tables[T]>>;
type Stored<T extends keyof Tables> = Selectable<Tables[T]>;

const now = () => new Date();
let made = 0;
const unique = (word: string) => `${word} ${(made += 1)}`;

/** The columns that a row must have, for rows of which a test says nothing else. */
const DEFAULTS: { readonly [T in keyof Tables]?: () => Row<T> } = {
  connection: () => ({ name: unique('connection'), apiLoginEncrypted: 'sealed', status: 'DISABLED' }),
  catalog_category: () => ({ slug: randomUUID(), name: unique('category') }),
  catalog_product: () => ({ slug: randomUUID(), name: unique('product') }),
  customer_order: () => ({
    id: randomUUID(),
    number: unique('order'),
    day: '2031-02-03',
    cartId: randomUUID(),
    cartVersion: 1,
    fulfillmentType: 'PICKUP',
    slotId: 'asap',
    timeZone: 'Europe/Moscow',
    dueAt: now(),
    etaMinutes: 30,
    paymentMethod: 'CASH',
    leaveAtDoor: false,
    persons: 1,
    subtotalKopecks: 100,
    discountKopecks: 0,
    deliveryFeeKopecks: 0,
    totalKopecks: 100,
    // What the gate decided is for tests of the gate.
    decision: {} as never,
    sendUntil: now(),
  }),
  media: () => ({
    sha256: randomUUID(),
    originalName: 'test.jpg',
    mime: 'image/jpeg',
    width: 800,
    height: 800,
    bytes: 1,
    renditions: [
      { name: 'card', density: 1, format: 'webp', width: 400, height: 400, bytes: 1, url: '/media/test/card.webp' },
      { name: 'full', density: 1, format: 'webp', width: 800, height: 800, bytes: 1, url: '/media/test/full.webp' },
    ],
  }),
  mirror_external_menu: () => ({ erpId: randomUUID(), name: unique('menu'), synchronizedAt: now() }),
  mirror_item: () => ({
    erpId: randomUUID(),
    role: 'DISH',
    type: 'DISH',
    name: unique('dish'),
    firstSeenAt: now(),
    synchronizedAt: now(),
  }),
  mirror_item_menu: () => ({ name: 'dish', synchronizedRun: 1 }),
  mirror_item_size: () => ({ erpSizeId: '', firstSeenAt: now() }),
  mirror_organization: () => ({ erpId: randomUUID(), name: unique('organization'), raw: {}, synchronizedAt: now() }),
  mirror_price: () => ({ changedAt: now() }),
  mirror_size_menu: () => ({ synchronizedRun: 1 }),
};

/** Properties of each table that are stored as JSON: the driver would take their lists for arrays of PostgreSQL. */
const JSON_COLUMNS = new Map(
  entities.map(({ meta }) => [
    meta.tableName,
    Object.entries<{ type: unknown }>(meta.properties).flatMap(([name, { type }]) => (type === JsonType ? [name] : [])),
  ]),
);

/** Inserts rows and returns them as they are stored. */
export async function addRows<T extends keyof Tables>(
  { db }: Sql,
  table: T,
  rows: readonly Row<T>[],
): Promise<Stored<T>[]> {
  if (rows.length === 0) return [];
  const values = rows.map((row) => {
    const given: Record<string, unknown> = { ...DEFAULTS[table]?.(), ...row };
    for (const column of JSON_COLUMNS.get(table) ?? []) if (column in given) given[column] = json(given[column]);
    return given;
  });
  const insert = db.insertInto(table).values(values as never);
  return (await insert.returningAll().execute()) as unknown as Stored<T>[];
}

/** Inserts one row and returns it as it is stored. */
export async function addRow<T extends keyof Tables>(db: Sql, table: T, row: Row<T> = {}): Promise<Stored<T>> {
  const [stored] = await addRows(db, table, [row]);
  if (stored === undefined) throw new Error(`The insert into ${table} returned no row`);
  return stored;
}
