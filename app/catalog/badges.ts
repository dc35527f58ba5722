import { invalidField, Problem } from '../../contracts/problem.ts';
import type { Actor } from '../actor.ts';
import type { Sql, Tx } from '../database.ts';
import { once, type Idempotency } from '../idempotency.ts';
import { readPageOfText, type Page, type Paging } from '../pages.ts';
import { commitEdit, recordEdit, type CatalogDeps } from './commit-edit.ts';

/** A mark on products; guests get its code. */
export type BadgeView = {
  id: number;
  code: string;
  name: string;
  position: number;
  productCount: number;
  version: number;
};
export type NewBadge = { code: string; name: string; position?: number };
/** Fields that are left out stay. The code stays for ever: storefronts know it. */
export type BadgeEdit = { version: number; name?: string; position?: number };

const COLUMNS = `badge.id, badge.code, badge.name, badge.position, badge.version,
  (select count(*) from catalog_product_badge assigned where assigned.badge_id = badge.id) as "productCount"`;

/** One page of badges in their order. */
export function listBadges(sql: Sql, paging: Paging): Promise<Page<BadgeView>> {
  return readPageOfText(sql, paging, {
    columns: COLUMNS,
    from: 'catalog_badge badge',
    order: 'badge.position, badge.code',
    params: [],
  });
}

/** Creates a badge. Problems: duplicate (the code exists), validation (empty name). */
export function createBadge(
  deps: CatalogDeps,
  actor: Actor,
  { code, name, position = 0 }: NewBadge,
  idempotency: Idempotency | null,
): Promise<BadgeView> {
  return commitEdit(deps, (tx) =>
    once(tx, idempotency, async () => {
      const after = { code, name: nameOf(name), position };
      const [badge] = await tx.query<{ id: number }>(
        'insert into catalog_badge (code, name, position) values ($1, $2, $3) returning id',
        [after.code, after.name, after.position],
      );
      if (badge === undefined) throw new Error('The insert of a badge returned no row');
      await recordEdit(tx, actor, { entityType: 'badge', entityId: badge.id, action: 'create', after, outdates: null });
      return lockBadge(tx, badge.id);
    }),
  );
}

/** Changes a badge. The name is for staff, so guests see nothing of it. Problems: not-found, version-conflict, validation. */
export function editBadge(deps: CatalogDeps, actor: Actor, id: number, edit: BadgeEdit): Promise<BadgeView> {
  return commitEdit(deps, async (tx) => {
    const badge = await lockBadge(tx, id, edit.version);
    const before = { name: badge.name, position: badge.position };
    const after = {
      name: edit.name === undefined ? badge.name : nameOf(edit.name),
      position: edit.position ?? badge.position,
    };
    if (JSON.stringify(before) === JSON.stringify(after)) return badge;
    await tx.query('update catalog_badge set name = $2, position = $3, version = version + 1 where id = $1', [
      id,
      after.name,
      after.position,
    ]);
    await recordEdit(tx, actor, { entityType: 'badge', entityId: id, action: 'update', before, after, outdates: null });
    return lockBadge(tx, id);
  });
}

/** Deletes a badge and takes it off every product. Problem `not-found`. */
export function deleteBadge(deps: CatalogDeps, actor: Actor, id: number): Promise<void> {
  return commitEdit(deps, async (tx) => {
    const { code, name, position } = await lockBadge(tx, id);
    const taken = await tx.query<{ productId: number }>(
      'delete from catalog_product_badge where badge_id = $1 returning product_id as "productId"',
      [id],
    );
    await tx.query('delete from catalog_badge where id = $1', [id]);
    const published = await publishedOf(
      tx,
      taken.map((row) => row.productId),
    );
    await recordEdit(tx, actor, {
      entityType: 'badge',
      entityId: id,
      action: 'delete',
      before: { code, name, position, productCount: taken.length },
      outdates: { source: 'badge-update', productIds: published },
    });
  });
}

async function publishedOf(tx: Tx, productIds: readonly number[]): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    `select id from catalog_product where status = 'PUBLISHED' and id = any ($1::bigint[]) order by id`,
    [productIds],
  );
  return rows.map((row) => row.id);
}

/** The badge, locked until the transaction ends; with `version` it must still have it. */
async function lockBadge(tx: Tx, id: number, version?: number): Promise<BadgeView> {
  const [badge] = await tx.query<BadgeView>(
    `select ${COLUMNS} from catalog_badge badge where badge.id = $1 for update`,
    [id],
  );
  if (badge === undefined) throw new Problem('not-found', { detail: 'No such badge.' });
  if (version !== undefined && version !== badge.version)
    throw new Problem('version-conflict', { extra: { currentVersion: badge.version } });
  return badge;
}

function nameOf(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '') throw invalidField('name', 'required', 'The name is empty.');
  return trimmed;
}
