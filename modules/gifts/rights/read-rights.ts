import { sql, type RawBuilder } from 'kysely';
import { anyOf, type Sql } from '../../../platform/db/database.ts';
import type { Row } from '../../../platform/db/row.ts';
import { storedMedia } from '../../media/media-base.ts';
import {
  findImageReference,
  type ImageReference,
  type StoredMedia,
} from '../../media/rules/image-reference.ts';
import {
  giftVerdict,
  judgeGift,
  type GiftCheck,
  type GiftCheckResult,
  type GiftFacts,
  type RewardItem,
} from '../rules/checks.ts';
import type { Replacement } from '../rules/choose-gifts.ts';
import type { Balance } from '../../menus/rules/offers/stops.ts';
import { joinRewardItem, rewardItemColumns } from './reward-item.ts';

export type Gift = {
  id: string;
  rewardId: number;
  rewardCode: string;
  name: string;
  quantity: number;
  priceKopecks: 0;
  image: ImageReference | null;
  expiresAt: Date | null;
  available: boolean;
  /** The first check that fails; null if available. */
  unavailableReason: GiftCheck | null;
  /** Remaining stock. Infinity if the stop list does not contain the item. */
  left: number;
  erpItemId: string;
  /** Null if the item has no sizes or is not in the mirror. */
  erpSizeId: string | null;
};

type RightsQuestion = {
  organizationErpId: string;
  at: number;
  /** Stock of the organization, or of the order's terminal group. */
  balance: Balance;
};

export type RightRow = Row<'compensation', 'id' | 'quantity' | 'status'> &
  Row<
    'reward',
    | 'id as rewardId'
    | 'code as rewardCode'
    | 'name'
    | 'isActive as isRewardActive'
    | 'organizationErpId as rewardOrganization'
    | 'erpItemId',
    RewardItem & {
      /** A string if read by a nested query. */
      expiresAt: Date | string | null;
      sizeErpId: string | null;
      media: StoredMedia | null;
    }
  >;

/** Numbers, or columns of the outer query. */
type Scope = {
  connectionId: number | RawBuilder<unknown>;
  organizationId: number | RawBuilder<unknown>;
};

/** Selects granted rights, earliest first. The phone must be verified, never typed by a guest. */
export const rightRows = (
  digests: readonly string[],
  { connectionId, organizationId }: Scope,
) => sql<RightRow>`
  ${rightsWith(organizationId)}
   where compensation.status = 'GRANTED'
     and client.connection_id = ${connectionId} and client.phone_digest = any (${digests}::text[])
   order by compensation.granted_at, compensation.id`;

const rightsWith = (organizationId: Scope['organizationId']) => sql`
  select compensation.id, reward.id as reward_id, reward.code as reward_code, reward.name, compensation.quantity, compensation.status,
         compensation.expires_at, reward.is_active as is_reward_active, reward.organization_erp_id as reward_organization,
         reward.erp_item_id, sold.erp_size_id as size_erp_id, ${storedMedia} as media, ${rewardItemColumns}
    from compensation_client client
    join compensation on compensation.client_id = client.id
    join reward on reward.id = compensation.reward_id
    left join media on media.id = reward.image_id
    ${joinRewardItem(sql`${organizationId}::bigint`)}`;

/** Returns every check of a gift in an organization (rule CMP-6). */
export async function judgeRight(
  { db }: Sql,
  id: string,
  { organizationId, ...question }: RightsQuestion & { organizationId: number },
): Promise<GiftCheckResult[]> {
  const { rows } =
    await sql<RightRow>`${rightsWith(organizationId)} where compensation.id = ${id}::uuid`.execute(
      db,
    );

  return rows.flatMap((row) => judgeGift(toFacts(row, question)));
}

/**
 * Returns gifts that apply in an organization (rule CMP-6), including unavailable gifts with the
 * reason.
 */
export function listGifts(rows: readonly RightRow[], question: RightsQuestion): Gift[] {
  return rows.flatMap((row) => {
    const facts = toFacts(row, question);
    const { isCompatible, unavailableReason } = giftVerdict(facts);
    if (!isCompatible) return [];
    const { id, rewardId, rewardCode, name, quantity, erpItemId } = row;
    const expiresAt = row.expiresAt === null ? null : new Date(row.expiresAt);
    const { media, sizeErpId } = row;

    return [
      {
        id,
        rewardId,
        rewardCode,
        name,
        quantity,
        priceKopecks: 0 as const,
        image: media === null ? null : findImageReference(media, 'card'),
        expiresAt,
        available: unavailableReason === null,
        unavailableReason,
        left: facts.balance,
        erpItemId,
        erpSizeId: sizeErpId === '' ? null : sizeErpId,
      },
    ];
  });
}

const toFacts = (row: RightRow, { at, organizationErpId, balance }: RightsQuestion): GiftFacts => ({
  at,
  status: row.status,
  expiresAt: row.expiresAt === null ? null : new Date(row.expiresAt).getTime(),
  quantity: row.quantity,
  isRewardActive: row.isRewardActive,
  rewardOrganization: row.rewardOrganization,
  organization: organizationErpId,
  item: row,
  balance: balance(row.erpItemId, row.sizeErpId ?? ''),
});

type RewardRow = Row<
  'reward',
  'id as rewardId' | 'code as rewardCode' | 'name' | 'erpItemId as itemId',
  RewardItem & { sizeErpId: string | null; media: StoredMedia | null }
>;

/** Reads replacements only if a gift is stopped or its stock is insufficient. */
export async function replacementsFor(
  tx: Sql,
  gifts: readonly Gift[],
  question: RightsQuestion & { organizationId: number },
): Promise<Replacement<ImageReference>[]> {
  return gifts.some(
    (gift) => gift.unavailableReason === 'STOP_LIST' || countUnits(gift, gifts) > gift.left,
  )
    ? readReplacements(tx, question)
    : [];
}

const countUnits = ({ erpItemId, erpSizeId }: Gift, gifts: readonly Gift[]): number =>
  gifts
    .filter((gift) => gift.erpItemId === erpItemId && gift.erpSizeId === erpSizeId)
    .reduce((sum, { quantity }) => sum + quantity, 0);

/** Returns replacements available for a stopped gift, by code (rule CMP-63). */
async function readReplacements(
  { db }: Sql,
  { at, organizationId, organizationErpId, balance }: RightsQuestion & { organizationId: number },
): Promise<Replacement<ImageReference>[]> {
  const { rows } = await sql<RewardRow>`
    select reward.id as reward_id, reward.code as reward_code, reward.name, reward.erp_item_id as item_id, sold.erp_size_id as size_erp_id,
           ${storedMedia} as media, ${rewardItemColumns}
      from reward
      left join media on media.id = reward.image_id
      ${joinRewardItem(sql`${organizationId}::bigint`)}
     where reward.is_active and (reward.organization_erp_id is null or reward.organization_erp_id = ${organizationErpId}::uuid)
     order by reward.code limit ${MOST_REPLACEMENTS}`.execute(db);

  return rows.flatMap((row) => {
    const { rewardId, rewardCode, name, itemId, sizeErpId, media } = row;
    const stock = balance(itemId, sizeErpId ?? '');
    const promised = {
      at,
      status: 'GRANTED',
      expiresAt: null,
      quantity: 1,
      rewardOrganization: null,
    } as const;

    const facts = {
      ...promised,
      isRewardActive: true,
      organization: organizationErpId,
      item: row,
      balance: stock,
    };
    if (giftVerdict(facts).unavailableReason !== null) return [];

    const image = media === null ? null : findImageReference(media, 'card');

    return [
      {
        rewardId,
        rewardCode,
        name,
        image,
        itemId,
        erpSizeId: sizeErpId === '' ? null : sizeErpId,
        left: stock,
      },
    ];
  });
}

/** Sufficient, because a chain has few gifts. */
const MOST_REPLACEMENTS = 50;

export async function giftNames(
  { db }: Sql,
  rights: readonly string[],
): Promise<Record<string, string>> {
  const rows = await db
    .selectFrom('compensation')
    .innerJoin('reward', 'reward.id', 'compensation.rewardId')
    .select(['compensation.id', 'reward.name'])
    .where('compensation.id', '=', anyOf(rights, 'uuid'))
    .execute();

  return Object.fromEntries(rows.map(({ id, name }) => [id, name]));
}
