import { sql } from 'kysely';
import { appendOutbox } from '../../kernel/outbox.ts';
import { touchedBy, type Tx } from '../../platform/db/database.ts';
import { createAnomalies } from './rules/anomalies.ts';
import { addOddRows, hasLostRows } from './rules/odd-rows.ts';
import { cleanText } from './rules/values.ts';
import { fencedImport, type MirrorDeps, type JobOutcome } from './runs/fenced-import.ts';
import { addAnomalies } from './runs/run-facts.ts';
import { settleWithdrawnMenus } from './withdrawn-menus.ts';

type ListCounts = { total: number; created: number; updated: number; deactivated: number };
export type MenuListResult = { menus: ListCounts; priceCategories: ListCounts };

type Named = { id: string; name?: string | null };

/**
 * Imports external menus and price categories. Missing menus get `inactive_at` and are withdrawn if
 * the next list lacks them too. If a row is unreadable, nothing is removed (MIR-73). Idempotent.
 */
export async function importMenuList(
  deps: MirrorDeps,
  run: { runId: number; connectionId: number },
  options: { signal?: AbortSignal } = {},
): Promise<JobOutcome<MenuListResult>> {
  return fencedImport(
    deps,
    run,
    async () => {
      const { data, bytes, odd } = await deps.erp.externalMenus(run.connectionId, options);
      return { data: { ...data, odd }, bytes };
    },
    async (tx, { externalMenus, priceCategories, odd }) => {
      const anomalies = createAnomalies();
      addOddRows(anomalies, odd);
      await addAnomalies(tx, run.runId, anomalies.list());
      // Other menus may have changed the items of inactive menus, so their next import requests
      // everything.
      await tx.db
        .updateTable('mirror_external_menu')
        .set({ revisionFingerprint: null })
        .where('connectionId', '=', run.connectionId)
        .where('inactiveAt', 'is not', null)
        .where('revisionFingerprint', 'is not', null)
        .execute();

      const isWhole = (list: string) => !hasLostRows(list, odd);
      await settleWithdrawnMenus(tx, run, {
        listedIds: externalMenus.map((menu) => menu.id),
        mayEnd: isWhole('externalMenus'),
      });

      const menus = await saveList(tx, 'mirror_external_menu', run.connectionId, {
        list: externalMenus,
        mayEnd: isWhole('externalMenus'),
      });

      await sql`
        insert into external_menu_setting (external_menu_id)
        select id from mirror_external_menu where connection_id = ${run.connectionId} order by id on conflict do nothing`.execute(
        tx.db,
      );

      const categories = await saveList(tx, 'mirror_price_category', run.connectionId, {
        list: priceCategories,
        mayEnd: isWhole('priceCategories'),
      });

      if (menus.created + menus.updated + menus.deactivated > 0)
        await appendOutbox(tx, 'ExternalMenusChanged', { connectionId: run.connectionId });

      return { menus, priceCategories: categories };
    },
  );
}

async function saveList(
  { db }: Tx,
  name: 'mirror_external_menu' | 'mirror_price_category',
  connectionId: number,
  { list, mayEnd }: { list: readonly Named[]; mayEnd: boolean },
): Promise<ListCounts> {
  const names = new Map(list.map((entry) => [entry.id, cleanText(entry.name) ?? entry.id]));
  const ids = [...names.keys()];
  const table = sql.table(name);
  const incoming = sql`unnest(${ids}::text[], ${[...names.values()]}::text[]) as new(erp_id, name)`;
  const created = await sql`
    insert into ${table} (connection_id, erp_id, name, synchronized_at)
    select ${connectionId}, new.erp_id, new.name, now() from ${incoming}
     where not exists (select 1 from ${table} old where old.connection_id = ${connectionId} and old.erp_id = new.erp_id)`.execute(
    db,
  );

  const updated = await sql`
    update ${table} old set name = new.name, inactive_at = null from ${incoming}
     where old.connection_id = ${connectionId} and old.erp_id = new.erp_id
       and (old.name <> new.name or old.inactive_at is not null)`.execute(db);

  await sql`
    update ${table} set synchronized_at = now() where connection_id = ${connectionId} and erp_id = any (${ids}::text[])`.execute(
    db,
  );

  const deactivated = await sql`
    update ${table} set inactive_at = now()
     where connection_id = ${connectionId} and inactive_at is null and erp_id <> all (${ids}::text[])
       and ${mayEnd}::boolean`.execute(db);

  return {
    total: names.size,
    created: touchedBy(created),
    updated: touchedBy(updated),
    deactivated: touchedBy(deactivated),
  };
}
