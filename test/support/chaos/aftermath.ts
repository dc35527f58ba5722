import type { Client } from '@temporalio/client';
import { prepareSnapshot } from '../../../modules/menus/snapshot/prepare-snapshot.ts';
import type { Database } from '../text-database.ts';
import type { Truth } from '../compare-menu.ts';
import { selectRows } from '../rows.ts';

const LONG_LIVED = new Set(['incident', 'polling', 'upkeep']);

const STAGE_TABLES = [
  'product_category',
  'menu_category',
  'item',
  'placement',
  'size',
  'price',
  'group',
  'link',
  'unread_item',
];

/** Pending work and locks. Every count must reach zero. */
const LEFT: Readonly<Record<string, string>> = {
  'runs that never ended': `select count(*) from sync_run where status = 'RUNNING'`,
  'events not delivered': 'select count(*) from outbox where delivered_at is null',
  'menus not rebuilt': 'select count(*) from snapshot_request where dirty_seq > built_seq',
  'stop-lists not imported':
    'select count(*) from mirror_stop_list_state where dirty_at is not null',
  'full imports not made': 'select count(*) from mirror_external_menu where full_due',
  'rights that an order holds': `select count(*) from compensation where status = 'RESERVED'`,
  'markers of used rights': `select count(*) from marker_clearing where state <> 'CLEARED'`,
  'staged rows': `select ${STAGE_TABLES.map((name) => `(select count(*) from stage_${name})`).join(' + ')}`,
  'advisory locks': `select count(*) from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`,
  'open transactions': `select count(*) from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
};

export async function leftBehind(
  db: Database,
  temporal: Client,
): Promise<Record<string, number | string>> {
  const left: Record<string, number | string> = {};
  for (const [what, select] of Object.entries(LEFT)) {
    const [row] = await db.query<{ count: number }>(`select (${select})::int as count`);
    if (row !== undefined && row.count > 0) left[what] = row.count;
  }
  for await (const { type, workflowId } of temporal.workflow.list({
    query: `ExecutionStatus = 'Running'`,
  }))
    if (!LONG_LIVED.has(type)) left[`execution ${workflowId}`] = type;
  return left;
}

type Row = { erpId: string; role: string; sizeId: string; name: string; kopecks: number | null };

/** Compares a menu of the mirror with the ERP. Returns one line per difference. */
export async function mirrorDifferences(
  db: Database,
  truth: Truth,
  organizationErpId: string,
): Promise<string[]> {
  const rows = await db.db
    .selectFrom('mirror_external_menu as menu')
    .innerJoin('mirror_item_menu as membership', 'membership.externalMenuId', 'menu.id')
    .innerJoin('mirror_item as item', (join) =>
      join.onRef('item.id', '=', 'membership.itemId').on('item.deletedAt', 'is', null),
    )
    .innerJoin('mirror_item_size as size', 'size.itemId', 'item.id')
    .innerJoin('mirror_size_menu as listed', (join) =>
      join
        .onRef('listed.itemSizeId', '=', 'size.id')
        .onRef('listed.externalMenuId', '=', 'menu.id'),
    )
    .innerJoin('mirror_organization as organization', (join) =>
      join
        .on('organization.erpId', '=', organizationErpId)
        .on('organization.inactiveAt', 'is', null),
    )
    .leftJoin('mirror_price as price', (join) =>
      join
        .onRef('price.itemSizeId', '=', 'size.id')
        .onRef('price.externalMenuId', '=', 'menu.id')
        .onRef('price.organizationId', '=', 'organization.id')
        .on('price.lostAt', 'is', null),
    )
    .where('menu.erpId', '=', truth.menuId)
    .select([
      'item.erpId',
      'item.role',
      'size.erpSizeId as sizeId',
      'item.name',
      'price.priceKopecks as kopecks',
    ])
    .execute();
  const line = (row: Row): string =>
    `${row.role} ${row.erpId} ${row.sizeId} «${row.name}» ${row.kopecks}`;
  const kopecks = (price: number | null): number | null =>
    price === null ? null : Math.round(price * 100);
  const wanted = [
    ...truth.sizes.map(({ productId, sizeId, name, price }) =>
      line({
        erpId: productId,
        role: 'DISH',
        sizeId: sizeId ?? '',
        name: name.trim(),
        kopecks: kopecks(price),
      }),
    ),
    ...truth.modifiers.map(({ id, name, price }) =>
      line({ erpId: id, role: 'MODIFIER', sizeId: '', name: name.trim(), kopecks: kopecks(price) }),
    ),
  ];
  const found = rows.map(line);
  return [
    ...wanted.filter((text) => !found.includes(text)).map((text) => `the mirror lacks ${text}`),
    ...found.filter((text) => !wanted.includes(text)).map((text) => `the ERP has no ${text}`),
  ];
}

/** Returns organizations whose stored menu differs from a new build. */
export async function staleMenus(db: Database): Promise<string[]> {
  const stored = await selectRows(
    db,
    'snapshot',
    ['organizationId', 'contentHash', 'payload'],
    {},
    { orderBy: 'organizationId' },
  );
  const stale: string[] = [];
  for (const { organizationId, contentHash, payload } of stored) {
    const fresh = await prepareSnapshot(db, organizationId, new Date());
    if (fresh?.kind !== 'READY') stale.push(`organization ${organizationId} cannot be built`);
    else if (fresh.contentHash !== contentHash)
      stale.push(`organization ${organizationId} has other content`);
    else if (bare(fresh.guess.encoded.identity) !== bare(payload))
      stale.push(`organization ${organizationId} has other availability`);
  }
  return stored.length === 0 ? ['no menu is stored'] : stale;
}

function bare(payload: Buffer): string {
  const { revision: _revision, generatedAt: _time, ...menu } = JSON.parse(payload.toString('utf8'));
  return JSON.stringify(menu);
}
