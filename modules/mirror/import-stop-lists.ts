import { sql } from 'kysely';
import { appendOutbox } from '../../kernel/outbox.ts';
import { anyOf, json, type Sql, type Tx } from '../../platform/db/database.ts';
import type { Row } from '../../platform/db/row.ts';
import { createAnomalies } from './rules/anomalies.ts';
import { cleanText, COUNTED_BALANCE, LEAST_BALANCE } from './rules/values.ts';
import type { ErpStopRow } from '../../erp/schemas/stop-lists.ts';
import { guardListShrink, type Loss } from './list-shrink-guard.ts';
import type { MirrorDeps, JobOutcome } from './runs/fenced-import.ts';
import {
  importInBatches,
  type Answers,
  type Batches,
  type ImportOptions,
} from './runs/import-in-batches.ts';
import { pollInBatches, type PollDeps, type PollOutcome } from './runs/poll-in-batches.ts';
import { addAnomalies } from './runs/run-facts.ts';

export type StopListsResult = { rows: number; changed: number };

/** The ERP documents no limit. */
const ORGANIZATIONS_PER_CALL = 100;

/**
 * Replaces the stop-lists of a connection's active organizations (MIR-30). A missing organization
 * has nothing stopped. Only changes below ten units are published as `ErpStopListChanged`.
 * Idempotent.
 */
export async function importStopLists(
  deps: MirrorDeps,
  run: { runId: number; connectionId: number },
  options: ImportOptions = {},
): Promise<JobOutcome<StopListsResult> | { outcome: 'NO_ORGANIZATIONS' }> {
  const batches = await stopListBatches(deps, run.connectionId, options);
  return importInBatches(
    deps,
    { ...run, ...STOP_LISTS, isLastTry: options.isLastTry === true },
    batches,
  );
}

/**
 * Records a run if the stop-lists are unchanged. Otherwise writes nothing and returns CHANGED: the
 * import reads them again under its lock (OPS-105).
 */
export async function pollStopLists(
  deps: PollDeps,
  connectionId: number,
  options: { signal?: AbortSignal } = {},
): Promise<PollOutcome> {
  const batches = await stopListBatches(deps, connectionId, options);
  return pollInBatches(
    deps,
    { connectionId, ...STOP_LISTS },
    batches,
    ({ changed }) => changed > 0,
  );
}

const STOP_LISTS = { job: 'STOP_LIST', turn: 'STOP_LISTS' } as const;

async function stopListBatches(
  { db, erp }: Pick<MirrorDeps, 'db' | 'erp'>,
  connectionId: number,
  options: ImportOptions,
): Promise<Batches<Organization, ErpStopRow, StopListsResult>> {
  const organizations = await askedOrganizations(db, connectionId);
  const unnamed: string[] = [];

  return {
    organizations,
    perCall: ORGANIZATIONS_PER_CALL,
    async ask(erpIds, how) {
      const { data, bytes, odd } = await erp.stopLists(connectionId, erpIds, {
        ...options,
        ...how,
      });
      if (!erpIds.some((erpId) => data.named.includes(erpId))) unnamed.push(...erpIds);

      return { ...data, bytes, odd };
    },
    async save(tx, answers, runId) {
      const loss = await measureLoss(tx, answers.organizations, new Set(unnamed));
      await guardListShrink(tx, { runId, connectionId, job: 'STOP_LIST' }, loss);
      await stampState(tx, organizations, new Set(answers.organizations.map(({ id }) => id)));
      return save(tx, runId, answers);
    },
  };
}

/** `dirtySeq` is the value before the ERP request. */
type Organization = { id: number; erpId: string; dirtySeq: number };

function askedOrganizations({ db }: Sql, connectionId: number): Promise<Organization[]> {
  return db
    .selectFrom('served_organization as organization')
    .leftJoin('mirror_stop_list_state as state', 'state.organizationId', 'organization.id')
    .select([
      'organization.id',
      'organization.erpId',
      (eb) => eb.fn.coalesce('state.dirtySeq', eb.lit(0)).as('dirtySeq'),
    ])
    .where('organization.connectionId', '=', connectionId)
    .orderBy('organization.id')
    .execute();
}

/** Returns restaurants with stops, from calls whose response contains no requested restaurant. */
async function measureLoss(
  tx: Tx,
  organizations: readonly Organization[],
  unnamed: ReadonlySet<string>,
): Promise<Loss> {
  const organizationIds = organizations
    .filter(({ erpId }) => unnamed.has(erpId))
    .map(({ id }) => id);
  const stopped = await tx.db
    .selectFrom('mirror_stop_list')
    .select('organizationId')
    .distinct()
    .where('organizationId', '=', anyOf(organizationIds))
    .where('balance', '<', LEAST_BALANCE)
    .execute();

  const lost = stopped.map(({ organizationId }) => organizationId);

  return { had: lost.length, lost, what: 'stop-lists' };
}

const KEY = ['organization_id', 'terminal_group_erp_id', 'item_erp_id', 'erp_size_id'] as const;
const KEY_COLUMNS = sql.join(KEY.map((name) => sql.ref(name)));

const SAME_KEY = sql.join(
  KEY.map((name) => sql`${sql.ref(`old.${name}`)} = ${sql.ref(`new.${name}`)}`),
  sql` and `,
);

type Change = Row<'mirror_stop_list', 'organizationId', { added: string[]; removed: string[] }>;

async function save(
  tx: Tx,
  runId: number,
  { organizations, rows }: Answers<Organization, ErpStopRow>,
): Promise<StopListsResult> {
  const organizationIds = organizations.map((organization) => organization.id);
  const stated = await stageStops(
    tx,
    runId,
    new Map(organizations.map((organization) => [organization.erpId, organization.id])),
    rows,
  );

  const { db } = tx;
  // A partly unreadable list removes nothing (MIR-72).
  const partlyRead = organizations.filter(({ isComplete }) => !isComplete).map(({ id }) => id);
  await sql`
    insert into new_stop (${KEY_COLUMNS}, balance, sku, added_at)
    select ${KEY_COLUMNS}, balance, sku, added_at from mirror_stop_list old
     where organization_id = any (${partlyRead}::bigint[])
       and not exists (select 1 from new_stop new where ${SAME_KEY})`.execute(db);

  const { rows: changes } = await sql<Change>`
    with old as (select ${KEY_COLUMNS}, greatest(floor(balance), 0) as units from mirror_stop_list
                  where organization_id = any (${organizationIds}::bigint[]) and balance < ${COUNTED_BALANCE}),
         new as (select ${KEY_COLUMNS}, greatest(floor(balance), 0) as units from new_stop where balance < ${COUNTED_BALANCE}),
         change as (
           select coalesce(new.organization_id, old.organization_id) as organization_id,
                  coalesce(new.item_erp_id, old.item_erp_id) as item_erp_id,
                  coalesce(old.units < ${LEAST_BALANCE}, false) as was_stopped,
                  coalesce(new.units < ${LEAST_BALANCE}, false) as is_stopped
             from old full join new on ${SAME_KEY}
            where old.units is distinct from new.units)
    select organization_id,
           coalesce(array_agg(distinct item_erp_id::text) filter (where is_stopped and not was_stopped), '{}') as added,
           coalesce(array_agg(distinct item_erp_id::text) filter (where was_stopped and not is_stopped), '{}') as removed
      from change group by organization_id order by organization_id`.execute(db);

  await sql`
    delete from mirror_stop_list old where organization_id = any (${organizationIds}::bigint[])
       and not exists (select 1 from new_stop new where ${SAME_KEY})`.execute(db);
  await sql`
    update mirror_stop_list old set balance = new.balance, sku = new.sku, added_at = new.added_at, synchronized_run = ${runId}
      from new_stop new
     where ${SAME_KEY} and (old.balance, old.sku, old.added_at) is distinct from (new.balance, new.sku, new.added_at)`.execute(
    db,
  );

  await sql`
    insert into mirror_stop_list (${KEY_COLUMNS}, balance, sku, added_at, synchronized_run)
    select ${KEY_COLUMNS}, balance, sku, added_at, ${runId}::bigint from new_stop new
     where not exists (select 1 from mirror_stop_list old where ${SAME_KEY}) order by ${KEY_COLUMNS}`.execute(
    db,
  );

  for (const change of changes) await appendOutbox(tx, 'ErpStopListChanged', { runId, ...change });

  return { rows: stated, changed: changes.length };
}

/**
 * Clears dirty flags, except those set after the request. Compares counters, because the clocks of
 * machines differ.
 */
async function stampState(
  tx: Tx,
  organizations: readonly Organization[],
  read: ReadonlySet<number>,
): Promise<void> {
  const ids = organizations.map((organization) => organization.id);
  const marks = organizations.map((organization) => organization.dirtySeq);
  const areRead = organizations.map((organization) => read.has(organization.id));
  await sql`
    insert into mirror_stop_list_state (organization_id, synchronized_at, dirty_seq)
    select id, case when is_read then now() end, dirty_seq
      from unnest(${ids}::bigint[], ${marks}::bigint[], ${areRead}::boolean[]) as asked (id, dirty_seq, is_read) order by id
    on conflict (organization_id) do update set
      synchronized_at = coalesce(excluded.synchronized_at, mirror_stop_list_state.synchronized_at),
      dirty_at = case when mirror_stop_list_state.dirty_seq > excluded.dirty_seq then mirror_stop_list_state.dirty_at end`.execute(
    tx.db,
  );
}

/** Creates `new_stop` with the smallest balance per key. */
async function stageStops(
  tx: Tx,
  runId: number,
  organizations: ReadonlyMap<string, number>,
  rows: readonly ErpStopRow[],
): Promise<number> {
  const anomalies = createAnomalies();
  const stops = rows.flatMap((row) => {
    const organizationId = organizations.get(row.organizationId.toLowerCase());
    if (organizationId === undefined) {
      anomalies.add('UNKNOWN_ORGANIZATION', row.organizationId);
      return [];
    }

    return [
      {
        organizationId,
        terminalGroupErpId: row.terminalGroupId?.toLowerCase() ?? '',
        itemErpId: row.productId,
        erpSizeId: cleanText(row.sizeId) ?? '',
        balance: row.balance,
        sku: cleanText(row.sku),
        addedAt: row.addedAt,
      },
    ];
  });

  await sql`
    create temporary table new_stop on commit drop as
    select distinct on ("organizationId", "terminalGroupErpId", "itemErpId", "erpSizeId")
           "organizationId" as organization_id, "terminalGroupErpId" as terminal_group_erp_id, "itemErpId" as item_erp_id,
           "erpSizeId" as erp_size_id, balance, sku, "addedAt" as added_at
      from jsonb_to_recordset(${json(stops)}::jsonb) as row("organizationId" bigint, "terminalGroupErpId" text, "itemErpId" uuid,
             "erpSizeId" text, balance double precision, sku text, "addedAt" timestamptz)
     order by "organizationId", "terminalGroupErpId", "itemErpId", "erpSizeId", balance`.execute(
    tx.db,
  );

  await addAnomalies(tx, runId, anomalies.list());
  const count = sql<number>`(select count(*) from new_stop)`;

  return (await tx.db.selectNoFrom(count.as('count')).executeTakeFirstOrThrow()).count;
}
