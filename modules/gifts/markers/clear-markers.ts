import { sql } from 'kysely';
import type { ClearingStanding } from '../messages/gifts.ts';
import { CLEARING_STEPS, isHeldAlone, type Clearing, type NotCleared } from '../rules/markers.ts';
import type { MarkerSource } from '../rules/words.ts';
import type { ErpClient } from '../../../erp/client.ts';
import type { CallOptions } from '../../../erp/call.ts';
import type { ErpCustomerChange } from '../../../erp/endpoints/customers.ts';
import { isErpFailure } from '../../../erp/failure.ts';
import type { Failpoint } from '../../../platform/failpoint.ts';
import type { Database, Sql } from '../../../platform/db/database.ts';
import { applyCard } from '../cards/apply-card.ts';
import { noteEquals } from '../cards/cleared-marker.ts';
import {
  clearMarker,
  obstacle,
  type CardPorts,
  type ClearableMarker,
  type ReadCard,
} from './clear-marker.ts';

export type ClearDeps = {
  db: Database;
  erp: Pick<ErpClient, 'customerInfo' | 'writeCustomerComment' | 'removeCustomerCategory'>;
  failpoint: Failpoint;
};

export type ClientMarkers = { clientId: string; source: MarkerSource };

/**
 * Removes the marker of a client that has waited longest (rules CMP-14 to CMP-18). Calls for one
 * client must not overlap, because each would read the other's writes. Idempotent. Throws only if
 * the database fails.
 */
export async function clearNextMarker(
  deps: ClearDeps,
  of: ClientMarkers,
  options?: CallOptions,
): Promise<ClearingStanding> {
  const standing = await clearNext(deps, of, options);
  return { ...standing, conflicts: await openConflicts(deps.db, of) };
}

async function clearNext(
  deps: ClearDeps,
  of: ClientMarkers,
  options: CallOptions | undefined,
): Promise<ClearingStanding> {
  const [next] = await waitingMarkers(deps.db, of).limit(1).execute();
  if (next === undefined)
    return { waiting: 0, heldBy: null, retryAfterMs: null, isNextAtOnce: true };
  const clearing = await clearMarker(createPorts(deps, next, options), next);
  deps.failpoint('marker-verified');
  await record(deps.db, next.compensationId, clearing);
  const [counts] = await waitingMarkers(deps.db, of)
    .clearSelect()
    .select([
      sql<number>`count(*)`.as('waiting'),
      sql<number>`count(*) filter (where clearing.tried_at is null)`.as('untried'),
    ])
    .clearOrderBy()
    .execute();

  const { waiting, untried } = counts!;
  if (clearing.cleared) return { waiting, heldBy: null, retryAfterMs: null, isNextAtOnce: true };
  const { heldBy, retryAfterMs } = clearing;

  return { waiting, heldBy, retryAfterMs, isNextAtOnce: untried > 0 && isHeldAlone(heldBy) };
}

async function openConflicts({ db }: Sql, { clientId, source }: ClientMarkers): Promise<number[]> {
  const rows = await db
    .selectFrom('compensation_conflict')
    .select('id')
    .where('clientId', '=', clientId)
    .where('source', '=', source)
    .where('status', '=', 'OPEN')
    .orderBy('id')
    .execute();

  return rows.map(({ id }) => id);
}

/** The longest wait since the last attempt is first. */
function waitingMarkers({ db }: Sql, { clientId, source }: ClientMarkers) {
  return db
    .selectFrom('marker_clearing as clearing')
    .innerJoin('client_marker as marker', 'marker.compensationId', 'clearing.compensationId')
    .innerJoin('compensation_client as client', 'client.id', 'marker.clientId')
    .select([
      'clearing.compensationId',
      'marker.clientId',
      'marker.source',
      'marker.subject',
      'client.connectionId',
      'client.erpCustomerId',
    ])
    .where('marker.clientId', '=', clientId)
    .where('marker.source', '=', source)
    .where('clearing.state', '<>', 'CLEARED')
    .orderBy('clearing.triedAt', (order) => order.asc().nullsFirst())
    .orderBy('clearing.waitsSince')
    .orderBy('clearing.compensationId');
}

type WaitingMarker = Awaited<ReturnType<ReturnType<typeof waitingMarkers>['execute']>>[number];

function createPorts(
  { db, erp, failpoint }: ClearDeps,
  marker: WaitingMarker & ClearableMarker,
  options: CallOptions | undefined,
): CardPorts {
  const { compensationId, clientId, source, connectionId, erpCustomerId: customerId } = marker;
  let place: string | undefined;

  async function read(): Promise<ReadCard | NotCleared> {
    if (customerId === null) return obstacle('CLIENT_GONE');
    const places = place === undefined ? await readOrganizations(db, connectionId) : [place];

    for (const organizationId of places) {
      const askedAt = await now(db);
      const info = await erp.customerInfo(
        connectionId,
        organizationId,
        { id: customerId },
        options,
      );
      if (info.outcome === 'LOYALTY_OFF') continue;

      if (info.outcome === 'NOT_FOUND' || info.customer.isGone) return obstacle('CLIENT_GONE');
      place = organizationId;
      failpoint('marker-read');

      return { customer: info.customer, askedAt };
    }

    return obstacle(places.length === 0 ? 'NO_ORGANIZATION' : 'LOYALTY_OFF');
  }

  const ofErp = (answer: ErpCustomerChange): NotCleared | null => {
    failpoint('marker-taken-out');
    if (answer.outcome === 'DONE') return null;
    return obstacle(answer.outcome === 'LOYALTY_OFF' ? 'LOYALTY_OFF' : 'REFUSED');
  };

  return {
    read: () => orUnavailable(read),
    remember: ({ customer, askedAt }) =>
      db.transaction(async (tx) => {
        const reading = {
          customer: { ...customer, id: customerId! },
          askedAt,
          organizationId: null,
          onlyOneRight: false,
          clears: compensationId,
        };

        const applied = await applyCard(tx, { clientId, source, ...reading });
        const { isPresent } = await tx.db
          .selectFrom('client_marker')
          .select('isPresent')
          .where('compensationId', '=', compensationId)
          .executeTakeFirstOrThrow();

        failpoint('marker-remembered');
        // A later read without the marker proves the removal.
        if (!isPresent) return 'ABSENT';

        return applied === null ? 'OVERTAKEN' : 'PRESENT';
      }),
    change: (change) =>
      orUnavailable(async () => {
        const at = { organizationId: place!, customerId: customerId! };
        if ('comment' in change) await noteEquals(db, marker, change.equals);

        return ofErp(
          'comment' in change
            ? await erp.writeCustomerComment(
                connectionId,
                { ...at, comment: change.comment },
                options,
              )
            : await erp.removeCustomerCategory(
                connectionId,
                { ...at, categoryId: change.categoryId },
                options,
              ),
        );
      }),
  };
}

async function orUnavailable<T>(work: () => Promise<T>): Promise<T | NotCleared> {
  try {
    return await work();
  } catch (error) {
    if (!isErpFailure(error)) throw error;
    return obstacle('ERP_UNAVAILABLE', error.retryAfterMs ?? null);
  }
}

/** All organizations with the loyalty program return the same client. */
async function readOrganizations({ db }: Sql, connectionId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('mirror_organization')
    .select('erpId')
    .where('connectionId', '=', connectionId)
    .where('inactiveAt', 'is', null)
    .orderBy('id')
    .execute();

  return rows.map(({ erpId }) => erpId);
}

async function now({ db }: Sql): Promise<Date> {
  const moment = sql<Date>`clock_timestamp()`;
  return (await db.selectNoFrom(moment.as('now')).executeTakeFirstOrThrow()).now;
}

async function record({ db }: Sql, compensationId: string, clearing: Clearing): Promise<void> {
  const { from, to } = CLEARING_STEPS[clearing.cleared ? 'CLEAR' : 'HOLD'];
  await db
    .updateTable('marker_clearing')
    .set((row) => ({
      state: to,
      tries: row('tries', '+', 1),
      triedAt: sql<Date>`now()`,
      ...(clearing.cleared
        ? { heldBy: null, clearedAt: sql<Date>`now()`, isAsWritten: clearing.isAsWritten }
        : { heldBy: clearing.heldBy }),
    }))
    .where('compensationId', '=', compensationId)
    .where('state', 'in', from)
    .execute();
}
