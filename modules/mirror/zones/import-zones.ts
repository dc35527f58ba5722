import { createAnomalies, mergeAnomalies, type Anomaly } from '../rules/anomalies.ts';
import { deliveryMapRows, type DeliveryMapRows } from '../rules/delivery-map.ts';
import { anyOf, type Tx } from '../../../platform/db/database.ts';
import type { ErpDeliveryMap } from '../../../erp/schemas/delivery-restrictions.ts';
import type { MirrorDeps, JobOutcome } from '../runs/fenced-import.ts';
import { activeOrganizations } from '../organizations.ts';
import { importInBatches, type ImportOptions } from '../runs/import-in-batches.ts';
import { addAnomalies } from '../runs/run-facts.ts';
import { notifyBrokenMaps } from './broken-maps.ts';
import { saveZones, type ZoneCounts } from './save-zones.ts';
import { guardListShrink, settleRefusedList, type Loss } from '../list-shrink-guard.ts';

/** `answered` counts organizations with a map. */
export type ZonesResult = ZoneCounts & { answered: number };

/** The ERP documents no limit, but the map of a city has tens of kilobytes. */
const ORGANIZATIONS_PER_CALL = 50;

/**
 * Imports the delivery maps of a connection's active organizations (MIR-40 to MIR-42). Missing
 * organizations keep their maps. Idempotent.
 */
export async function importZones(
  deps: MirrorDeps,
  run: { runId: number; connectionId: number },
  options: ImportOptions = {},
): Promise<JobOutcome<ZonesResult> | { outcome: 'NO_ORGANIZATIONS' }> {
  const organizations = await activeOrganizations(deps.db, run.connectionId);
  return importInBatches(
    deps,
    { ...run, job: 'ZONES', isLastTry: options.isLastTry === true },
    {
      organizations,
      perCall: ORGANIZATIONS_PER_CALL,
      async ask(erpIds, how) {
        const { data, bytes, odd } = await deps.erp.deliveryRestrictions(run.connectionId, erpIds, {
          ...options,
          ...how,
        });

        return {
          rows: data.maps,
          named: data.maps.map((map) => map.organizationId.toLowerCase()),
          bytes,
          odd,
        };
      },
      async save(tx, { organizations: read, rows }) {
        const { maps, anomaliesOf, anomalies } = toMaps(read, rows);
        await guardListShrink(tx, { ...run, job: 'ZONES' }, await measureLoss(tx, maps));
        await settleRefusedList(tx, { ...run, job: 'ZONES' });
        const partlyRead = read.filter(({ isComplete }) => !isComplete).map(({ id }) => id);
        const counts = await saveZones(tx, maps, new Set(partlyRead));
        await addAnomalies(tx, run.runId, anomalies);
        await notifyBrokenMaps(tx, anomaliesOf);

        return { ...counts, answered: maps.size };
      },
    },
  );
}

type Maps = {
  maps: Map<number, DeliveryMapRows>;
  anomaliesOf: Map<number, Anomaly[]>;
  anomalies: Anomaly[];
};

function toMaps(
  organizations: readonly { id: number; erpId: string }[],
  answer: readonly ErpDeliveryMap[],
): Maps {
  const anomalies = createAnomalies();
  const anomaliesOf = new Map<number, Anomaly[]>();
  const ids = new Map(organizations.map((organization) => [organization.erpId, organization.id]));
  const maps = new Map<number, DeliveryMapRows>();

  for (const source of answer) {
    const id = ids.get(source.organizationId.toLowerCase());
    if (id === undefined) anomalies.add('UNKNOWN_ORGANIZATION', source.organizationId);
    else if (maps.has(id)) anomalies.add('ORGANIZATION_LISTED_TWICE', source.organizationId);
    else {
      const own = createAnomalies();
      maps.set(id, deliveryMapRows(source, own));
      anomaliesOf.set(id, own.list());
    }
  }

  for (const { id, erpId } of organizations)
    if (!maps.has(id)) anomalies.add('ORGANIZATION_NOT_ANSWERED', erpId);

  return {
    maps,
    anomaliesOf,
    anomalies: mergeAnomalies([anomalies.list(), ...anomaliesOf.values()]),
  };
}

/** A restaurant whose zones lose all rules counts as lost: zones without a rule are not served. */
async function measureLoss(tx: Tx, maps: ReadonlyMap<number, DeliveryMapRows>): Promise<Loss> {
  const had = await tx.db
    .selectFrom('mirror_delivery_zone as zone')
    .leftJoin('mirror_zone_terms as terms', 'terms.zoneId', 'zone.id')
    .select(({ fn }) => ['zone.organizationId as id', fn.count<number>('terms.zoneId').as('rules')])
    .where('zone.organizationId', '=', anyOf([...maps.keys()]))
    .where('zone.inactiveAt', 'is', null)
    .groupBy('zone.organizationId')
    .execute();

  const lost = had.filter(({ id, rules }) => {
    const zones = maps.get(id)?.zones ?? [];
    return zones.length === 0 || (rules > 0 && zones.every(({ terms }) => terms.length === 0));
  });

  return { had: had.length, lost: lost.map(({ id }) => id), what: 'delivery zones or their rules' };
}
