import { appendOutbox } from '../../db/outbox.ts';
import type { Tx, Sql } from '../../db/database.ts';
import { inBatches } from '../../domain/batches.ts';
import { createAnomalies } from '../../domain/mirror/anomalies.ts';
import { cleanText } from '../../domain/mirror/values.ts';
import type { ErpStopRow } from '../../erp/schemas/stop-lists.ts';
import type { MirrorDeps } from './mirror-deps.ts';
import { fencedImport, type JobOutcome } from './runs/fenced-import.ts';
import { addAnomalies } from './runs/run-anomalies.ts';

/** `batches` calls for `organizations`; `rows` of the answers; `changed` organizations whose stopped items differ from before. */
export type StopListsResult = { organizations: number; batches: number; rows: number; changed: number };

/** Organizations of one call: the ERP names no limit, and an answer for 100 organizations is far smaller than a menu. */
const ORGANIZATIONS_PER_CALL = 100;

/**
 * Replaces the stop-lists of all active organizations of a connection in one transaction (rule MIR-30). The answer is
 * full: an organization it does not name has nothing stopped. Rows are kept per terminal group with their balance, modifiers
 * included; equal rows are not written. Whatever became stopped (balance 0 or less) or free leaves as `ErpStopListChanged`.
 * A connection without active organizations has nothing to ask for. A second call returns what the first has committed.
 */
export async function importStopLists(
  deps: MirrorDeps,
  run: { runId: number; connectionId: number },
  options: { signal?: AbortSignal } = {},
): Promise<JobOutcome<StopListsResult> | { outcome: 'NO_ORGANIZATIONS' }> {
  const organizations = await askedOrganizations(deps.db, run.connectionId);
  if (organizations.length === 0) return { outcome: 'NO_ORGANIZATIONS' };
  const batches = inBatches(organizations, ORGANIZATIONS_PER_CALL);
  return fencedImport(
    deps,
    { ...run, organizations: organizations.length, batches: batches.length },
    async () => {
      const answers = await Promise.all(
        batches.map((some) =>
          deps.erp.stopLists(
            run.connectionId,
            some.map((each) => each.erpId),
            options,
          ),
        ),
      );
      return {
        data: answers.flatMap((answer) => answer.data.rows),
        bytes: answers.reduce((sum, answer) => sum + answer.bytes, 0),
      };
    },
    async (tx, rows) => ({ ...(await save(tx, run.runId, organizations, rows)), batches: batches.length }),
  );
}

/** `dirtySeq`: the marks an organization had before the ERP was asked. */
type Asked = { id: number; erpId: string; dirtySeq: number };

async function askedOrganizations(sql: Sql, connectionId: number): Promise<Asked[]> {
  return sql.query<Asked>(
    `select organization.id, organization.erp_id as "erpId", coalesce(state.dirty_seq, 0) as "dirtySeq"
       from mirror_organization organization
       left join mirror_stop_list_state state on state.organization_id = organization.id
      where organization.connection_id = $1 and organization.inactive_at is null order by organization.id`,
    [connectionId],
  );
}

const KEY = ['organization_id', 'terminal_group_erp_id', 'item_erp_id', 'erp_size_id'] as const;
const SAME_KEY = KEY.map((name) => `old.${name} = new.${name}`).join(' and ');

type Change = { organizationId: number; added: string[]; removed: string[] };

async function save(
  tx: Tx,
  runId: number,
  organizations: readonly Asked[],
  rows: readonly ErpStopRow[],
): Promise<Omit<StopListsResult, 'batches'>> {
  const organizationIds = organizations.map((each) => each.id);
  const stated = await stageStops(tx, runId, new Map(organizations.map((each) => [each.erpId, each.id])), rows);
  const changes = await tx.query<Change>(
    `with old as (select distinct ${KEY.join(', ')} from mirror_stop_list
                   where organization_id = any ($1::bigint[]) and balance <= 0),
          new as (select ${KEY.join(', ')} from new_stop where balance <= 0),
          change as (
            select coalesce(new.organization_id, old.organization_id) as organization_id,
                   coalesce(new.item_erp_id, old.item_erp_id) as item_erp_id, old.item_erp_id is null as is_added
              from old full join new on ${SAME_KEY}
             where old.item_erp_id is null or new.item_erp_id is null)
     select organization_id as "organizationId",
            coalesce(array_agg(distinct item_erp_id::text) filter (where is_added), '{}') as added,
            coalesce(array_agg(distinct item_erp_id::text) filter (where not is_added), '{}') as removed
       from change group by organization_id order by organization_id`,
    [organizationIds],
  );
  await tx.execute(
    `delete from mirror_stop_list old where organization_id = any ($1::bigint[])
        and not exists (select 1 from new_stop new where ${SAME_KEY})`,
    [organizationIds],
  );
  await tx.execute(
    `update mirror_stop_list old set balance = new.balance, sku = new.sku, added_at = new.added_at, synchronized_run = $1
       from new_stop new
      where ${SAME_KEY} and (old.balance, old.sku, old.added_at) is distinct from (new.balance, new.sku, new.added_at)`,
    [runId],
  );
  await tx.execute(
    `insert into mirror_stop_list (${KEY.join(', ')}, balance, sku, added_at, synchronized_run)
     select ${KEY.join(', ')}, balance, sku, added_at, $1 from new_stop new
      where not exists (select 1 from mirror_stop_list old where ${SAME_KEY}) order by ${KEY.join(', ')}`,
    [runId],
  );
  await stampState(tx, organizations);
  for (const change of changes) await appendOutbox(tx, 'ErpStopListChanged', { runId, ...change });
  return { organizations: organizationIds.length, rows: stated, changed: changes.length };
}

/**
 * Stamps the organizations as synchronized and takes away their marks. A mark that was set after the ERP was asked may tell of
 * something newer and stays: counters are compared, because the clocks of two machines differ.
 */
async function stampState(tx: Tx, organizations: readonly Asked[]): Promise<void> {
  await tx.execute(
    `insert into mirror_stop_list_state (organization_id, synchronized_at, dirty_seq)
     select id, now(), dirty_seq from unnest($1::bigint[], $2::bigint[]) as asked (id, dirty_seq) order by id
     on conflict (organization_id) do update set synchronized_at = excluded.synchronized_at,
       dirty_at = case when mirror_stop_list_state.dirty_seq > excluded.dirty_seq then mirror_stop_list_state.dirty_at end`,
    [organizations.map((each) => each.id), organizations.map((each) => each.dirtySeq)],
  );
}

/** Makes `new_stop` of the answer: each key once, with its smallest balance. Returns the number of rows. */
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
  await tx.query(
    `create temporary table new_stop on commit drop as
     select distinct on ("organizationId", "terminalGroupErpId", "itemErpId", "erpSizeId")
            "organizationId" as organization_id, "terminalGroupErpId" as terminal_group_erp_id, "itemErpId" as item_erp_id,
            "erpSizeId" as erp_size_id, balance, sku, "addedAt" as added_at
       from jsonb_to_recordset($1::jsonb) as row("organizationId" bigint, "terminalGroupErpId" text, "itemErpId" uuid,
              "erpSizeId" text, balance double precision, sku text, "addedAt" timestamptz)
      order by "organizationId", "terminalGroupErpId", "itemErpId", "erpSizeId", balance`,
    [JSON.stringify(stops)],
  );
  await addAnomalies(tx, runId, anomalies.list());
  const [count] = await tx.query<{ rows: number }>('select count(*) as rows from new_stop');
  return count?.rows ?? 0;
}
