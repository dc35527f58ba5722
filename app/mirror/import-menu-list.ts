import { appendOutbox } from '../../db/outbox.ts';
import type { Tx } from '../../db/database.ts';
import { cleanText } from '../../domain/mirror/values.ts';
import type { MirrorDeps } from './mirror-deps.ts';
import { fencedImport, type JobOutcome } from './runs/fenced-import.ts';
import { settleWithdrawnMenus } from './withdrawn-menus.ts';

type ListCounts = { total: number; created: number; updated: number; deactivated: number };
export type MenuListResult = { menus: ListCounts; priceCategories: ListCounts };

type Named = { id: string; name: string };

/**
 * Imports the external menus and price categories of a connection. A new menu is switched on for every organization, so a
 * restaurant that connects sees its menu without a further step; staff may change that afterwards. Menus that are gone get
 * `inactive_at` and are imported no more; when the next list lacks them as well they are withdrawn. A second call returns what the first has committed.
 */
export async function importMenuList(
  deps: MirrorDeps,
  run: { runId: number; connectionId: number },
  options: { signal?: AbortSignal } = {},
): Promise<JobOutcome<MenuListResult>> {
  return fencedImport(
    deps,
    run,
    () => deps.erp.externalMenus(run.connectionId, options),
    async (tx, { externalMenus, priceCategories }) => {
      // Others may have renamed or deleted what a menu lists while it was gone: its first import asks for everything.
      await tx.execute(
        `update mirror_external_menu set revision_fingerprint = null
          where connection_id = $1 and inactive_at is not null and revision_fingerprint is not null`,
        [run.connectionId],
      );
      await settleWithdrawnMenus(
        tx,
        run,
        externalMenus.map((each) => each.id),
      );
      const menus = await saveList(tx, 'mirror_external_menu', run.connectionId, externalMenus);
      await tx.execute(
        `insert into external_menu_setting (external_menu_id)
         select id from mirror_external_menu where connection_id = $1 order by id on conflict do nothing`,
        [run.connectionId],
      );
      const categories = await saveList(tx, 'mirror_price_category', run.connectionId, priceCategories);
      if (menus.created + menus.updated + menus.deactivated > 0)
        await appendOutbox(tx, 'ExternalMenusChanged', { connectionId: run.connectionId });
      return { menus, priceCategories: categories };
    },
  );
}

async function saveList(
  tx: Tx,
  table: 'mirror_external_menu' | 'mirror_price_category',
  connectionId: number,
  list: readonly Named[],
): Promise<ListCounts> {
  const names = new Map(list.map(({ id, name }) => [id, cleanText(name) ?? id]));
  const rows = [connectionId, [...names.keys()], [...names.values()]];
  const incoming = 'unnest($2::text[], $3::text[]) as new(erp_id, name)';
  const created = await tx.execute(
    `insert into ${table} (connection_id, erp_id, name, synchronized_at)
     select $1, new.erp_id, new.name, now() from ${incoming}
      where not exists (select 1 from ${table} old where old.connection_id = $1 and old.erp_id = new.erp_id)`,
    rows,
  );
  const updated = await tx.execute(
    `update ${table} old set name = new.name, inactive_at = null from ${incoming}
      where old.connection_id = $1 and old.erp_id = new.erp_id
        and (old.name <> new.name or old.inactive_at is not null)`,
    rows,
  );
  await tx.execute(
    `update ${table} set synchronized_at = now() where connection_id = $1 and erp_id = any ($2::text[])`,
    rows.slice(0, 2),
  );
  const deactivated = await tx.execute(
    `update ${table} set inactive_at = now()
      where connection_id = $1 and inactive_at is null and erp_id <> all ($2::text[])`,
    rows.slice(0, 2),
  );
  return { total: names.size, created, updated, deactivated };
}
