import { sql } from 'kysely';
import type { Static } from 'typebox';
import type { Coordinates } from '../schemas/hours.ts';
import { switchFields } from '../../mirror/switch-fields.ts';
import type { Sql } from '../../../platform/db/database.ts';

type Marked = {
  organizationId: number;
  erpId: string;
  name: string;
  address: string | null;
  coordinates: Static<typeof Coordinates> | null;
  city: string | null;
  mark: string;
};

/** Reads all served organizations. `mark` changes with every edit of their hours. */
export function readMarks({ db }: Sql): Promise<Marked[]> {
  const exceptions = db
    .selectFrom('schedule_exception')
    .select((eb) => [
      'organizationId',
      sql<string>`jsonb_build_array(${eb.fn.countAll()}, ${eb.fn.max('id')}, ${eb.fn.sum('version')})`.as(
        'mark',
      ),
    ])
    .groupBy('organizationId')
    .as('exception');

  return db
    .selectFrom('served_organization as served')
    .innerJoin('mirror_organization as mirrored', 'mirrored.id', 'served.id')
    .innerJoin('connection', 'connection.id', 'mirrored.connectionId')
    .leftJoin('mirror_delivery_defaults as defaults', 'defaults.organizationId', 'served.id')
    .leftJoin('ordering_config as config', 'config.organizationId', 'served.id')
    .leftJoin('ordering_schedule as week', 'week.organizationId', 'served.id')
    .leftJoin(exceptions, 'exception.organizationId', 'served.id')
    .select((eb) => [
      'served.id as organizationId',
      'served.erpId',
      'served.name',
      'served.address',
      'config.city',
      sql<Marked['coordinates']>`
        case when served.latitude is not null and served.longitude is not null
             then jsonb_build_object('latitude', served.latitude, 'longitude', served.longitude) end`.as(
        'coordinates',
      ),
      sql<string>`jsonb_build_array(${eb.ref('mirrored.timeZone')}, ${eb.ref('config.version')}, ${eb.ref('week.version')},
        ${eb.ref('exception.mark')}, ${eb.ref('connection.status')}, ${eb.ref('defaults.selfServiceMinutes')},
        ${switchFields(sql.ref('mirrored.raw'))})::text`.as('mark'),
    ])
    .execute();
}
