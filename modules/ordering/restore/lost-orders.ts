import { isRefusal } from '../../../erp/apart.ts';
import { DAY_MS } from '../../../kernel/pure/time.ts';
import type { ErpClient } from '../../../erp/client.ts';
import type { ErpDelivery } from '../../../erp/schemas/deliveries.ts';
import { anyOf, type Sql } from '../../../platform/db/database.ts';
import { jointRequests } from '../polling/ask-together.ts';
import { readByDate } from '../polling/read-by-date.ts';
import { SOURCE_KEY } from '../rules/erp-order.ts';
import type { OrderWitness } from './lost-executions.ts';

type Deps = { db: Sql; erp: ErpClient };
export type Created = Extract<ErpDelivery, { creation: 'SUCCESS' }>;

/** `orderId` is the id at creation. */
export type OrderAtErp = { orderId: string; fact: ErpDelivery };

const DAYS_AROUND = { before: 1, after: 8 };

/** `refused` contains ERP ids of rejected organizations. */
type LostWindow = { orders: OrderAtErp[]; refused: string[]; unreadOrderIds: string[] };

/**
 * Reads own orders by date and `sourceKey`, and orders of executions by id. Rejected organizations
 * do not stop the others (rule OPS-122). Throws ERP client errors.
 */
export async function ordersAtErp(
  deps: Deps,
  connectionId: number,
  since: Date,
  witnesses: readonly OrderWitness[],
): Promise<LostWindow> {
  const facts = new Map<string, ErpDelivery>();
  const add = (orders: readonly ErpDelivery[]): void =>
    orders.forEach((fact) => facts.set(fact.id, fact));
  const organizationIds = await activeOrganizations(deps.db, connectionId);
  const refused = new Set<string>();
  const { ask } = jointRequests(
    organizationIds,
    async (refusals) => refusals.forEach(({ organizationId }) => refused.add(organizationId)),
    undefined,
  );

  const moment = (at: number) => Temporal.Instant.fromEpochMilliseconds(at);
  const period = {
    organizationIds,
    from: moment(since.getTime() - DAYS_AROUND.before * DAY_MS),
    to: moment(Date.now() + DAYS_AROUND.after * DAY_MS),
    sourceKeys: [SOURCE_KEY],
  };

  const work = { apply: async (orders: ErpDelivery[]) => add(orders), done: async () => undefined };
  if (organizationIds.length > 0)
    await readByDate(deps.erp, connectionId, period, work, ask).catch((error: unknown) => {
      // All were rejected and are reported, so that other connections are restored.
      if (!isRefusal(error, false) || refused.size < organizationIds.length) throw error;
    });

  const unreadOrderIds: string[] = [];

  for (const { erpId, orderIds } of await readPlaces(deps.db, connectionId, witnesses)) {
    try {
      add((await deps.erp.deliveriesById(connectionId, erpId, orderIds, { isPart: true })).orders);
    } catch (error) {
      if (!isRefusal(error, false)) throw error;
      refused.add(erpId);
      unreadOrderIds.push(...orderIds.filter((id) => !facts.has(id)));
    }
  }

  return { orders: firstIds([...facts.values()]), refused: [...refused], unreadOrderIds };
}

/**
 * Includes hidden organizations, such as the call center (rule FUL-47), and rejected organizations,
 * because the ERP may return their orders.
 */
async function activeOrganizations({ db }: Sql, connectionId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('mirror_organization')
    .select('erpId')
    .where('connectionId', '=', connectionId)
    .where('inactiveAt', 'is', null)
    .orderBy('erpId')
    .execute();

  return rows.map(({ erpId }) => erpId);
}

async function readPlaces({ db }: Sql, connectionId: number, witnesses: readonly OrderWitness[]) {
  const byOrganization = Map.groupBy(witnesses, ({ organizationId }) => organizationId);
  const rows = await db
    .selectFrom('mirror_organization')
    .select(['id', 'erpId'])
    .where('id', '=', anyOf([...byOrganization.keys()]))
    .where('connectionId', '=', connectionId)
    .execute();

  return rows.map(({ id, erpId }) => ({
    erpId,
    orderIds: (byOrganization.get(id) ?? []).map(({ orderId }) => orderId),
  }));
}

/** Returns the last state of each order with its first id. */
export function firstIds(facts: readonly ErpDelivery[]): OrderAtErp[] {
  const byId = new Map(facts.map((fact) => [fact.id, fact]));
  const findFormerId = (fact: ErpDelivery): string | null =>
    fact.creation === 'SUCCESS' ? fact.movedFrom : null;
  const formerIds = new Set(facts.flatMap((fact) => findFormerId(fact) ?? []));

  return facts
    .filter(({ id }) => !formerIds.has(id))
    .map((fact) => {
      let orderId = fact.id;

      for (
        let former = findFormerId(fact), moves = 0;
        former !== null && moves < facts.length + 1;
        moves += 1
      ) {
        orderId = former;
        const before = byId.get(former);
        former = before === undefined ? null : findFormerId(before);
      }

      return { orderId, fact };
    });
}
