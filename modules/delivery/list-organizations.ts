import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Organization } from './schemas/hours.ts';
import type { Database } from '../../platform/db/database.ts';
import { readPage, type Page, type Paging } from '../../kernel/pages.ts';
import type { Clocks } from './fulfillment-store.ts';

/**
 * One page of the organizations whose menus are served, by name, with what they take at a moment
 * (rule STO-6).
 */
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
    // A first status plans a week, which takes some milliseconds: of a whole page they would keep
    // other guests waiting.
    await nextTurn();
  }
  return { ...page, items };
}
