import { sql } from 'kysely';
import { appendOutbox } from '../../kernel/outbox.ts';
import { anyOf, json, touchedBy, type Tx } from '../../platform/db/database.ts';
import type { Row } from '../../platform/db/row.ts';
import { createAnomalies } from './rules/anomalies.ts';
import { normalizeTimeZone, cleanText, LEAST_BALANCE } from './rules/values.ts';
import type { ErpTerminalGroup } from '../../erp/schemas/terminal-groups.ts';
import { activeOrganizations } from './organizations.ts';
import { fencedImport, type MirrorDeps, type JobOutcome } from './runs/fenced-import.ts';
import { importInBatches, type Answers, type ImportOptions } from './runs/import-in-batches.ts';
import { addAnomalies } from './runs/run-facts.ts';
import { guardListShrink, settleRefusedList, type Loss } from './list-shrink-guard.ts';
import { terminalGroups } from './terminals.ts';

export type TerminalsResult = {
  total: number;
  created: number;
  updated: number;
  deactivated: number;
};

type Organization = { id: number; erpId: string };

/** The ERP documents no limit, and rows are small. */
const ORGANIZATIONS_PER_CALL = 1_000;

/**
 * Imports the terminal groups and time zones of a connection's active organizations. Changes that
 * affect stops are published as `ErpTerminalsChanged`. Idempotent.
 */
export async function importTerminals(
  deps: MirrorDeps,
  run: { runId: number; connectionId: number },
  options: ImportOptions = {},
): Promise<JobOutcome<TerminalsResult>> {
  const active = await activeOrganizations(deps.db, run.connectionId);
  const saveAll = async (
    tx: Tx,
    { organizations, rows }: Answers<Organization, ErpTerminalGroup>,
  ) => {
    const ids = new Map(organizations.map((organization) => [organization.erpId, organization.id]));
    await guardListShrink(tx, { ...run, job: 'TERMINALS' }, await measureLoss(tx, ids, rows));
    await settleRefusedList(tx, { ...run, job: 'TERMINALS' });
    const complete = organizations.filter(({ isComplete }) => isComplete).map(({ id }) => id);
    return save(tx, run, { ids, complete }, rows);
  };

  const outcome = await importInBatches(
    deps,
    { ...run, job: 'TERMINALS', isLastTry: options.isLastTry === true },
    {
      organizations: active,
      perCall: ORGANIZATIONS_PER_CALL,
      async ask(erpIds, how) {
        const { data, bytes, odd } = await deps.erp.terminalGroups(run.connectionId, erpIds, {
          ...options,
          ...how,
        });

        const rows = data.terminalGroups;

        return {
          rows,
          named: rows.map(({ organizationId }) => organizationId.toLowerCase()),
          bytes,
          odd,
        };
      },
      save: saveAll,
    },
  );
  if (outcome.outcome !== 'NO_ORGANIZATIONS') return outcome;

  const nothing = { data: { organizations: [], rows: [] }, bytes: 0 };

  return fencedImport(deps, { ...run, organizations: 0 }, async () => nothing, saveAll);
}

type ListedTerminal = {
  organizationId: number;
  erpId: string;
  name: string;
  timeZone: string | null;
  isAsleep: boolean;
};

async function save(
  tx: Tx,
  { runId, connectionId }: { runId: number; connectionId: number },
  {
    ids: organizations,
    complete,
  }: { ids: ReadonlyMap<string, number>; complete: readonly number[] },
  groups: readonly ErpTerminalGroup[],
): Promise<TerminalsResult> {
  const anomalies = createAnomalies();
  const rows = new Map<string, ListedTerminal>();

  for (const group of groups) {
    const organizationId = organizations.get(group.organizationId.toLowerCase());
    if (organizationId === undefined) {
      anomalies.add('UNKNOWN_ORGANIZATION', group.organizationId);
      continue;
    }

    const timeZone = normalizeTimeZone(group.timeZone);
    if (timeZone === null && cleanText(group.timeZone) !== null)
      anomalies.add('UNKNOWN_TIME_ZONE', group.id);
    const erpId = group.id.toLowerCase();
    const name = cleanText(group.name) ?? erpId;
    rows.set(`${organizationId}/${erpId}`, {
      organizationId,
      erpId,
      name,
      timeZone,
      isAsleep: group.isAsleep,
    });
  }

  const { db } = tx;
  await sql`
    create temporary table new_terminal_group on commit drop as
    select "organizationId" as organization_id, "erpId" as erp_id, name, "timeZone" as time_zone, "isAsleep" as is_asleep
      from jsonb_to_recordset(${json([...rows.values()])}::jsonb)
        as row("organizationId" bigint, "erpId" uuid, name text, "timeZone" text, "isAsleep" boolean)`.execute(
    db,
  );

  const organizationIds = [...organizations.values()];
  const before = await groupsByOrganization(tx, organizationIds);
  const created = await sql`
    insert into mirror_terminal_group (organization_id, erp_id, name, time_zone, is_asleep, synchronized_at)
    select new.organization_id, new.erp_id, new.name, new.time_zone, new.is_asleep, now() from new_terminal_group new
     where not exists (select 1 from mirror_terminal_group old where old.organization_id = new.organization_id and old.erp_id = new.erp_id)
     order by new.organization_id, new.erp_id`.execute(db);

  const updated = await sql`
    update mirror_terminal_group old
       set name = new.name, time_zone = new.time_zone, is_asleep = new.is_asleep, inactive_at = null
      from new_terminal_group new
     where old.organization_id = new.organization_id and old.erp_id = new.erp_id
       and ((old.name, old.time_zone, old.is_asleep) is distinct from (new.name, new.time_zone, new.is_asleep)
            or old.inactive_at is not null)`.execute(db);

  await sql`
    update mirror_terminal_group old set synchronized_at = now() from new_terminal_group new
     where old.organization_id = new.organization_id and old.erp_id = new.erp_id`.execute(db);
  const deactivated = await sql`
    update mirror_terminal_group old set inactive_at = now()
     where organization_id = any (${complete}::bigint[]) and inactive_at is null
       and not exists (select 1 from new_terminal_group new
                        where new.organization_id = old.organization_id and new.erp_id = old.erp_id)`.execute(
    db,
  );

  await announceTerminals(tx, connectionId, organizationIds, before);
  await saveTimeZones(tx, connectionId, organizationIds);
  await addAnomalies(tx, runId, anomalies.list());

  return {
    total: rows.size,
    created: touchedBy(created),
    updated: touchedBy(updated),
    deactivated: touchedBy(deactivated),
  };
}

async function measureLoss(
  tx: Tx,
  organizations: ReadonlyMap<string, number>,
  groups: readonly ErpTerminalGroup[],
): Promise<Loss> {
  const currentGroups = await terminalGroups(tx, [...organizations.values()]);
  const had = new Set(
    currentGroups.filter(({ isActive }) => isActive).map(({ organizationId }) => organizationId),
  );
  const named = new Set(
    groups.map(({ organizationId }) => organizations.get(organizationId.toLowerCase())),
  );
  const lost = [...had].filter((id) => !named.has(id));

  return { had: had.size, lost, what: 'terminal groups', isEmpty: groups.length === 0 };
}

async function groupsByOrganization(
  tx: Tx,
  organizationIds: readonly number[],
): Promise<Map<number, string>> {
  const texts = new Map<number, string>();
  for (const { organizationId, erpId, isActive } of await terminalGroups(tx, organizationIds))
    texts.set(organizationId, `${texts.get(organizationId) ?? ''} ${erpId}:${isActive}`);
  return texts;
}

/** Without stops, terminal groups do not change the menu. */
async function announceTerminals(
  tx: Tx,
  connectionId: number,
  organizationIds: readonly number[],
  before: ReadonlyMap<number, string>,
): Promise<void> {
  const after = await groupsByOrganization(tx, organizationIds);
  const changed = organizationIds.filter((id) => before.get(id) !== after.get(id));
  const affected = await tx.db
    .selectFrom('mirror_stop_list')
    .select('organizationId as id')
    .distinct()
    .where('organizationId', '=', anyOf(changed))
    .where('balance', '<', LEAST_BALANCE)
    .orderBy('id')
    .execute();

  if (affected.length > 0)
    await appendOutbox(tx, 'ErpTerminalsChanged', {
      connectionId,
      organizationIds: affected.map((row) => row.id),
    });
}

/**
 * Uses the time zone of the first awake group, otherwise of the first group; skips groups without a
 * usable zone. If no group has one, the organization keeps its zone.
 */
async function saveTimeZones(
  tx: Tx,
  connectionId: number,
  organizationIds: readonly number[],
): Promise<void> {
  const { rows: changed } = await sql<Row<'mirror_organization', 'id'>>`
    with chosen as (
      select distinct on (organization_id) organization_id, time_zone from mirror_terminal_group
       where organization_id = any (${organizationIds}::bigint[]) and inactive_at is null and time_zone is not null
       order by organization_id, is_asleep, id)
    update mirror_organization organization set time_zone = chosen.time_zone from chosen
     where organization.id = chosen.organization_id and organization.time_zone is distinct from chosen.time_zone
    returning organization.id`.execute(tx.db);

  if (changed.length > 0)
    await appendOutbox(tx, 'ErpOrganizationsChanged', {
      connectionId,
      organizationIds: changed.map((row) => row.id),
    });
}
