import { setTimeout as delay } from 'node:timers/promises';
import type { AdminClient } from '../../test/support/admin-client.ts';
import type { Product } from '../../test/support/product.ts';
import { selectRows } from '../../test/support/rows.ts';

const LOOK_MS = 10;
const GIVE_UP_MS = 300_000;
const TURNS = 10;

/**
 * Stops dishes in the ERP, each time in the next restaurant. `stop` returns the milliseconds until
 * an API shows the change. Throws after five minutes, or after {@link TURNS} dishes in every
 * restaurant.
 */
export async function stopLists(
  product: Product,
  apiUrls: readonly string[],
): Promise<{ stop: () => Promise<number> }> {
  await product.emulator.control('webhook', {
    url: `${apiUrls[0]}/api/webhooks/erp`,
    token: product.env['WEBHOOK_SECRET'],
    mode: 'normal',
  });

  const sold = await product.db.query<{ organizationId: string; itemId: string }>(
    `select "organizationId", "itemId" from (
       select distinct s.organization_erp_id as "organizationId", i.erp_id as "itemId",
              dense_rank() over (partition by s.organization_id order by i.id) as turn from snapshot s
       join mirror_price p on p.organization_id = s.organization_id and p.lost_at is null
       join catalog_variant v on v.item_size_id = p.item_size_id join catalog_product c on c.id = v.product_id and c.status = 'PUBLISHED'
       join mirror_item_size z on z.id = v.item_size_id join mirror_item i on i.id = z.item_id and i.deleted_at is null
      where not exists (select 1 from mirror_stop_list l where l.item_erp_id = i.erp_id and l.organization_id = s.organization_id)
     ) dish where turn <= ${TURNS}
      -- Not one neighbour after the other.
      order by turn, md5("organizationId"::text)`,
  );

  let round = 0;

  return {
    async stop() {
      if (round >= sold.length) throw new Error(`only ${sold.length} dishes can be stopped`);
      const { organizationId, itemId } = sold[round]!;
      const url = `${apiUrls[round % apiUrls.length]}/api/v1/availability?organization_id=${organizationId}`;
      round += 1;
      const begun = performance.now();
      await product.emulator.control('stop', { organizationId, itemIds: [itemId] });

      for (;;) {
        const { unavailableItemIds } = (await (await fetch(url)).json()) as {
          unavailableItemIds: string[];
        };
        if (unavailableItemIds.includes(itemId)) return performance.now() - begun;
        if (performance.now() - begun > GIVE_UP_MS)
          throw new Error(`a stop did not arrive:\n${product.logs().slice(-4_000)}`);
        await delay(LOOK_MS);
      }
    },
  };
}

/** Renames a category of all menus. `left` counts menus that do not show the new name. */
export async function editEveryMenu(
  { db }: Product,
  admin: AdminClient,
): Promise<{ left: () => Promise<number> }> {
  type Category = { id: number; name: string; version: number };
  const [category] = (await admin.get<{ items: Category[] }>('/categories?size=1')).items;
  const { id, name, version } = category!;
  await admin.patch(`/categories/${id}`, { name: `${name} today`, version });
  const marked = await selectRows(db, 'snapshot_request', ['organizationId', 'dirtySeq as seq']);
  const [ids, seqs] = [
    marked.map(({ organizationId }) => organizationId),
    marked.map(({ seq }) => seq),
  ];

  return {
    async left() {
      const [row] = await db.query<{ left: number }>(
        `select count(*)::int as left from snapshot_request
           join unnest($1::bigint[], $2::bigint[]) as marked (organization_id, seq) using (organization_id) where built_seq < seq`,
        [ids, seqs],
      );

      return row!.left;
    },
  };
}
