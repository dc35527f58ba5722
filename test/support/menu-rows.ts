import { randomUUID } from 'node:crypto';
import type { Database } from './text-database.ts';
import { addRow, databaseNow, saveSetting } from './rows.ts';

export type MenuRows = ReturnType<typeof menuRows>;

type Insert = Record<string, unknown>;

export function menuRows(db: Database) {
  let counter = 0;
  const unique = (name: string) => `${name}-${(counter += 1)}`;

  async function insert(table: string, row: Insert, returning = 'id'): Promise<number> {
    const columns = Object.keys(row);
    const values = columns.map((_, at) => `$${at + 1}`);
    const [created] = await db.query<Record<string, number>>(
      `insert into ${table} (${columns.join(', ')}) values (${values.join(', ')}) returning ${returning}`,
      Object.values(row),
    );
    return created![returning]!;
  }

  async function connection(status: 'ACTIVE' | 'DISABLED' = 'ACTIVE'): Promise<number> {
    const franchiseeId = await insert('franchisee', { name: unique('franchisee') });
    const legalEntityId = await insert('legal_entity', {
      franchisee_id: franchiseeId,
      name: unique('entity'),
    });
    return insert('connection', {
      legal_entity_id: legalEntityId,
      name: unique('connection'),
      api_login_encrypted: 'sealed',
      status,
    });
  }

  async function organization(
    connectionId: number,
    row: Insert = {},
  ): Promise<{ id: number; erpId: string }> {
    const erpId = (row['erp_id'] as string | undefined) ?? randomUUID();
    const id = await insert('mirror_organization', {
      connection_id: connectionId,
      name: unique('Ресторан'),
      raw: '{}',
      synchronized_at: new Date(),
      ...row,
      erp_id: erpId,
    });
    return { id, erpId };
  }

  async function externalMenu(connectionId: number, setting?: Insert): Promise<number> {
    const id = await insert('mirror_external_menu', {
      connection_id: connectionId,
      erp_id: unique('9'),
      name: unique('menu'),
      synchronized_at: new Date(),
    });
    await insert('external_menu_setting', { external_menu_id: id, ...setting }, 'external_menu_id');
    return id;
  }

  async function item(row: Insert = {}): Promise<{ id: number; erpId: string }> {
    const erpId = (row['erp_id'] as string | undefined) ?? randomUUID();
    const id = await insert('mirror_item', {
      role: 'DISH',
      name: unique('Блюдо'),
      sku: unique('sku'),
      first_seen_at: new Date(),
      synchronized_at: new Date(),
      ...row,
      erp_id: erpId,
    });
    return { id, erpId };
  }

  const size = (itemId: number, row: Insert = {}) =>
    insert('mirror_item_size', { item_id: itemId, first_seen_at: new Date(), ...row });

  async function offer(
    externalMenuId: number,
    of: { itemId: number; sizeId: number },
    prices: Record<number, number>,
    hidden: { item?: boolean; size?: boolean } = {},
  ): Promise<void> {
    await db.query(
      `insert into mirror_item_menu (external_menu_id, item_id, name, is_hidden, synchronized_run)
       values ($1, $2, 'x', $3, 1) on conflict do nothing`,
      [externalMenuId, of.itemId, hidden.item ?? false],
    );
    await db.query(
      `insert into mirror_size_menu (external_menu_id, item_size_id, is_hidden, synchronized_run)
       values ($1, $2, $3, 1) on conflict do nothing`,
      [externalMenuId, of.sizeId, hidden.size ?? false],
    );
    for (const [organizationId, kopecks] of Object.entries(prices))
      await addRow(db, 'mirror_price', {
        externalMenuId,
        itemSizeId: of.sizeId,
        organizationId: Number(organizationId),
        priceKopecks: kopecks,
        changedAt: databaseNow(),
      });
  }

  /** Puts an item into a new category with these hours, null for all. */
  async function placed(
    externalMenuId: number,
    itemId: number,
    hours: object[] | null,
    row: Insert = {},
  ) {
    const category = await insert('mirror_menu_category', {
      external_menu_id: externalMenuId,
      erp_id: unique('category'),
      name: unique('Категория'),
      position: 0,
      synchronized_run: 1,
      hours: hours === null ? null : JSON.stringify(hours),
      ...row,
    });
    const placement = {
      menu_category_id: category,
      item_id: itemId,
      position: 0,
      synchronized_run: 1,
    };
    await insert('mirror_item_placement', placement, 'item_id');
    return category;
  }

  const group = (externalMenuId: number, sizeId: number, row: Insert = {}) =>
    insert('mirror_modifier_group', {
      external_menu_id: externalMenuId,
      item_size_id: sizeId,
      group_key: unique('group'),
      name: 'Добавки',
      position: 0,
      min_quantity: 0,
      max_quantity: 3,
      free_quantity: 0,
      default_quantity: 0,
      synchronized_run: 1,
      ...row,
    });

  const link = (groupId: number, itemId: number, row: Insert = {}) =>
    insert(
      'mirror_modifier_link',
      {
        modifier_group_id: groupId,
        item_id: itemId,
        position: 0,
        name: unique('Добавка'),
        min_quantity: 0,
        max_quantity: 1,
        free_quantity: 0,
        default_quantity: 0,
        ...row,
      },
      'item_id',
    );

  const media = () => {
    const name = unique('picture');
    const renditions = ['card', 'thumb', 'full'].flatMap((use) =>
      [1, 2].map((density) => ({
        name: use,
        density,
        format: 'webp',
        width: 400 * density,
        height: 400 * density,
        bytes: 1000,
        url: `/media/${name}/${use}-${density}.webp`,
      })),
    );
    return insert('media', {
      sha256: name,
      original_name: `${name}.jpg`,
      mime: 'image/jpeg',
      width: 1600,
      height: 1200,
      bytes: 100_000,
      renditions: JSON.stringify(renditions),
    });
  };

  const category = (row: Insert = {}) =>
    insert('catalog_category', { slug: unique('category'), name: unique('Категория'), ...row });

  const badge = (row: Insert = {}) =>
    insert('catalog_badge', { code: unique('BADGE'), name: unique('Метка'), ...row });

  async function product(categoryId: number, row: Insert = {}): Promise<number> {
    const id = await insert('catalog_product', {
      slug: unique('product'),
      name: unique('Продукт'),
      status: 'PUBLISHED',
      main_image_id: await media(),
      ...row,
    });
    await addRow(db, 'catalog_product_category', {
      productId: id,
      categoryId,
      position: 0,
      isPrimary: true,
    });
    return id;
  }

  const variant = (productId: number, itemSizeId: number, row: Insert = {}) =>
    insert('catalog_variant', { product_id: productId, item_size_id: itemSizeId, ...row });

  const stop = (organizationId: number, itemErpId: string, row: Insert = {}) =>
    insert(
      'mirror_stop_list',
      {
        organization_id: organizationId,
        item_erp_id: itemErpId,
        balance: 0,
        synchronized_run: 1,
        ...row,
      },
      'organization_id',
    );

  const setting = (key: string, value: string | number) => saveSetting(db, key, value);

  /** Adds a published product with one variant that the menu sells in these organizations. */
  async function dish(options: {
    menuId: number;
    categoryId: number;
    prices: Record<number, number>;
  }) {
    const { id: itemId, erpId } = await item();
    const sizeId = await size(itemId);
    await offer(options.menuId, { itemId, sizeId }, options.prices);
    const productId = await product(options.categoryId);
    const variantId = await variant(productId, sizeId, { is_default: true });
    return { itemId, erpId, sizeId, productId, variantId };
  }

  async function modifier(externalMenuId: number, prices: Record<number, number>) {
    const { id: itemId, erpId } = await item({ role: 'MODIFIER' });
    const sizeId = await size(itemId);
    await offer(externalMenuId, { itemId, sizeId }, prices);
    return { itemId, erpId, sizeId };
  }

  async function order(
    { connectionId, organizationId }: { connectionId: number; organizationId: number },
    row: Insert = {},
  ): Promise<string> {
    const id = (row['id'] as string | undefined) ?? randomUUID();
    await insert('customer_order', {
      number: String(10_000 + (counter += 1)),
      day: new Date(),
      organization_id: organizationId,
      connection_id: connectionId,
      cart_id: randomUUID(),
      cart_version: 1,
      fulfillment_type: 'PICKUP',
      slot_id: 'asap',
      time_zone: 'Europe/Moscow',
      due_at: new Date(),
      eta_minutes: 20,
      payment_method: 'CASH',
      leave_at_door: false,
      persons: 1,
      subtotal_kopecks: 50_000,
      discount_kopecks: 0,
      delivery_fee_kopecks: 0,
      total_kopecks: 50_000,
      send_until: new Date(),
      ...row,
      id,
    });
    return id;
  }

  async function restaurant() {
    const connectionId = await connection();
    const { id: organizationId, erpId: organizationErpId } = await organization(connectionId);
    const menuId = await externalMenu(connectionId);
    return {
      connectionId,
      organizationId,
      organizationErpId,
      menuId,
      categoryId: await category(),
    };
  }

  return {
    insert,
    connection,
    organization,
    externalMenu,
    item,
    size,
    offer,
    placed,
    group,
    link,
    media,
    category,
    badge,
    product,
    variant,
    stop,
    setting,
    dish,
    modifier,
    order,
    restaurant,
  };
}
