import { sql } from 'kysely';
import type { Organization } from '../../contracts/fulfillment.ts';
import type { Database } from '../database.ts';
import { readPage, type Page, type Paging } from '../pages.ts';
import type { Clocks } from './fulfillment-store.ts';

/** One page of the organizations whose menus are served, by name, with what they take at a moment (rule STO-6). */
export async function listOrganizations(
  { db, clocks }: { db: Database; clocks: Clocks },
  paging: Paging,
  at: number,
): Promise<Page<Organization>> {
  const query = db.db
    .selectFrom('served_organization')
    .select([
      'erpId as id',
      'name',
      'address',
      sql<Organization['coordinates']>`
        case when latitude is not null and longitude is not null
             then jsonb_build_object('latitude', latitude, 'longitude', longitude) end`.as('coordinates'),
    ])
    .orderBy('name')
    .orderBy('erpId');
  const page = await readPage(query, paging);
  const items = await Promise.all(
    page.items.map(async (organization): Promise<Organization> => {
      const clock = await clocks.load(organization.id);
      const { flags, schedule } = clock;
      const { delivery, pickup } = clock.status(at);
      return {
        ...organization,
        pickup: { enabled: flags.pickupEnabled, accepting: pickup.accepting },
        delivery: { enabled: flags.deliveryEnabled, accepting: delivery.accepting },
        schedule: [...schedule],
      };
    }),
  );
  return { ...page, items };
}
