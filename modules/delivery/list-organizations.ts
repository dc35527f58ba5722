import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql, type RawBuilder } from 'kysely';
import type { Organization } from './schemas/hours.ts';
import type { Database } from '../../platform/db/database.ts';
import { readPage, type Page, type Paging } from '../../kernel/pages.ts';
import type { Clocks } from './hours/fulfillment-store.ts';
import { EARTH_METERS } from './rules/zones/distance.ts';

export type Point = { latitude: number; longitude: number };

/** Computes {@link distanceMeters} in SQL, in whole meters. */
function distanceColumn({ latitude, longitude }: Point): RawBuilder<number | null> {
  return sql<
    number | null
  >`case when latitude is not null and longitude is not null then round(2 * ${EARTH_METERS}::float8 * asin(least(1, sqrt(
    power(sin(radians(latitude - ${latitude}::float8) / 2), 2) +
    cos(radians(latitude)) * cos(radians(${latitude}::float8)) *
      power(sin(radians(longitude - ${longitude}::float8) / 2), 2)))))::int end`;
}

/**
 * Returns one page of organizations by name, with intake at a moment (STO-6) and distance from a
 * point (HTTP-65).
 */
export async function listOrganizations(
  { db, clocks }: { db: Database; clocks: Clocks },
  paging: Paging,
  { at, from }: { at: number; from: Point | null },
): Promise<Page<Organization>> {
  const query = db.db
    .selectFrom('served_organization')
    .select([
      'erpId as id',
      'name',
      'address',
      sql<Organization['coordinates']>`
        case when latitude is not null and longitude is not null
             then jsonb_build_object('latitude', latitude, 'longitude', longitude) end`.as(
        'coordinates',
      ),
    ])
    .$if(from !== null, (listed) => listed.select(distanceColumn(from!).as('distanceMeters')))
    .orderBy('name')
    .orderBy('erpId');

  const page = await readPage(query, paging);
  const items: Organization[] = [];

  for (const organization of page.items) {
    const clock = await clocks.load(organization.id);
    const { delivery, pickup } = clock.status(at);
    items.push({
      ...organization,
      pickup: { enabled: clock.flags.pickupEnabled, accepting: pickup.accepting },
      delivery: { enabled: clock.flags.deliveryEnabled, accepting: delivery.accepting },
      schedule: [...clock.schedule],
    });

    // Lets other requests run, because the first status of an organization takes milliseconds.
    await nextTurn();
  }

  return { ...page, items };
}
