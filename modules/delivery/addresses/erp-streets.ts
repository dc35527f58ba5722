import type { Sql } from '../../../platform/db/database.ts';
import type { ErpClient } from '../../../erp/client.ts';
import { latestRun } from '../../../platform/latest-run.ts';

/** A street of the ERP in a city of an organization. */
export type KnownStreet = { id: string; city: string; street: string };

export type ErpStreets = {
  /** The streets of an organization, null while the ERP does not answer. */
  of(organization: { id: number; erpId: string; connectionId: number }): Promise<readonly KnownStreet[] | null>;
};

/** Streets change rarely; a failure is not retried immediately. */
const KEPT_MS = 6 * 3_600_000;
const FAILED_MS = 60_000;
/** Guests wait no longer; the answer is kept when it comes. */
const WAIT_MS = 3_000;

/**
 * Cities and streets of the ERP, kept in the memory of the process for some hours: suggestions
 * while no geocoder answers. Concurrent callers share one request to the ERP, within its limits and
 * circuit.
 */
export function createErpStreets(
  erp: Pick<ErpClient, 'cities' | 'streets'>,
  now: () => number = () => performance.now(),
): ErpStreets {
  const cache = new Map<number, { streets: KnownStreet[] | null; until: number }>();
  const asked = new Map<number, { erpId: string; connectionId: number }>();

  const ask = latestRun<number>(async (id) => {
    const { erpId, connectionId } = asked.get(id)!;
    if ((cache.get(id)?.until ?? 0) > now()) return;
    try {
      const { data } = await erp.cities(connectionId, [erpId]);
      const streets: KnownStreet[] = [];
      for (const city of data.cities) {
        const answer = await erp.streets(connectionId, { organizationId: erpId, cityId: city.id });
        streets.push(
          ...answer.data.streets.map(({ id, name }) => ({ id, city: city.name.trim(), street: name.trim() })),
        );
      }
      cache.set(id, { streets, until: now() + KEPT_MS });
    } catch {
      // The failure is in the log of the client; the last answer is better than none.
      cache.set(id, { streets: cache.get(id)?.streets ?? null, until: now() + FAILED_MS });
    }
  });

  return {
    async of({ id, erpId, connectionId }) {
      asked.set(id, { erpId, connectionId });
      if ((cache.get(id)?.until ?? 0) <= now()) {
        const timeout = Promise.withResolvers<void>();
        const timer = setTimeout(timeout.resolve, WAIT_MS);
        await Promise.race([ask(id), timeout.promise]);
        clearTimeout(timer);
      }
      return cache.get(id)?.streets ?? null;
    },
  };
}

/** A served organization by its UUID, with the point around which its guests live. */
export function organizationOfGuest(
  { db }: Sql,
  erpId: string,
): Promise<
  { id: number; erpId: string; connectionId: number; latitude: number | null; longitude: number | null } | undefined
> {
  return db
    .selectFrom('served_organization')
    .select(['id', 'erpId', 'connectionId', 'latitude', 'longitude'])
    .where('erpId', '=', erpId)
    .executeTakeFirst();
}
