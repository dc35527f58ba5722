import { sql } from 'kysely';
import { invalidField, Problem } from '../../../kernel/problem.ts';
import { anyOf, type Database, type Sql } from '../../../platform/db/database.ts';
import type { Row } from '../../../platform/db/row.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import { normalPhone } from '../../access/rules/phone.ts';
import { personOfClient, personOfPhone, type Person } from '../../gifts/clients/client-accounts.ts';
import { phoneDigests } from '../../gifts/clients/clients.ts';
import { hidden, listCompensations } from '../../gifts/rights/compensations.ts';
import { listConflicts } from '../../gifts/cards/conflicts.ts';
import { isAlive } from '../cart/cart-access.ts';
import { listStaffOrders } from './list-staff-orders.ts';
import type { Client } from '../schemas/clients.ts';

type Deps = { db: Database; secrets: SecretBox };
/** False omits rights, conflicts and cards. */
type Reader = { mayReadGifts: boolean };

/** Each list has its own pages. */
const LATEST = { page: 1, size: 20, cursor: { after: null, scope: '', counts: 'SOME' as const } };
/** Maximum number of a phone's accounts. */
const MOST_ACCOUNTS = 5;

/**
 * Returns everything stored about a guest. The phone is not logged (rule CLI-20). Problems:
 * validation, not-found.
 */
export async function clientOfPhone(deps: Deps, text: string, reader: Reader): Promise<Client> {
  const phone = normalPhone(text);
  if (phone === null)
    throw invalidField('phone', 'format', 'must be a phone with its country: +7 999 000 11 22');
  const client = await deps.db.transaction(
    async (tx) => buildOverview(tx, deps, await personOfPhone(tx, deps, phone), reader),
    {
      oneState: true,
    },
  );
  if (client.accounts.length + client.orders.length === 0) throw notFound();

  return client;
}

/** Problem `not-found`. */
export function clientById(deps: Deps, id: string, reader: Reader): Promise<Client> {
  return deps.db.transaction(
    async (tx) => {
      const person = await personOfClient(tx, deps, id);
      if (person === null) throw notFound();
      return buildOverview(tx, deps, person, reader);
    },
    { oneState: true },
  );
}

const notFound = () =>
  new Problem('not-found', { detail: 'Neither orders nor gifts name this guest.' });

async function buildOverview(
  tx: Sql,
  { secrets }: Deps,
  { phone, accounts: all }: Person,
  { mayReadGifts }: Reader,
): Promise<Client> {
  const accounts = mayReadGifts ? all : [];
  const inside = { db: tx, secrets };
  const clientIds = accounts.map(({ id }) => id);
  const filter =
    phone === null
      ? {
          ids: await ordersWithoutPhone(
            tx,
            all.map(({ id }) => id),
          ),
        }
      : { q: phone };

  // Callers with limited restaurants cannot see guests.
  const orders = await listStaffOrders(
    inside,
    { ...filter, mayFindPhones: true, scope: null },
    LATEST,
  );

  const rights = await listCompensations(inside, { clientIds }, LATEST);
  const conflicts = await listConflicts(inside, { clientIds }, LATEST);
  const customerIds =
    phone === null ? [] : await accountsOfOrders(tx, phoneDigests({ secrets }, phone));

  return {
    phone: hidden(phone ?? undefined),
    accounts,
    customerIds,
    orders: orders.items,
    orderCount: orders.total,
    rights: rights.items,
    rightCount: rights.total,
    conflicts: conflicts.items,
    carts: await readCarts(tx, customerIds),
  };
}

/** Includes orders that the ERP reports for the clients. */
async function ordersWithoutPhone({ db }: Sql, clientIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<Row<'compensation', 'redeemedOrderId as id'>>`
    select unnest(array[reserved_order_id, redeemed_order_id]) as id from compensation
     where client_id = any (${clientIds}::uuid[])
    union
    select reported.id from compensation_client client
      join erp_order reported on reported.connection_id = client.connection_id
       and reported.erp_customer_id = client.erp_customer_id and reported.phone_digest is null
     where client.id = any (${clientIds}::uuid[])`.execute(db);

  return rows.flatMap(({ id }) => id ?? []);
}

async function accountsOfOrders({ db }: Sql, digests: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('personal_data as person')
    .innerJoin('customer_order', 'customer_order.personalDataId', 'person.id')
    .select('customer_order.customerId')
    .where('person.phoneDigest', '=', anyOf(digests, 'text'))
    .where('customer_order.customerId', 'is not', null)
    .groupBy('customer_order.customerId')
    .orderBy(sql`max(customer_order.accepted_at)`, 'desc')
    .limit(MOST_ACCOUNTS)
    .execute();

  return rows.flatMap(({ customerId }) => customerId ?? []);
}

async function readCarts({ db }: Sql, customerIds: readonly string[]): Promise<Client['carts']> {
  const rows = await db
    .selectFrom('cart')
    .innerJoin('mirror_organization as organization', 'organization.id', 'cart.organizationId')
    .select([
      'cart.id as cartId',
      'cart.customerId',
      'cart.organizationId',
      'cart.lines',
      'cart.updatedAt',
    ])
    .select('organization.name as organizationName')
    .where('cart.customerId', '=', anyOf(customerIds, 'text'))
    .where(isAlive)
    .orderBy('cart.updatedAt', 'desc')
    .execute();

  return rows.map(({ customerId, lines, ...cart }) => ({
    ...cart,
    customerId: customerId ?? '',
    lines: lines.map(({ name, variantName, quantity }) => ({ name, variantName, quantity })),
  }));
}
