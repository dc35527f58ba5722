import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Actor } from '../../kernel/actor.ts';
import { readPage, type Page, type Paging } from '../../kernel/pages.ts';
import { requireOrganizations } from '../../kernel/require-organizations.ts';
import { inScope, type Scope } from '../../kernel/scope.ts';
import { anyOf, type Tx } from '../../platform/db/database.ts';
import { createRow } from '../access/audit/audited-rows.ts';
import { commitOrderingEdit } from './configuration/commit-edit.ts';
import type { OrderingDeps } from './configuration/ordering-config.ts';
import { EXCEPTION, EXCEPTION_COLUMNS, exceptionRow } from './configuration/schedule-exceptions.ts';
import type {
  NewScheduleExceptions,
  ScheduleException,
  ScheduleExceptionsResult,
} from './schemas/hours.ts';

/**
 * Creates an exception in several organizations, or returns the plan (FUL-95). Skips organizations
 * with an exception for the same date and channel, or the same intake stop. Problem `validation`.
 */
export function createExceptions(
  deps: OrderingDeps,
  actor: Actor,
  { organizationIds, mode, ...input }: NewScheduleExceptions,
): Promise<ScheduleExceptionsResult> {
  const row = exceptionRow(input);
  return commitOrderingEdit(deps, async (tx) => {
    await requireOrganizations(tx, organizationIds);
    const currentRows = await sameTime(tx, organizationIds, row);
    const organizations: ScheduleExceptionsResult['organizations'] = [];

    for (const organizationId of organizationIds.toSorted((a, b) => a - b)) {
      const currentRow = currentRows.find(
        (exception) => exception.organizationId === organizationId,
      );
      if (currentRow !== undefined) {
        const outcome = isEqual(currentRow, row) ? 'EQUAL' : 'DIFFERENT';
        organizations.push({ organizationId, outcome, exceptionId: currentRow.id });
        continue;
      }

      const exceptionId =
        mode === 'PLAN' ? null : await createRow(tx, actor, EXCEPTION, { organizationId, ...row });
      organizations.push({ organizationId, outcome: 'CREATE', exceptionId });
    }

    return { mode, organizations };
  });
}

type Row = ReturnType<typeof exceptionRow>;

function sameTime(
  { db }: Tx,
  organizationIds: readonly number[],
  { kind, channel, date, startsAt }: Row,
) {
  const dated = kind !== 'INTAKE_STOPPED';
  return db
    .selectFrom('schedule_exception')
    .select(['id', 'organizationId', 'kind', 'windows', 'startsAt', 'endsAt', 'reason'])
    .where('organizationId', '=', anyOf(organizationIds))
    .where('channel', 'is not distinct from', channel)
    .where((eb) =>
      dated
        ? eb('date', '=', date)
        : eb.and([eb('kind', '=', kind), eb('startsAt', 'is not distinct from', startsAt)]),
    )
    .orderBy('id')
    .execute();
}

function isEqual(currentRow: Awaited<ReturnType<typeof sameTime>>[number], row: Row): boolean {
  const pickContent = ({
    kind,
    windows,
    endsAt,
    reason,
  }: Pick<Row, 'kind' | 'windows' | 'endsAt' | 'reason'>) => ({
    kind,
    windows,
    endsAt: endsAt?.getTime() ?? null,
    reason,
  });

  return isDeepStrictEqual(pickContent(currentRow), pickContent(row));
}

/** Uses an interval, because PostgreSQL inverts the sign of a zone name such as `+03:00`. */
const localDate = (at: Date, zone: string) => sql<string>`(case when ${sql.ref(zone)} ~ '^[+-]'
  then (${at}::timestamptz at time zone 'UTC') + ${sql.ref(zone)}::interval
  else ${at}::timestamptz at time zone ${sql.ref(zone)} end)::date`;

/** Returns one page of exceptions, optionally those active at a moment in local time (FUL-95). */
export function listAllExceptions(
  { db, env }: OrderingDeps,
  {
    activeAt,
    organizationId,
    scope,
    ...paging
  }: Paging & {
    activeAt: Date | null;
    organizationId: number | undefined;
    scope: Scope;
  },
): Promise<Page<ScheduleException>> {
  const zoned = db.db
    .selectFrom('schedule_exception as exception')
    .innerJoin('mirror_organization as organization', 'organization.id', 'exception.organizationId')
    .leftJoin('ordering_config as config', 'config.organizationId', 'exception.organizationId')
    .innerJoinLateral(
      sql<{
        name: string;
      }>`(select coalesce(config.time_zone, organization.time_zone, ${env.SYNC_TIME_ZONE}) as name)`.as(
        'zone',
      ),
      (join) => join.onTrue(),
    );

  const exceptions = zoned
    .select(EXCEPTION_COLUMNS.map((column) => `exception.${column}` as const))
    .where((eb) => inScope(eb.ref('exception.organizationId'), scope))
    .$if(organizationId !== undefined, (query) =>
      query.where('exception.organizationId', '=', organizationId!),
    )
    .$if(activeAt !== null, (query) =>
      query.where((eb) =>
        eb.or([
          eb('exception.date', '=', localDate(activeAt!, 'zone.name')),
          eb.and([
            eb('exception.startsAt', '<=', activeAt),
            eb.or([eb('exception.endsAt', 'is', null), eb('exception.endsAt', '>', activeAt)]),
          ]),
        ]),
      ),
    )
    .orderBy('exception.organizationId')
    .orderBy('exception.id');

  return readPage(exceptions, paging);
}
