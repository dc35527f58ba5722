import type { BadgeEdit, NewBadge } from './schemas/catalog-requests.ts';
import type { Badge as AnsweredBadge } from './schemas/catalog.ts';
import { sql } from 'kysely';
import { Problem } from '../../kernel/problem.ts';
import { requiredName } from '../../kernel/required-texts.ts';
import { anyOf, type Sql } from '../../platform/db/database.ts';
import { Badge } from './tables/catalog.ts';
import type { Actor } from '../../kernel/actor.ts';
import { createRow, editRow } from '../access/audit/audited-rows.ts';
import { holdForEdit } from '../../kernel/edits.ts';
import { once, type Idempotency } from '../../kernel/idempotency.ts';
import { omitUndefined, readPage, type Page, type Paging } from '../../kernel/pages.ts';
import { commitEdit, recordEdit, type CatalogDeps } from './commit-edit.ts';

const BADGE = { entity: Badge, entityType: 'badge', missing: 'No such badge.' } as const;

export type BadgeView = AnsweredBadge;

export function listBadges({ db }: Sql, paging: Paging): Promise<Page<BadgeView>> {
  const badges = db.selectFrom('catalog_badge as badge');
  return readPage(
    badges.select(COLUMNS).orderBy('badge.position').orderBy('badge.code'),
    paging,
    badges,
  );
}

const COLUMNS = [
  'badge.id',
  'badge.code',
  'badge.name',
  'badge.position',
  'badge.version',
  sql<number>`(select count(*) from catalog_product_badge assigned where assigned.badge_id = badge.id)`.as(
    'productCount',
  ),
] as const;

/** Creates a badge. Problems: duplicate (code), validation (empty name). */
export function createBadge(
  deps: CatalogDeps,
  actor: Actor,
  { code, name, position = 0 }: NewBadge,
  idempotency: Idempotency | null,
): Promise<BadgeView> {
  return commitEdit(deps, (tx) =>
    once(tx, idempotency, async () =>
      getBadge(tx, await createRow(tx, actor, BADGE, { code, name: requiredName(name), position })),
    ),
  );
}

/**
 * Changes a badge. Guests never see the name. Problems: not-found, version-conflict, validation.
 */
export function editBadge(
  deps: CatalogDeps,
  actor: Actor,
  id: number,
  { version, name, position }: BadgeEdit,
): Promise<BadgeView> {
  const audited = (badge: Pick<BadgeView, 'name' | 'position'>) => ({
    name: badge.name,
    position: badge.position,
  });

  return commitEdit(deps, async (tx) => {
    const fields = omitUndefined({
      name: name === undefined ? undefined : requiredName(name),
      position,
    });
    await editRow(tx, actor, BADGE, { id, version, fields, audited });
    return getBadge(tx, id);
  });
}

/** Deletes a badge and removes it from products. Problem `not-found`. */
export function deleteBadge(deps: CatalogDeps, actor: Actor, id: number): Promise<void> {
  return commitEdit(deps, async (tx) => {
    const { code, name, position } = await holdForEdit(tx, Badge, id, { detail: BADGE.missing });
    const assignments = await tx.db
      .deleteFrom('catalog_product_badge')
      .where('badgeId', '=', id)
      .returning('productId')
      .execute();

    await tx.db.deleteFrom('catalog_badge').where('id', '=', id).execute();
    const published = await readPublishedIds(
      tx,
      assignments.map((row) => row.productId),
    );

    await recordEdit(tx, actor, {
      entityType: 'badge',
      entityId: id,
      action: 'delete',
      before: { code, name, position, productCount: assignments.length },
      outdates: { source: 'badge-update', productIds: published },
    });
  });
}

async function readPublishedIds({ db }: Sql, productIds: readonly number[]): Promise<number[]> {
  const products = await db
    .selectFrom('catalog_product')
    .select('id')
    .where('status', '=', 'PUBLISHED')
    .where('id', '=', anyOf(productIds))
    .orderBy('id')
    .execute();

  return products.map((product) => product.id);
}

function getBadge({ db }: Sql, id: number): Promise<BadgeView> {
  return db
    .selectFrom('catalog_badge as badge')
    .select(COLUMNS)
    .where('badge.id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: BADGE.missing }));
}
