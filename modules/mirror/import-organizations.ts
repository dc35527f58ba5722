import { sql } from 'kysely';
import { appendOutbox } from '../../kernel/outbox.ts';
import { json, type Tx } from '../../platform/db/database.ts';
import { advisory } from '../../platform/db/locks.ts';
import type { Row } from '../../platform/db/row.ts';
import { createAnomalies } from './rules/anomalies.ts';
import { addOddRows } from './rules/odd-rows.ts';
import { normalizeOrganization } from './rules/organization.ts';
import { markDirty } from '../menus/rebuilds/mark-dirty.ts';
import { activeOrganizations } from './organizations.ts';
import { guardListShrink, settleRefusedList, type Loss } from './list-shrink-guard.ts';
import { fencedImport, type MirrorDeps, type JobOutcome } from './runs/fenced-import.ts';
import { forgetUnservedOrganizations } from './runs/refused-organizations.ts';
import { addAnomalies } from './runs/run-facts.ts';

export type OrganizationsResult = {
  total: number;
  created: number;
  updated: number;
  deactivated: number;
};

/**
 * Imports the organizations of a connection (MIR-22). A list that removes too much is rejected once
 * (MIR-45). Idempotent.
 */
export async function importOrganizations(
  deps: MirrorDeps,
  run: Run,
  options: { signal?: AbortSignal } = {},
): Promise<JobOutcome<OrganizationsResult>> {
  return fencedImport(
    deps,
    run,
    async () => {
      const { data, bytes, odd } = await deps.erp.organizations(run.connectionId, options);
      const anomalies = createAnomalies();
      addOddRows(anomalies, odd);
      const rows = data.organizations.map((raw) => ({
        ...normalizeOrganization(raw, anomalies),
        raw,
      }));

      const listed = Map.groupBy(rows, ({ erpId }) => erpId);
      for (const [erpId, same] of listed)
        if (same.length > 1) anomalies.add('ORGANIZATION_LISTED_TWICE', erpId);

      return { bytes, data: { listed, anomalies: anomalies.list() }, organizations: listed.size };
    },
    async (tx, { listed, anomalies }) => {
      const list = { ...run, job: 'ORGANIZATIONS' } as const;
      const loss = await measureLoss(tx, run, new Set(listed.keys()));
      await guardListShrink(tx, list, loss);
      await settleRefusedList(tx, list, loss);
      await addAnomalies(tx, run.runId, anomalies);

      return save(
        tx,
        run,
        [...listed.values()].flatMap((rows) => rows.slice(0, 1)),
      );
    },
  );
}

type Run = { runId: number; connectionId: number };
type Incoming = ReturnType<typeof normalizeOrganization> & { raw: object };
type Written = Row<'mirror_organization', 'id', { isActive: boolean }>;

async function save(
  tx: Tx,
  { runId, connectionId }: Run,
  organizations: readonly Incoming[],
): Promise<OrganizationsResult> {
  await advisory.organizationOwners(tx);
  const { db } = tx;
  await sql`
    create temporary table new_organization (erp_id uuid, name text, code text, address text,
      latitude double precision, longitude double precision, raw jsonb, is_claimed boolean) on commit drop`.execute(
    db,
  );

  await sql`
    insert into new_organization
    select "erpId", name, code, address, latitude, longitude, raw, false
      from jsonb_to_recordset(${json(organizations)}::jsonb) as row("erpId" uuid, name text, code text, address text,
             latitude double precision, longitude double precision, raw jsonb)`.execute(db);

  await settleClaims(tx, runId, connectionId);
  const existing = await db
    .selectFrom('served_organization')
    .select('id')
    .where('connectionId', '=', connectionId)
    .execute();

  const { rows: created } = await sql<Written>`
    insert into mirror_organization (connection_id, erp_id, name, code, address, latitude, longitude, raw, synchronized_at, inactive_at)
    select ${connectionId}, new.erp_id, new.name, new.code, new.address, new.latitude, new.longitude, new.raw, now(),
           case when new.is_claimed then now() end
      from new_organization new
     where not exists (select 1 from mirror_organization old where old.connection_id = ${connectionId} and old.erp_id = new.erp_id)
     order by new.erp_id returning id, inactive_at is null as is_active`.execute(db);

  const { rows: updated } = await sql<Written>`
    update mirror_organization old
       set name = new.name, code = new.code, address = new.address, latitude = new.latitude, longitude = new.longitude, raw = new.raw,
           inactive_at = case when new.is_claimed then coalesce(old.inactive_at, now()) end
      from new_organization new
     where old.connection_id = ${connectionId} and old.erp_id = new.erp_id
       and ((old.name, old.code, old.address, old.latitude, old.longitude)
              is distinct from (new.name, new.code, new.address, new.latitude, new.longitude)
            or (old.inactive_at is not null) <> new.is_claimed)
    returning old.id, old.inactive_at is null as is_active`.execute(db);

  await sql`
    update mirror_organization old set synchronized_at = now(), raw = new.raw from new_organization new
     where old.connection_id = ${connectionId} and old.erp_id = new.erp_id`.execute(db);
  const { rows: deactivated } = await sql<Row<'mirror_organization', 'id'>>`
    update mirror_organization old set inactive_at = now()
     where connection_id = ${connectionId} and inactive_at is null
       and not exists (select 1 from new_organization new where new.erp_id = old.erp_id) returning id`.execute(
    db,
  );

  await forgetUnservedOrganizations(tx, connectionId);
  const changed = [...created, ...updated, ...deactivated].map((row) => row.id);
  if (changed.length > 0) {
    await markDirty(tx, 'organizations-import', changed);
    const before = new Set(existing.map((row) => row.id));
    const activated = [...created, ...updated].flatMap(({ id, isActive }) =>
      isActive && !before.has(id) ? [id] : [],
    );
    await appendOutbox(tx, 'ErpOrganizationsChanged', {
      connectionId,
      organizationIds: changed,
      activated,
    });
  }

  return {
    total: organizations.length,
    created: created.length,
    updated: updated.length,
    deactivated: deactivated.length,
  };
}

async function measureLoss(
  tx: Tx,
  { connectionId }: Run,
  listed: ReadonlySet<string>,
): Promise<Loss> {
  const active = await activeOrganizations(tx, connectionId);
  const lost = active.filter(({ erpId }) => !listed.has(erpId)).map(({ id }) => id);
  return { had: active.length, lost, what: 'place in the list', isEmpty: listed.size === 0 };
}

/**
 * Organizations of another enabled connection are stored as inactive and counted. Those of a
 * disabled connection are taken over, so that a new credential of the same account can serve them.
 */
async function settleClaims(tx: Tx, runId: number, connectionId: number): Promise<void> {
  const { rows: claimed } = await sql<Row<'mirror_organization', 'erpId'>>`
    update new_organization new set is_claimed = true from served_organization other
      join connection on connection.id = other.connection_id
     where other.erp_id = new.erp_id and other.connection_id <> ${connectionId} and connection.status = 'ACTIVE'
    returning new.erp_id`.execute(tx.db);

  await sql`
    update mirror_organization other set inactive_at = now() from new_organization new
     where other.erp_id = new.erp_id and other.connection_id <> ${connectionId} and other.inactive_at is null
       and not new.is_claimed`.execute(tx.db);

  const samples = claimed.map((row) => row.erpId);
  if (samples.length > 0)
    await addAnomalies(tx, runId, [
      { code: 'ORGANIZATION_CLAIMED_TWICE', count: samples.length, samples: samples.slice(0, 3) },
    ]);
}
