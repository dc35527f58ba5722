import { sql } from 'kysely';
import type { Actor } from '../../../kernel/actor.ts';
import { inScope, type Scope } from '../../../kernel/scope.ts';
import { readPage, type Page, type Paging } from '../../../kernel/pages.ts';
import { Problem } from '../../../kernel/problem.ts';
import { requireOrganizations } from '../../../kernel/require-organizations.ts';
import { anyOf, type Database, type Sql, type Tx } from '../../../platform/db/database.ts';
import { recordAudits } from '../../access/audit/record-audit.ts';
import { lockBusyModes, announceBusyModes } from './busy-mode-rows.ts';
import { requireOrganization } from '../configuration/commit-edit.ts';
import { effectiveTimeZone, type OrderingDeps } from '../configuration/ordering-config.ts';
import { busyUntil } from '../rules/busy-mode.ts';
import type { BusyMode, BusyModeEdit, BusyModeList, BusyModesEdit } from '../schemas/busy-mode.ts';

const COLUMNS = ['organizationId', 'extraMinutes', 'until', 'updatedAt'] as const;

export function listBusyModes(
  { db }: Sql,
  { scope, ...paging }: Paging & { scope: Scope },
): Promise<Page<BusyMode>> {
  const modes = activeModes({ db })
    .where((eb) => inScope(eb.ref('organizationId'), scope))
    .orderBy('until')
    .orderBy('organizationId');

  return readPage(modes, paging);
}

/** Returns the busy mode of an organization, with nulls if none is active. Problem `not-found`. */
export async function getBusyMode({ db }: Sql, organizationId: number): Promise<BusyMode> {
  await requireOrganization({ db }, organizationId);
  const mode = await activeModes({ db })
    .where('organizationId', '=', organizationId)
    .executeTakeFirst();
  return mode ?? { organizationId, extraMinutes: null, until: null, updatedAt: null };
}

const activeModes = ({ db }: Sql) =>
  db
    .selectFrom('busy_mode')
    .select(COLUMNS)
    .where('until', '>', sql<Date>`clock_timestamp()`);

/**
 * Sets the busy mode of an organization (FUL-66, FUL-68). Idempotent. Problems: not-found,
 * validation (`until`).
 */
export async function setBusyMode(
  deps: OrderingDeps,
  actor: Actor,
  organizationId: number,
  edit: BusyModeEdit,
): Promise<BusyMode> {
  await deps.db.transaction(async (tx) => {
    await requireOrganization(tx, organizationId);
    await saveModes(tx, actor, {
      organizationIds: [organizationId],
      edit,
      timeZone: deps.env.SYNC_TIME_ZONE,
    });
  });

  return getBusyMode(deps.db, organizationId);
}

/**
 * Sets the busy mode of organizations in their local time, by default all served ones of the scope.
 * Problem `validation` (`until`).
 */
export function setBusyModes(
  deps: OrderingDeps,
  actor: Actor,
  scope: Scope,
  { organizationIds: named, ...edit }: BusyModesEdit,
): Promise<BusyModeList> {
  return deps.db.transaction(async (tx) => {
    await requireOrganizations(tx, named);
    const served = await tx.db
      .selectFrom('served_organization')
      .select('id')
      .where((eb) => inScope(eb.ref('id'), named ?? scope))
      .execute();

    const organizationIds = served.map(({ id }) => id);
    await saveModes(tx, actor, { organizationIds, edit, timeZone: deps.env.SYNC_TIME_ZONE });
    const items = await tx.db
      .selectFrom('busy_mode')
      .select(COLUMNS)
      .where('organizationId', '=', anyOf(organizationIds))
      .orderBy('organizationId')
      .execute();

    return { items };
  });
}

/** Ends a busy mode, if any. Problem `not-found`. */
export function endBusyMode(
  { db }: { db: Database },
  actor: Actor,
  organizationId: number,
): Promise<void> {
  return db.transaction(async (tx) => {
    await requireOrganization(tx, organizationId);
    await deleteModes(tx, actor, [organizationId]);
  });
}

export function endBusyModes({ db }: { db: Database }, actor: Actor, scope: Scope): Promise<void> {
  return db.transaction((tx) => deleteModes(tx, actor, scope));
}

async function deleteModes(tx: Tx, actor: Actor, scope: Scope): Promise<void> {
  await lockBusyModes(tx);
  const deleted = await tx.db
    .deleteFrom('busy_mode')
    .where((eb) => inScope(eb.ref('organizationId'), scope))
    .returning(COLUMNS)
    .execute();

  await recordAudits(
    tx,
    actor,
    deleted.map((mode) => ({
      entityType: 'busy-mode',
      entityId: mode.organizationId,
      action: 'delete',
      before: pickFields(mode),
    })),
  );

  await announceBusyModes(
    tx,
    deleted.map((mode) => mode.organizationId),
  );
}

type Wanted = { organizationIds: readonly number[]; edit: BusyModeEdit; timeZone: string };
type Mode = { organizationId: number; extraMinutes: number; until: Date };

const pickFields = ({ extraMinutes, until }: Omit<Mode, 'organizationId'>) => ({
  extraMinutes,
  until: until.toISOString(),
});

async function saveModes(
  tx: Tx,
  actor: Actor,
  { organizationIds, edit, timeZone }: Wanted,
): Promise<void> {
  await lockBusyModes(tx);
  const modes = await storedModes(tx, organizationIds);
  const changes = modes.flatMap(
    ({ organizationId, ownZone, zoneOfErp, extraMinutes, until, now }) => {
      const end = busyUntil(
        edit.until,
        now.getTime(),
        effectiveTimeZone(ownZone, zoneOfErp, timeZone),
      );
      if (typeof end !== 'number') throw new Problem('validation', { errors: [end] });

      const before = extraMinutes === null || until === null ? null : { extraMinutes, until };
      if (before?.extraMinutes === edit.extraMinutes && before.until.getTime() === end) return [];

      return [
        {
          before,
          after: { organizationId, extraMinutes: edit.extraMinutes, until: new Date(end) },
        },
      ];
    },
  );
  if (changes.length === 0) return;

  await upsertModes(
    tx,
    changes.map(({ after }) => after),
  );

  await recordAudits(
    tx,
    actor,
    changes.map(({ before, after }) => ({
      entityType: 'busy-mode',
      entityId: after.organizationId,
      action: before === null ? 'create' : 'update',
      before: before === null ? null : pickFields(before),
      after: pickFields(after),
    })),
  );

  await announceBusyModes(
    tx,
    changes.map(({ after }) => after.organizationId),
  );
}

const storedModes = (tx: Tx, organizationIds: readonly number[]) =>
  tx.db
    .selectFrom('mirror_organization as mirrored')
    .leftJoin('ordering_config as config', 'config.organizationId', 'mirrored.id')
    .leftJoin('busy_mode as mode', 'mode.organizationId', 'mirrored.id')
    .select([
      'mirrored.id as organizationId',
      'config.timeZone as ownZone',
      'mirrored.timeZone as zoneOfErp',
      'mode.extraMinutes',
      'mode.until',
      sql<Date>`clock_timestamp()`.as('now'),
    ])
    .where('mirrored.id', '=', anyOf(organizationIds))
    .orderBy('mirrored.id')
    .execute();

async function upsertModes(tx: Tx, modes: readonly Mode[]): Promise<void> {
  await sql`
    insert into busy_mode (organization_id, extra_minutes, until)
    select * from unnest(${modes.map((mode) => mode.organizationId)}::bigint[],
                         ${modes.map((mode) => mode.extraMinutes)}::int[],
                         ${modes.map((mode) => mode.until.toISOString())}::timestamptz[])
    on conflict (organization_id) do update
      set extra_minutes = excluded.extra_minutes, until = excluded.until, updated_at = now()`.execute(
    tx.db,
  );
}
