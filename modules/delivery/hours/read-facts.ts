import { sql } from 'kysely';
import { anyOf, type Sql } from '../../../platform/db/database.ts';
import { nestRows, unnestRows } from '../../../platform/db/nested-rows.ts';
import { effectiveCookingMinutes, type PreparationMinutes } from '../rules/eta.ts';
import type { DateException, IntakeStop, Schedule } from '../rules/schedule.ts';
import type { FulfillmentConfig, FulfillmentFlags } from '../rules/timeline.ts';
import { organizationSwitches } from '../../mirror/rules/organization-switches.ts';
import { switchFields } from '../../mirror/switch-fields.ts';
import {
  CONFIG_FIELDS,
  effectiveTimeZone,
  ORDERING_DEFAULTS,
} from '../configuration/ordering-config.ts';

export type OrganizationFacts = {
  /** Excludes orders that the ERP does not accept (ORD-158). */
  flags: FulfillmentFlags;
  config: FulfillmentConfig & PreparationMinutes;
  schedule: Schedule;
  /** False while the connection is disabled (FUL-48). */
  isErpEnabled: boolean;
};

/** FUL-6 needs the last 7 days. */
const STILL_MATTERS = sql<boolean>`coalesce(ends_at > now() - interval '1 day', date > current_date - 12, true)`;

/** Reads facts by organization. `since: 'today'` omits past exceptions. */
export async function readFacts(
  tx: Sql,
  organizationIds: readonly number[],
  { since, timeZone }: { since: 'today' | 'ever'; timeZone: string },
): Promise<Map<number, OrganizationFacts>> {
  return toFacts(await factRows(tx, organizationIds, since).execute(), timeZone);
}

/** Selects rows for {@link toFacts}, also as a subquery. */
export function factRows({ db }: Sql, organizationIds: readonly number[], since: 'today' | 'ever') {
  const here = sql.ref<number>('organization.id');
  const every = db
    .selectFrom('schedule_exception')
    .select(['kind', 'channel', 'date', 'windows', 'startsAt', 'endsAt'])
    .where('organizationId', '=', here)
    .orderBy('id');

  return db
    .selectFrom('mirror_organization as organization')
    .innerJoin('connection', 'connection.id', 'organization.connectionId')
    .leftJoin('mirror_delivery_defaults as defaults', 'defaults.organizationId', 'organization.id')
    .leftJoin('order_sending as sending', 'sending.connectionId', 'organization.connectionId')
    .leftJoin('ordering_schedule as week', 'week.organizationId', 'organization.id')
    .select([
      'organization.id',
      'organization.timeZone',
      'connection.status',
      'defaults.selfServiceMinutes',
      'week.windows',
      'sending.marketingSourceId',
      switchFields(sql.ref('organization.raw')).as('switches'),
      nestRows(
        db
          .selectFrom('ordering_config')
          .select([...CONFIG_FIELDS])
          .where('organizationId', '=', here),
      ).as('configs'),
      nestRows(since === 'ever' ? every : every.where(STILL_MATTERS)).as('exceptions'),
    ])
    .where('organization.id', '=', anyOf(organizationIds));
}

type FactRow = Awaited<ReturnType<ReturnType<typeof factRows>['execute']>>[number];

/** Converts rows to facts by organization. `timeZone` is the default. */
export function toFacts(
  rows: readonly FactRow[],
  timeZone: string,
): Map<number, OrganizationFacts> {
  return new Map(
    rows.map((row): [number, OrganizationFacts] => {
      const { id, timeZone: ofErp, status, selfServiceMinutes, windows, configs, exceptions } = row;
      const { takesDelivery, takesPickup, needsMarketingSource } = organizationSwitches(
        row.switches,
      );
      const ownConfig = unnestRows(configs)[0] ?? ORDERING_DEFAULTS;
      const pickupCookingMinutes = effectiveCookingMinutes(
        ownConfig.pickupCookingMinutes,
        selfServiceMinutes,
      );

      const config = { ...ownConfig, pickupCookingMinutes };
      const dated = unnestRows(exceptions);
      const schedule = {
        timeZone: effectiveTimeZone(config.timeZone, ofErp, timeZone),
        windows: windows ?? [],
        exceptions: dated.flatMap(dateException),
        intakeStops: dated.flatMap(intakeStop),
      };

      const flags = {
        ...config,
        deliveryEnabled:
          config.deliveryEnabled &&
          takesDelivery &&
          (!needsMarketingSource || row.marketingSourceId !== null),
        pickupEnabled: config.pickupEnabled && takesPickup,
      };

      return [id, { flags, config, schedule, isErpEnabled: status === 'ACTIVE' }];
    }),
  );
}

type Row = {
  kind: DateException['kind'] | 'INTAKE_STOPPED';
  channel: DateException['channel'];
  date: string | null;
  windows: DateException['windows'];
  startsAt: string | null;
  endsAt: string | null;
};

const dateException = ({ kind, channel, date, windows }: Row): DateException[] =>
  kind === 'INTAKE_STOPPED' || date === null ? [] : [{ kind, channel, date, windows }];

const intakeStop = ({ channel, startsAt, endsAt }: Row): IntakeStop[] =>
  startsAt === null
    ? []
    : [{ channel, from: Date.parse(startsAt), to: endsAt === null ? null : Date.parse(endsAt) }];
