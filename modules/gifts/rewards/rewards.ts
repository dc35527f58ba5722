import type { NewReward, Reward as Answered, RewardEdit } from '../schemas/gifts.ts';
import { invalidField, Problem } from '../../../kernel/problem.ts';
import { Reward } from '../tables/gifts.ts';
import type { RewardFault } from '../rules/checks.ts';
import type { Actor } from '../../../kernel/actor.ts';
import type { Database, Sql, Tx } from '../../../platform/db/database.ts';
import { createRow, editRow } from '../../access/audit/audited-rows.ts';
import { commitEdit } from '../../../kernel/edits.ts';
import { once, type Idempotency } from '../../../kernel/idempotency.ts';
import { requireMedia } from '../../media/media-rows.ts';
import { omitUndefined, readPage, type Page, type Paging } from '../../../kernel/pages.ts';
import { markAllDirty } from '../../menus/rebuilds/mark-dirty.ts';
import { requiredTexts } from '../../../kernel/required-texts.ts';
import { checkRewards } from './check-rewards.ts';
import { keepFormerDish } from './gift-dishes.ts';
import { sql } from 'kysely';
import type { UsageKind } from '../../media/media-uses.ts';

const REWARD = { entity: Reward, entityType: 'reward', missing: 'No such reward.' } as const;

type Deps = { db: Database };

export async function listRewards(
  { db }: Sql,
  { isActive }: { isActive?: boolean | undefined },
  paging: Paging,
): Promise<Page<Answered>> {
  const page = await readPage(
    rewards({ db })
      .where((eb) => eb.and(omitUndefined({ isActive })))
      .orderBy('code')
      .orderBy('id'),
    paging,
  );

  return { ...page, items: page.items.map(toView) };
}

/** Problem `not-found`. */
export async function getReward({ db }: Sql, id: number): Promise<Answered> {
  const row = await rewards({ db })
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: REWARD.missing }));
  return toView(row);
}

/**
 * Creates and checks a reward. No product may sell its item (rule CMP-8). Problems: validation,
 * duplicate (code, category).
 */
export async function createReward(
  deps: Deps,
  actor: Actor,
  input: NewReward,
  idempotency: Idempotency | null,
): Promise<Answered> {
  const { code, name } = requiredTexts(
    { code: input.code, name: input.name },
    { code: 50, name: 200 },
  );

  const id = await commitEdit(deps, (tx) =>
    once(tx, idempotency, async () => {
      const fields = await toColumns(tx, input);
      const { erpItemId = '', isActive = true } = fields;
      await requireGift(tx, { erpItemSizeId: null, ...fields, erpItemId, isActive });
      // Menus are rebuilt without the item.
      await markAllDirty(tx, 'reward', actor);

      return createRow(tx, actor, REWARD, { ...fields, code, name, erpItemId });
    }),
  );

  await checkRewards(deps, { rewardId: id });

  return getReward(deps.db, id);
}

/**
 * Changes a reward, but not its code. Its rights get the new item. Problems: not-found,
 * version-conflict, validation, duplicate (category).
 */
export async function editReward(
  deps: Deps,
  actor: Actor,
  id: number,
  { version, name, ...edit }: RewardEdit,
): Promise<Answered> {
  await commitEdit(deps, async (tx) => {
    const named = name === undefined ? {} : requiredTexts({ name }, { name: 200 });
    const fields = { ...named, ...(await toColumns(tx, edit)) };
    const currentReward = await getReward(tx, id);
    await editRow(tx, actor, REWARD, { id, version, fields });
    await requireGift(tx, { ...currentReward, ...fields });
    await keepFormerDish(tx, id, currentReward, { ...currentReward, ...fields });
    await markAllDirty(tx, 'reward', actor);
  });

  await checkRewards(deps, { rewardId: id });

  return getReward(deps.db, id);
}

export async function checkReward(deps: Deps, id: number): Promise<Answered> {
  await getReward(deps.db, id);
  await checkRewards(deps, { rewardId: id });
  return getReward(deps.db, id);
}

type Edited = Omit<Partial<NewReward>, 'code' | 'name'>;

async function toColumns(tx: Tx, { organizationId, erpItemId, categoryId, ...same }: Edited) {
  if (same.imageId !== undefined) await requireMedia(tx, 'imageId', same.imageId);
  return omitUndefined({
    ...same,
    erpItemId: erpItemId?.toLowerCase(),
    categoryId: categoryId?.toLowerCase() ?? categoryId,
    organizationErpId:
      organizationId == null ? organizationId : await organizationErpId(tx, organizationId),
  });
}

async function organizationErpId({ db }: Tx, id: number): Promise<string> {
  const organization = await db
    .selectFrom('mirror_organization')
    .select('erpId')
    .where('id', '=', id)
    .executeTakeFirst();
  if (organization === undefined)
    throw invalidField('organizationId', 'not_found', 'No such organization.');

  return organization.erpId;
}

type Gift = { erpItemId: string; erpItemSizeId: number | null; isActive: boolean };

/** The item of an active gift must not be sold by a product or be the delivery fee. */
async function requireGift(
  { db }: Tx,
  { erpItemId, erpItemSizeId, isActive }: Gift,
): Promise<void> {
  const item = await db
    .selectFrom('mirror_item as item')
    .leftJoin('catalog_item_binding as binding', 'binding.itemId', 'item.id')
    .leftJoin('catalog_product as product', 'product.id', 'binding.productId')
    .leftJoin('unsold_item as fee', (join) =>
      join.onRef('fee.itemId', '=', 'item.id').on('fee.why', '=', 'DELIVERY_FEE'),
    )
    .leftJoin('mirror_item_size as size', (join) =>
      join.onRef('size.itemId', '=', 'item.id').on('size.id', '=', erpItemSizeId),
    )
    .select(['item.id', 'product.name as productName', 'fee.itemId as feeId', 'size.id as sizeId'])
    .where('item.erpId', '=', erpItemId)
    .where('item.role', '=', 'DISH')
    .executeTakeFirst();
  if (item === undefined)
    throw invalidField('erpItemId', 'not_found', 'No such dish in the menus of the ERP.');

  if (erpItemSizeId !== null && item.sizeId === null)
    throw invalidField('erpItemSizeId', 'not_found', 'The item has no such size.');
  if (!isActive) return;
  if (item.productName !== null)
    throw invalidField(
      'erpItemId',
      'item_on_sale',
      `The product "${item.productName}" sells the item.`,
    );

  if (item.feeId !== null)
    throw invalidField('erpItemId', 'item_of_delivery_fee', 'The item is the delivery fee.');
}

type Row = {
  id: number;
  code: string;
  name: string;
  erpItemId: string;
  erpItemSizeId: number | null;
  organizationErpId: string | null;
  organizationId: number | null;
  imageId: number | null;
  categoryId: string | null;
  isActive: boolean;
  defaultTermDays: number | null;
  defaultReason: Answered['defaultReason'];
  healthState: Answered['health']['state'];
  healthReasons: string[];
  healthCheckedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
  version: number;
};

/** Joins the active organization, otherwise the newest. */
const rewards = ({ db }: Sql) =>
  db
    .selectFrom('reward')
    .selectAll()
    .select((eb) =>
      eb
        .selectFrom('mirror_organization as organization')
        .select('organization.id')
        .whereRef('organization.erpId', '=', 'reward.organizationErpId')
        .orderBy(sql`organization.inactive_at is not null`)
        .orderBy('organization.id', 'desc')
        .limit(1)
        .as('organizationId'),
    );

function toView({ healthState, healthReasons, healthCheckedAt, ...row }: Row): Answered {
  const reasons = healthReasons as RewardFault[];
  return { ...row, health: { state: healthState, reasons, checkedAt: healthCheckedAt } };
}

export const COMPENSATION_MEDIA_USAGES: readonly UsageKind[] = [
  {
    kind: 'REWARD_IMAGE',
    entityType: 'reward',
    of: (mediaId) => sql`select id, name from reward where image_id = ${mediaId}`,
  },
];
