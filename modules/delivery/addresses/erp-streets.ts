import type { Sql } from '../../../platform/db/database.ts';
import type { ErpClient } from '../../../erp/client.ts';
import { latestRun } from '../../../platform/latest-run.ts';

export type KnownStreet = { id: string; city: string; street: string };

export type ErpStreets = {
  /** Null if the ERP has not responded. */
  of(organization: {
    id: number;
    erpId: string;
    connectionId: number;
  }): Promise<readonly KnownStreet[] | null>;
};

const KEPT_MS = 6 * 3_600_000;
const FAILED_MS = 60_000;
/** Guests wait at most this long; later responses are still cached. */
const WAIT_MS = 3_000;

/** Creates a cache of ERP streets, which are suggested while no geocoder responds. */
export function createErpStreets(
  erp: Pick<ErpClient, 'cities' | 'streets'>,
  now: () => number = () => performance.now(),
): ErpStreets {
  const cache = new Map<number, { streets: KnownStreet[] | null; until: number }>();
  const organizations = new Map<number, { erpId: string; connectionId: number }>();

  const ask = latestRun<number>(async (id) => {
    const { erpId, connectionId } = organizations.get(id)!;
    if ((cache.get(id)?.until ?? 0) > now()) return;

    try {
      const { data } = await erp.cities(connectionId, [erpId]);
      const streets: KnownStreet[] = [];

      for (const city of data.cities) {
        const answer = await erp.streets(connectionId, { organizationId: erpId, cityId: city.id });
        streets.push(
          ...answer.data.streets.map(({ id, name }) => ({
            id,
            city: city.name.trim(),
            street: name.trim(),
          })),
        );
      }

      cache.set(id, { streets, until: now() + KEPT_MS });
    } catch {
      // Keeps the former list after a failure.
      cache.set(id, { streets: cache.get(id)?.streets ?? null, until: now() + FAILED_MS });
    }
  });

  return {
    async of({ id, erpId, connectionId }) {
      organizations.set(id, { erpId, connectionId });
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

export function organizationOfGuest(
  { db }: Sql,
  erpId: string,
): Promise<
  | {
      id: number;
      erpId: string;
      connectionId: number;
      latitude: number | null;
      longitude: number | null;
    }
  | undefined
> {
  return db
    .selectFrom('served_organization')
    .select(['id', 'erpId', 'connectionId', 'latitude', 'longitude'])
    .where('erpId', '=', erpId)
    .executeTakeFirst();
}
