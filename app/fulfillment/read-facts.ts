import { sql } from 'kysely';
import { anyOf } from '../../db/database.ts';
import type { PreparationMinutes } from '../../domain/fulfillment/eta.ts';
import type { DateException, IntakeStop, Schedule } from '../../domain/fulfillment/schedule.ts';
import type { FulfillmentConfig, FulfillmentFlags } from '../../domain/fulfillment/timeline.ts';
import type { Sql } from '../database.ts';
import { effectiveTimeZone, ORDERING_DEFAULTS } from './ordering-config.ts';

/** Everything that the status and the slots of an organization are made of, besides the moment. */
export type OrganizationFacts = {
  flags: FulfillmentFlags;
  config: FulfillmentConfig & PreparationMinutes;
  schedule: Schedule;
};

/** Exceptions that no answer of today or later can depend on are left out (rule FUL-6 looks 7 days back). */
const STILL_MATTERS = sql<boolean>`coalesce(ends_at > now() - interval '1 day', date > current_date - 12, true)`;

/**
 * The facts of some organizations by their numbers. `since: 'today'` leaves out exceptions that are over, for answers about now;
 * `'ever'` has all of them. An organization that does not exist has no entry.
 */
export async function readFacts(
  { db }: Sql,
  organizationIds: readonly number[],
  { since, timeZone }: { since: 'today' | 'ever'; timeZone: string },
): Promise<Map<number, OrganizationFacts>> {
  const organizations = await db
    .selectFrom('mirror_organization')
    .select(['id', 'timeZone'])
    .where('id', '=', anyOf(organizationIds))
    .execute();
  const ofThese = anyOf(organizationIds);
  const configs = await db.selectFrom('ordering_config').selectAll().where('organizationId', '=', ofThese).execute();
  const weeks = await db
    .selectFrom('ordering_schedule')
    .select(['organizationId', 'windows'])
    .where('organizationId', '=', ofThese)
    .execute();
  const every = db.selectFrom('schedule_exception').selectAll().where('organizationId', '=', ofThese).orderBy('id');
  const exceptions = await (since === 'ever' ? every : every.where(STILL_MATTERS)).execute();

  const configOf = new Map(configs.map((each) => [each.organizationId, each]));
  const weekOf = new Map(weeks.map((each) => [each.organizationId, each.windows]));
  const exceptionsOf = Map.groupBy(exceptions, (each) => each.organizationId);
  return new Map(
    organizations.map(({ id, timeZone: ofErp }): [number, OrganizationFacts] => {
      const config = configOf.get(id) ?? ORDERING_DEFAULTS;
      const rows = exceptionsOf.get(id) ?? [];
      const schedule = {
        timeZone: effectiveTimeZone(config.timeZone, ofErp, timeZone),
        windows: weekOf.get(id) ?? [],
        exceptions: rows.flatMap(dateException),
        intakeStops: rows.flatMap(intakeStop),
      };
      return [id, { flags: config, config, schedule }];
    }),
  );
}

type Row = {
  kind: DateException['kind'] | 'INTAKE_STOPPED';
  channel: DateException['channel'];
  date: string | null;
  windows: DateException['windows'];
  startsAt: Date | null;
  endsAt: Date | null;
};

const dateException = ({ kind, channel, date, windows }: Row): DateException[] =>
  kind === 'INTAKE_STOPPED' || date === null ? [] : [{ kind, channel, date, windows }];

const intakeStop = ({ channel, startsAt, endsAt }: Row): IntakeStop[] =>
  startsAt === null ? [] : [{ channel, from: startsAt.getTime(), to: endsAt?.getTime() ?? null }];
