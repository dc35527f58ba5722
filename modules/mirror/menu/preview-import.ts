import { sql } from 'kysely';
import type { ImportPlan, PlannedItem, PlannedPrice } from '../schemas/mirror.ts';
import { json, type Sql, type Tx } from '../../../platform/db/database.ts';
import type { Row } from '../../../platform/db/row.ts';
import type { MirrorDeps } from '../runs/fenced-import.ts';
import { enterRun } from '../runs/run-fence.ts';
import type { StagedRun, Unmerged } from './apply-import.ts';
import { mergeContext } from './merge-context.ts';
import { menuRefusal, type MenuRefusal } from './plan-menu-import.ts';
import { mergeMenu } from './merge-menu.ts';
import { temporary } from './merge-rows.ts';
import { isSuspicious } from '../rules/shrink.ts';
import { observeShrink } from './shrink-guard.ts';
import { isStagedCompletely, mergeBatches } from './staged-batches.ts';

export type Counted<T> = { total: number; items: T[] };

export type PreviewOutcome =
  | { outcome: 'PLANNED' }
  | Unmerged
  | { outcome: 'NOT_IMPORTED'; reason: MenuRefusal };

/** Injected, because the mirror does not depend on products. */
export type ProductImpact = (
  sql: Sql,
  deletedItemIds: readonly number[],
) => Promise<Counted<{ id: number; name: string }>>;

/** Maximum entries per list in the run record. */
const LISTED = 200;

/**
 * Computes the changes of a full import by executing it and rolling back, so that plans match
 * imports. Includes deletions that the shrink guard would reject. Idempotent.
 */
export async function previewImport(
  deps: MirrorDeps,
  run: StagedRun,
  impact: ProductImpact,
): Promise<PreviewOutcome> {
  return deps.db.transaction<PreviewOutcome>(async (tx) => {
    const fence = await enterRun<never>(tx, run);
    if (fence.state !== 'OPEN') return { outcome: 'RUN_CLOSED' };
    const refusal = await menuRefusal(tx, run.externalMenuId);
    if (refusal !== null) return { outcome: 'NOT_IMPORTED', reason: refusal };
    if (!(await isStagedCompletely(tx, run.runId, run.batches)))
      return { outcome: 'STAGING_INCOMPLETE' };
    await sql`savepoint before_plan`.execute(tx.db);
    const plan = await compute(tx, run, impact);
    await sql`rollback to savepoint before_plan`.execute(tx.db);
    await tx.db
      .updateTable('sync_run')
      .set({ result: sql`result || jsonb_build_object('plan', ${json(plan)}::jsonb)` })
      .where('id', '=', run.runId)
      .execute();

    return { outcome: 'PLANNED' };
  });
}

async function compute(tx: Tx, run: StagedRun, impact: ProductImpact): Promise<ImportPlan> {
  const context = await mergeContext(tx, run, true);
  await mergeBatches(context);
  const { shrink, verdict } = await observeShrink(context);
  await remember(tx, run.externalMenuId);
  const { counters } = await mergeMenu(context);
  const of = await readLimit(tx, run.runId);
  const deleted = await deletedItems(tx, of);

  return {
    ...counters,
    shrink: {
      ...shrink,
      isSuspicious: isSuspicious(shrink, shrink.thresholdPercent) || verdict.fails,
    },
    created: listed(await createdItems(tx, run.externalMenuId, of)),
    deleted: listed(deleted),
    priceChanges: await priceChanges(tx, run.externalMenuId, of),
    productsLeftWithoutVariant: await impact(
      tx,
      deleted.map((entry) => entry.internalId),
    ),
  };
}

/** MIR-100. */
async function readLimit({ db }: Tx, runId: number): Promise<number | null> {
  const run = await db
    .selectFrom('sync_run')
    .select('organizationId')
    .where('id', '=', runId)
    .executeTakeFirst();

  return run?.organizationId ?? null;
}

async function remember(tx: Tx, externalMenuId: number): Promise<void> {
  await temporary(
    tx,
    { name: 'known_item', joinedBy: [['id']] },
    `select item.id, item.deleted_at is null as is_live from mirror_item item
      where exists (select 1 from new_item new where new.erp_id = item.erp_id and new.role = item.role)
         or exists (select 1 from mirror_item_menu membership where membership.item_id = item.id and membership.external_menu_id = $1)`,
    [externalMenuId],
  );

  await temporary(
    tx,
    { name: 'known_price', joinedBy: [['item_size_id', 'organization_id']] },
    `select item_size_id, organization_id, price_kopecks from mirror_price where external_menu_id = $1 and lost_at is null`,
    [externalMenuId],
  );
}

type ListedItem = Row<'mirror_item', 'erpId as id' | 'role' | 'name' | 'id as internalId'>;
const ITEM = sql`item.erp_id as id, item.role, item.name, item.id as internal_id`;

async function createdItems(
  { db }: Tx,
  externalMenuId: number,
  of: number | null,
): Promise<ListedItem[]> {
  const { rows } = await sql<ListedItem>`
    select ${ITEM} from new_item new join mirror_item item using (erp_id, role) left join known_item known using (id)
     where known.is_live is distinct from true
       and (${of}::bigint is null or exists (
         select from mirror_item_size size join mirror_price price on price.item_size_id = size.id
          where size.item_id = item.id and price.external_menu_id = ${externalMenuId} and price.lost_at is null
            and price.organization_id = ${of}))
     order by item.role, item.name, item.id`.execute(db);

  return rows;
}

async function deletedItems({ db }: Tx, of: number | null): Promise<ListedItem[]> {
  const { rows } = await sql<ListedItem>`
    select ${ITEM} from known_item known join mirror_item item using (id)
     where known.is_live and item.deleted_at is not null
       and (${of}::bigint is null or exists (
         select from mirror_item_size size join known_price price on price.item_size_id = size.id
          where size.item_id = item.id and price.organization_id = ${of}))
     order by item.role, item.name, item.id`.execute(db);

  return rows;
}

function listed(items: readonly ListedItem[]): Counted<PlannedItem> {
  return {
    total: items.length,
    items: items.slice(0, LISTED).map(({ internalId: _internalId, ...item }) => item),
  };
}

type PriceRow = Row<'mirror_item', 'erpId as itemId' | 'name'> &
  Row<
    'mirror_price',
    'organizationId',
    Pick<PlannedPrice, 'sizeId' | 'from' | 'to' | 'percent'> & { total: number }
  >;

async function priceChanges(
  { db }: Tx,
  externalMenuId: number,
  of: number | null,
): Promise<Counted<PlannedPrice>> {
  const { rows } = await sql<PriceRow>`
    select item.erp_id as item_id, item.name, nullif(size.erp_size_id, '') as size_id, changed.organization_id,
           changed.before as "from", changed.after as "to", changed.percent::double precision, changed.total
      from (${largestChanges(externalMenuId, of)}) changed
      join mirror_item_size size on size.id = changed.item_size_id join mirror_item item on item.id = size.item_id
     order by abs(changed.percent) desc nulls last, changed.item_size_id, changed.organization_id`.execute(
    db,
  );

  return { total: rows[0]?.total ?? 0, items: rows.map(({ total: _total, ...row }) => row) };
}

const PERCENT = sql`(new.price_kopecks - old.price_kopecks) * 100.0 / nullif(old.price_kopecks, 0)`;

const largestChanges = (externalMenuId: number, of: number | null) => sql`
  select item_size_id, organization_id, old.price_kopecks as before, new.price_kopecks as after,
         round(${PERCENT}, 2) as percent, count(*) over () as total
    from known_price old
    full join (select * from mirror_price where external_menu_id = ${externalMenuId} and lost_at is null) new
      using (item_size_id, organization_id)
   where old.price_kopecks is distinct from new.price_kopecks
     and (${of}::bigint is null or organization_id = ${of})
   order by abs(${PERCENT}) desc nulls last, item_size_id, organization_id
   limit ${LISTED}`;
