import { randomUUID } from 'node:crypto';
import type { Actor } from '../../app/actor.ts';
import type { Sql } from '../../app/database.ts';

/** A member of staff for use cases that are called without HTTP. */
export const STAFF: Actor = { type: 'USER', userId: 1, requestId: 'test' };

export type MirrorDish = { itemId: number; erpId: string; sizeIds: number[] };

/** One connection with organizations and one external menu: what dishes of a test are attached to. */
export async function buildMirror(
  db: Sql,
  options: { organizations?: number } = {},
): Promise<{ connectionId: number; menuId: number; organizationIds: number[] }> {
  const [connection] = await db.query<{ id: number }>(
    `insert into connection (name, api_login_encrypted, status) values ('test', 'sealed', 'DISABLED') returning id`,
  );
  const connectionId = connection!.id;
  const [menu] = await db.query<{ id: number }>(
    `insert into mirror_external_menu (connection_id, erp_id, name, synchronized_at) values ($1, $2, 'menu', now()) returning id`,
    [connectionId, randomUUID()],
  );
  await db.query('insert into external_menu_setting (external_menu_id) values ($1)', [menu!.id]);
  const organizations = await db.query<{ id: number }>(
    `insert into mirror_organization (connection_id, erp_id, name, raw, synchronized_at)
     select $1, gen_random_uuid(), 'organization ' || at, '{}', now() from generate_series(1, $2) as at returning id`,
    [connectionId, options.organizations ?? 1],
  );
  return { connectionId, menuId: menu!.id, organizationIds: organizations.map((each) => each.id) };
}

/** A live dish with sizes and, per size, one price in every organization (kopecks; size n costs n times `price`). */
export async function buildDish(
  db: Sql,
  mirror: { menuId: number; organizationIds: readonly number[] },
  options: { name?: string; sku?: string; sizes?: readonly string[]; defaultSize?: string; price?: number } = {},
): Promise<MirrorDish> {
  const { name = 'Борщ', sku = 'B-1', sizes = [''], defaultSize, price = 10_000 } = options;
  const [item] = await db.query<{ id: number; erpId: string }>(
    `insert into mirror_item (erp_id, role, name, sku, type, first_seen_at, synchronized_at)
     values (gen_random_uuid(), 'DISH', $1, $2, 'DISH', now(), now()) returning id, erp_id as "erpId"`,
    [name, sku],
  );
  const rows = await db.query<{ id: number }>(
    `insert into mirror_item_size (item_id, erp_size_id, name, sku, is_default, first_seen_at)
     select $1, size, nullif(size, ''), $3 || '-' || at, size is not distinct from $4, now()
       from unnest($2::text[]) with ordinality as wanted (size, at) returning id`,
    [item!.id, sizes, sku, defaultSize ?? null],
  );
  const sizeIds = rows.map((row) => row.id);
  await db.query(
    `insert into mirror_item_menu (external_menu_id, item_id, name, synchronized_run) values ($1, $2, $3, 1)`,
    [mirror.menuId, item!.id, name],
  );
  await db.query(
    `insert into mirror_size_menu (external_menu_id, item_size_id, synchronized_run) select $1, unnest($2::bigint[]), 1`,
    [mirror.menuId, sizeIds],
  );
  await db.query(
    `insert into mirror_price (external_menu_id, item_size_id, organization_id, price_kopecks, changed_at)
     select $1, size_id, organization_id, $4 * at, now()
       from unnest($2::bigint[]) with ordinality as wanted (size_id, at), unnest($3::bigint[]) as organization_id`,
    [mirror.menuId, sizeIds, mirror.organizationIds, price],
  );
  return { itemId: item!.id, erpId: item!.erpId, sizeIds };
}

/** A stored picture without files, for products that only need its id. */
export async function buildMedia(db: Sql): Promise<number> {
  const renditions = [
    { name: 'card', density: 1, format: 'webp', width: 400, height: 400, bytes: 1, url: '/media/test/card.webp' },
    { name: 'full', density: 1, format: 'webp', width: 800, height: 800, bytes: 1, url: '/media/test/full.webp' },
  ];
  const [media] = await db.query<{ id: number }>(
    `insert into media (sha256, original_name, mime, width, height, bytes, renditions)
     values ($1, 'test.jpg', 'image/jpeg', 800, 800, 1, $2) returning id`,
    [randomUUID(), JSON.stringify(renditions)],
  );
  return media!.id;
}
