import type { MenuRows } from '../../test/support/menu-rows.ts';
import type { Database } from '../../test/support/text-database.ts';
import { asOwner } from '../../test/support/database-roles.ts';

export type Shelf = { categoryIds: number[]; badgeIds: number[]; organizationIds: number[] };

const ORGANIZATIONS = 10;
const CATEGORIES = 40;
const BADGES = 8;

/**
 * Adds `count` products of a large chain: 90 % have a picture, 5 % no variants, others one to
 * three. 10 % are hidden somewhere, 2 % have lost a dish, some have an open incident.
 */
export async function manyProducts(db: Database, rows: MenuRows, count: number): Promise<Shelf> {
  const connectionId = await rows.connection();
  const menuId = await rows.externalMenu(connectionId);
  const organizationIds: number[] = [];
  for (let at = 0; at < ORGANIZATIONS; at += 1)
    organizationIds.push((await rows.organization(connectionId)).id);
  const categoryIds: number[] = [];
  for (let at = 0; at < CATEGORIES; at += 1) categoryIds.push(await rows.category());
  const mediaId = await rows.media();
  const badgeIds: number[] = [];

  for (let at = 0; at < BADGES; at += 1)
    badgeIds.push(
      await rows.insert('catalog_badge', { code: `BADGE_${at}`, name: `Значок ${at}` }),
    );

  await db.query(
    `insert into catalog_product (name, slug, status, main_image_id, description)
     select (array['Пицца', 'Суп', 'Салат', 'Ролл', 'Бургер', 'Паста', 'Десерт', 'Лимонад'])[1 + at % 8] || ' ' ||
              (array['Пепперони', 'Маргарита', 'с грибами', 'по-домашнему', 'с лососем', 'острый', 'зелёный'])[1 + at % 7] || ' ' || at,
            'product-' || at, (array['PUBLISHED', 'PUBLISHED', 'PUBLISHED', 'DRAFT', 'UNPUBLISHED', 'ARCHIVED'])[1 + at % 6],
            case when at % 10 <> 0 then $2::bigint end, repeat('Готовим по рецепту шефа. ', 8)
       from generate_series(1, $1::int) at`,
    [count, mediaId],
  );

  await db.query(
    `insert into catalog_product_category (product_id, category_id, position, is_primary)
     select id, ($1::bigint[])[1 + (id + step * 7) % array_length($1::bigint[], 1)], id, step = 0
       from catalog_product, generate_series(0, 1) step where step = 0 or id % 3 = 0`,
    [categoryIds],
  );

  await db.query(
    `insert into catalog_product_badge (product_id, badge_id, position)
     select id, ($1::bigint[])[1 + id % array_length($1::bigint[], 1)], 0 from catalog_product where id % 2 = 0`,
    [badgeIds],
  );

  await db.query(
    `insert into mirror_item (erp_id, role, name, first_seen_at, synchronized_at, deleted_at)
     select gen_random_uuid(), 'DISH', 'dish of ' || id, now(), now(), case when id % 50 = 0 then now() end
       from catalog_product where id % 20 <> 0 order by id`,
  );

  await db.query(
    `insert into mirror_item_size (item_id, erp_size_id, first_seen_at)
     select id, size, now() from mirror_item, unnest(array['', 'm', 'l']) size where size = '' or (id % 3 = 0) or (id % 2 = 0 and size = 'm')`,
  );

  await db.query(
    `insert into catalog_variant (product_id, item_size_id, is_default, position)
     select substr(item.name, 9)::bigint, size.id, size.erp_size_id = '', length(size.erp_size_id)
       from mirror_item_size size join mirror_item item on item.id = size.item_id`,
  );

  await db.query(
    `insert into mirror_price (external_menu_id, item_size_id, organization_id, price_kopecks, changed_at, lost_at)
     select $1, size.id, organization_id, 10000, now(), case when size.id % 40 = 0 then now() end
       from mirror_item_size size, unnest($2::bigint[]) organization_id where (size.id + organization_id) % 4 <> 0`,
    [menuId, organizationIds],
  );

  await db.query(
    `insert into catalog_product_visibility (product_id, organization_id, is_visible)
     select id, ($1::bigint[])[1 + id % array_length($1::bigint[], 1)], false from catalog_product where id % 10 = 3`,
    [organizationIds],
  );

  await db.query(
    `insert into binding_incident (type, severity, product_id, variant_id, evaluation, last_known, status, resolution, closed_at)
     select 'NAME_CHANGED', 'INFO', product_id, id, 1, '{}', case when id % 2 = 0 then 'OPEN' else 'CLOSED' end,
            case when id % 2 = 0 then null else 'DISMISSED' end, case when id % 2 = 0 then null else now() end
       from catalog_variant where id % 30 = 0`,
  );

  await asOwner(db, 'vacuum analyze');

  return { categoryIds, badgeIds, organizationIds };
}
