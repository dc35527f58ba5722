import { randomUUID } from 'node:crypto';
import { JsonType } from '@mikro-orm/core';
import {
  sql,
  type ComparisonOperatorExpression,
  type Expression,
  type ExpressionBuilder,
  type Insertable,
  type Kysely,
  type RawBuilder,
  type Selectable,
} from 'kysely';
import { json, touchedBy, type Sql } from '../../platform/db/database.ts';
import type { Row as SelectedRow } from '../../platform/db/row.ts';
import { entities } from '../../modules/registry.ts';
import type { Tables } from '../../platform/db/tables.ts';

/** Columns of a new row. Others come from {@link DEFAULTS} and the database. */
export type Row<T extends keyof Tables> = {
  readonly [C in keyof Insertable<Tables[T]>]?: OrExpression<Insertable<Tables[T]>[C]> | undefined;
};
type Stored<T extends keyof Tables> = Selectable<Tables[T]>;
type Column<T extends keyof Tables> = Extract<keyof Tables[T], string>;
type OrExpression<V> = V | Expression<NonNullable<V>>;

/** Created by {@link not}, {@link above}, {@link below} and {@link like}. */
type Match<V> = { readonly operator: ComparisonOperatorExpression; readonly value: V };

/** Conditions joined by AND: a value, a list of values, null, or a {@link Match}. */
export type Where<T extends keyof Tables> = {
  readonly [C in Column<T>]?: Condition<Stored<T>[C & keyof Stored<T>]> | undefined;
};
type Condition<V> =
  | OrExpression<V>
  | Expression<V | null>
  | readonly V[]
  | Match<V>
  | Match<OrExpression<V>>
  | Match<readonly V[]>;

type Order<T extends keyof Tables> = Column<T> | `${Column<T>} desc`;
type Options<T extends keyof Tables> = {
  readonly orderBy?: Order<T> | readonly Order<T>[];
  readonly limit?: number;
};

const now = () => new Date();
let made = 0;
const unique = (word: string) => `${word} ${(made += 1)}`;

const DEFAULTS: { readonly [T in keyof Tables]?: () => Row<T> } = {
  connection: () => ({
    name: unique('connection'),
    apiLoginEncrypted: 'sealed',
    status: 'DISABLED',
  }),
  catalog_category: () => ({ slug: randomUUID(), name: unique('category') }),
  catalog_product: () => ({ slug: randomUUID(), name: unique('product') }),
  mirror_delivery_defaults: () => ({
    useSameDuration: false,
    durationMinutes: 60,
    selfServiceMinutes: 20,
    useSameMinSum: false,
    useSameInterval: false,
    useSameWeek: false,
  }),
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
      {
        name: 'card',
        density: 1,
        format: 'webp',
        width: 400,
        height: 400,
        bytes: 1,
        url: '/media/test/card.webp',
      },
      {
        name: 'full',
        density: 1,
        format: 'webp',
        width: 800,
        height: 800,
        bytes: 1,
        url: '/media/test/full.webp',
      },
    ],
  }),
  mirror_external_menu: () => ({
    erpId: randomUUID(),
    name: unique('menu'),
    synchronizedAt: now(),
  }),
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
  mirror_organization: () => ({
    erpId: randomUUID(),
    name: unique('organization'),
    raw: {},
    synchronizedAt: now(),
  }),
  mirror_price: () => ({ changedAt: now() }),
  mirror_size_menu: () => ({ synchronizedRun: 1 }),
};

/** JSON columns of each table. The driver would send lists as PostgreSQL arrays. */
const JSON_COLUMNS = new Map(
  entities.map(({ meta }) => [
    meta.tableName,
    Object.entries<{ type: unknown }>(meta.properties).flatMap(([name, { type }]) =>
      type === JsonType ? [name] : [],
    ),
  ]),
);

export async function addRows<T extends keyof Tables>(
  { db }: Sql,
  table: T,
  rows: readonly Row<T>[],
): Promise<Stored<T>[]> {
  if (rows.length === 0) return [];
  const values = rows.map((row) => encoded(table, { ...DEFAULTS[table]?.(), ...row }));
  const insert = db.insertInto(table).values(values as never);
  return (await insert.returningAll().execute()) as unknown as Stored<T>[];
}

export async function addRow<T extends keyof Tables>(
  db: Sql,
  table: T,
  row: Row<T> = {},
): Promise<Stored<T>> {
  const [stored] = await addRows(db, table, [row]);
  if (stored === undefined) throw new Error(`The insert into ${table} returned no row`);
  return stored;
}

/** Returns columns (`'*'` for all) of the rows that meet the conditions. */
export async function selectRows<
  T extends keyof Tables,
  const C extends Column<T> | `${Column<T>} as ${string}`,
>(
  db: Sql,
  table: T,
  columns: readonly C[],
  where?: Where<T>,
  options?: Options<T>,
): Promise<SelectedRow<T, C>[]>;
export async function selectRows<T extends keyof Tables>(
  db: Sql,
  table: T,
  columns: '*',
  where?: Where<T>,
  options?: Options<T>,
): Promise<Stored<T>[]>;
export async function selectRows(
  db: Sql,
  table: keyof Tables,
  columns: readonly string[] | '*',
  where: object = {},
  {
    orderBy = [],
    limit,
  }: { readonly orderBy?: string | readonly string[]; readonly limit?: number } = {},
): Promise<object[]> {
  const from = untyped(db)
    .selectFrom(table as string)
    .where(meets(where));
  let query = columns === '*' ? from.selectAll() : from.select(columns);
  for (const order of typeof orderBy === 'string' ? [orderBy] : orderBy) {
    const [column, direction] = order.split(' ') as [string, 'desc'?];
    query = query.orderBy(column, direction);
  }
  return (limit === undefined ? query : query.limit(limit)).execute();
}

/** @throws Error if there is none */
export async function selectRow<
  T extends keyof Tables,
  const C extends Column<T> | `${Column<T>} as ${string}`,
>(
  db: Sql,
  table: T,
  columns: readonly C[],
  where?: Where<T>,
  options?: Options<T>,
): Promise<SelectedRow<T, C>>;
export async function selectRow<T extends keyof Tables>(
  db: Sql,
  table: T,
  columns: '*',
  where?: Where<T>,
  options?: Options<T>,
): Promise<Stored<T>>;
export async function selectRow(
  db: Sql,
  table: keyof Tables,
  columns: readonly string[] | '*',
  where?: object,
  options?: object,
): Promise<object> {
  const [row] = await selectRows(db, table, columns as '*', where, options);
  if (row === undefined) throw new Error(`No row of ${table} meets the conditions`);
  return row;
}

export async function countRows<T extends keyof Tables>(
  db: Sql,
  table: T,
  where: Where<T> = {},
): Promise<number> {
  const count = untyped(db)
    .selectFrom(table as string)
    .where(meets(where))
    .select(sql<number>`count(*)`.as('count'));
  return (await count.executeTakeFirstOrThrow()).count;
}

export async function updateRows<T extends keyof Tables>(
  db: Sql,
  table: T,
  values: { readonly [C in Column<T>]?: OrExpression<Stored<T>[C & keyof Stored<T>]> },
  where: Where<T> = {},
): Promise<number> {
  const update = untyped(db)
    .updateTable(table as string)
    .set(encoded(table, values))
    .where(meets(where));
  return touchedBy(await untyped(db).executeQuery(update));
}

export async function deleteRows<T extends keyof Tables>(
  db: Sql,
  table: T,
  where: Where<T> = {},
): Promise<number> {
  return touchedBy(
    await untyped(db).executeQuery(
      untyped(db)
        .deleteFrom(table as string)
        .where(meets(where)),
    ),
  );
}

export async function giveRole(db: Sql, userId: number, code: string): Promise<void> {
  const role = await selectRow(db, 'access_role', ['id'], { code });
  await addRow(db, 'access_user_role', { userId, roleId: role.id });
}

export async function saveSetting(db: Sql, key: string, value: unknown): Promise<void> {
  const insert = untyped(db)
    .insertInto('setting')
    .values({ key, value: json(value) });
  await insert.onConflict((row) => row.column('key').doUpdateSet({ value: json(value) })).execute();
}

/** `not(null)` requires a value. */
export const not = <V>(value: V): Match<V> => ({
  operator: value === null ? 'is not' : Array.isArray(value) ? 'not in' : '<>',
  value,
});

export const above = <V>(value: V): Match<V> => ({ operator: '>', value });

export const like = (pattern: string): Match<string> => ({ operator: 'like', value: pattern });

/** The start of the current transaction on the database clock. */
export const databaseNow = (): RawBuilder<Date> => sql`now()`;

/** A moment before {@link databaseNow}: `ago('2 minutes')`. */
export const ago = (interval: string): RawBuilder<Date> => sql`now() - ${interval}::interval`;

export const fromNow = (interval: string): RawBuilder<Date> => sql`now() + ${interval}::interval`;

/** The current value of a column, for {@link updateRows}. */
export const column = (name: string): RawBuilder<never> => sql`${sql.ref(name)}`;

/**
 * The current value plus a number or an interval: `plus('attempts', 1)`, `plus('dueAt', '-1
 * hour')`.
 */
export const plus = (name: string, amount: number | string): RawBuilder<never> =>
  typeof amount === 'number'
    ? sql`${sql.ref(name)} + ${sql.lit(amount)}`
    : sql`${sql.ref(name)} + ${amount}::interval`;

type Untyped = Record<string, Record<string, unknown>>;

/** The signatures above check the types. Untyped builders compile faster. */
const untyped = ({ db }: Sql) => db as unknown as Kysely<Untyped>;

const isMatch = (condition: unknown): condition is Match<unknown> =>
  typeof condition === 'object' &&
  condition !== null &&
  'operator' in condition &&
  'value' in condition;

const meets = (where: object) => (row: ExpressionBuilder<Untyped, string>) =>
  row.and(
    Object.entries(where).map(([name, condition]: [string, unknown]) => {
      if (condition === undefined) throw new Error(`The condition on ${name} is undefined`);
      if (isMatch(condition)) return row(name, condition.operator, condition.value);
      if (Array.isArray(condition)) return sql<boolean>`${sql.ref(name)} = any (${condition})`;
      return row(name, condition === null ? 'is' : '=', condition);
    }),
  );

/** JSON is sent as text, because the driver would send a list as a PostgreSQL array. */
function encoded(table: keyof Tables, values: object): Record<string, unknown> {
  const result: Record<string, unknown> = { ...values };
  for (const name of JSON_COLUMNS.get(table) ?? []) {
    const value = result[name];
    if (value !== undefined && value !== null) result[name] = json(value);
  }
  return result;
}
