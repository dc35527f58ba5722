import { DAY_MS } from '../../../kernel/pure/time.ts';
import { sql } from 'kysely';
import { anyOf, type Tx } from '../../../platform/db/database.ts';
import { readBlocks, type CommentBlocks } from '../rules/comment-blocks.ts';
import {
  compareMarkers,
  sourceMarker,
  type Marker,
  type MarkerChanges,
  type MarkerRight,
  type SeenMarkers,
} from '../rules/markers.ts';
import { createRewardMatcher } from '../rules/match-reward.ts';
import type { CompensationStatus } from '../rules/states.ts';
import type { MarkerSource } from '../rules/words.ts';
import type { ErpCustomer } from '../../../erp/schemas/customers.ts';
import { systemActor, type Actor } from '../../../kernel/actor.ts';
import { blockSubject, clearedMarker, forgetCounts, type AppliedMarker } from './cleared-marker.ts';
import { grantRight } from '../rights/grant-right.ts';
import { namedRewards } from '../rights/reward-item.ts';

const CARDS = systemActor('client-cards');
const LIVE: readonly CompensationStatus[] = ['GRANTED', 'RESERVED', 'BLOCKED'];

export type CardReading = {
  clientId: string;
  source: MarkerSource;
  customer: Pick<ErpCustomer, 'id' | 'comment' | 'categories'>;
  /** Prices of this organization decide if an item is a gift. Null grants no gift. */
  organizationId: number | null;
  /** Time of the database before the ERP request. */
  askedAt: Date;
  onlyOneRight: boolean;
  clears: string | null;
};

/**
 * Grants rights and updates conflicts and markers (rules CMP-40, CMP-41). Returns null if this
 * read began before the last one was applied, because old data would look like a new promise.
 */
export async function applyCard(
  tx: Tx,
  reading: CardReading,
): Promise<MarkerChanges<number> | null> {
  const { clientId, source, customer, askedAt } = reading;
  await tx.db
    .insertInto('client_card')
    .values({ clientId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();

  const { readAt } = await tx.db
    .selectFrom('client_card')
    .select('readAt')
    .where('clientId', '=', clientId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (readAt !== null && readAt >= askedAt) return null;

  const comment = readBlocks(source === 'ERP_COMMENT' ? (customer.comment ?? '') : '');
  const counts =
    source === 'ERP_COMMENT'
      ? countsOfBlocks(comment)
      : new Map(customer.categories.map(({ id }) => [id, 1]));

  const existing = await knownMarkers(tx, clientId, source);
  const seen: SeenMarkers = { counts, isWhole: comment.damage.length === 0 };
  const { rewardOf, isGift } = await rewardFinder(tx, reading, comment);
  const absentMarker =
    reading.clears === null ? null : await clearedMarker(tx, reading.clears, existing, seen);
  const markers = existing.map((marker) =>
    marker === absentMarker ? { ...marker, isPresent: false } : marker,
  );
  const changes = compareMarkers(markers, seen, {
    rewardOf,
    onlyOneRight: reading.onlyOneRight && source === 'ERP_CATEGORY',
    hasRight: await hasLiveRight(tx, clientId),
    clears:
      reading.clears === null
        ? undefined
        : markers.find((marker) => marker.compensationId === reading.clears),
  });

  await writeGranted(tx, reading, changes.granted);
  await writeConflicts(tx, reading, changes.conflicts);
  await writePresence(tx, reading, existing, {
    ...changes,
    vanished: absentMarker === null ? changes.vanished : [...changes.vanished, absentMarker],
  });

  await tx.db
    .updateTable('client_card')
    .set({
      readAt: sql<Date>`clock_timestamp()`,
      damaged: comment.damage.length,
      ...(reading.organizationId === null
        ? {}
        : {
            promisesReadAt: askedAt,
            unknown: source === 'ERP_COMMENT' ? changes.ignored.length : 0,
            withoutReward: source === 'ERP_CATEGORY' ? changes.ignored.filter(isGift).length : 0,
          }),
    })
    .where('clientId', '=', clientId)
    .execute();

  return changes;
}

async function knownMarkers(
  { db }: Pick<Tx, 'db'>,
  clientId: string,
  source: MarkerSource,
): Promise<AppliedMarker[]> {
  const rows = await db
    .selectFrom('client_marker')
    .leftJoin('compensation', 'compensation.id', 'client_marker.compensationId')
    .select(['subject', 'generation', 'isPresent', 'compensationId', 'compensation.status'])
    .where('client_marker.clientId', '=', clientId)
    .where('client_marker.source', '=', source)
    .orderBy('subject')
    .orderBy('generation')
    .execute();

  return rows.map((row) => ({
    ...row,
    right: toMarkerRight(row.status),
  }));
}

function toMarkerRight(status: CompensationStatus | null): MarkerRight {
  if (status === null) return 'NONE';
  if (status === 'REDEEMED') return 'USED';
  return LIVE.includes(status) ? 'LIVE' : 'OVER';
}

function countsOfBlocks({ blocks }: CommentBlocks): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { name } of blocks)
    counts.set(blockSubject(name), (counts.get(blockSubject(name)) ?? 0) + 1);
  return counts;
}

async function hasLiveRight({ db }: Tx, clientId: string): Promise<boolean> {
  const right = await db
    .selectFrom('compensation')
    .select('id')
    .where('clientId', '=', clientId)
    .where('status', 'in', LIVE)
    .limit(1)
    .executeTakeFirst();

  return right !== undefined;
}

type Meanings = {
  /** Null for an unknown subject, or for a category that is disabled in the ERP. */
  rewardOf: (subject: string) => number | null;
  /** True for a category of a current or former gift. */
  isGift: (subject: string) => boolean;
};

const NO_MEANINGS: Meanings = { rewardOf: () => null, isGift: () => false };

async function rewardFinder(
  tx: Tx,
  { source, customer, organizationId }: CardReading,
  { blocks }: CommentBlocks,
): Promise<Meanings> {
  if (organizationId === null) return NO_MEANINGS;
  if (source === 'ERP_COMMENT') {
    if (blocks.length === 0) return NO_MEANINGS;
    const match = createRewardMatcher(await namedRewards(tx, organizationId));
    const matches = new Map(blocks.map(({ name }) => [blockSubject(name), match(name)]));

    return {
      ...NO_MEANINGS,
      rewardOf: (subject) => {
        const matched = matches.get(subject);
        return matched !== undefined && 'rewardId' in matched ? matched.rewardId : null;
      },
    };
  }

  const ids = customer.categories.map(({ id }) => id);
  const rewards = await tx.db
    .selectFrom('reward')
    .select(['id', 'categoryId', 'isActive'])
    .where('categoryId', '=', anyOf(ids, 'uuid'))
    .execute();

  const ofCategory = new Map(rewards.map((reward) => [reward.categoryId, reward]));
  const off = new Set(customer.categories.flatMap(({ id, isActive }) => (isActive ? [] : id)));

  return {
    rewardOf: (subject) => {
      const reward = ofCategory.get(subject);
      return reward?.isActive === true && !off.has(subject) ? reward.id : null;
    },
    isGift: (subject) => ofCategory.has(subject),
  };
}

/**
 * Another connection may have granted the same promise: then writes a conflict (rule CMP-92).
 */
async function writeGranted(
  tx: Tx,
  reading: CardReading,
  granted: MarkerChanges<number>['granted'],
): Promise<void> {
  const { clientId, source, customer, askedAt: at } = reading;
  for (const marker of granted) {
    const right = {
      clientId,
      source,
      erpCustomerId: customer.id,
      rewardId: marker.reward,
      reasonCommentId: null,
      at,
    };

    const compensationId = await grantMarked(tx, CARDS, { ...marker, ...right });
    await (compensationId === null
      ? writeConflicts(tx, reading, [marker])
      : insertMarker(tx, reading, marker, compensationId));
  }
}

type MarkedRight = Marker & {
  clientId: string;
  erpCustomerId: string | null;
  source: MarkerSource;
  rewardId: number;
  reasonCommentId: string | null;
  at: Date;
};

/**
 * Returns the right of a marker, granted now or earlier. Null if the right belongs to the
 * customer's client in another connection.
 */
export async function grantMarked(
  tx: Tx,
  actor: Actor,
  marked: MarkedRight,
): Promise<string | null> {
  const { clientId, erpCustomerId, source, rewardId, reasonCommentId, at } = marked;
  const name = sourceMarker(erpCustomerId ?? clientId, marked);
  const { defaultReason, defaultTermDays } = await tx.db
    .selectFrom('reward')
    .select(['defaultReason', 'defaultTermDays'])
    .where('id', '=', rewardId)
    .executeTakeFirstOrThrow();

  const granted = await grantRight(tx, actor, {
    clientId,
    rewardId,
    quantity: 1,
    reason: defaultReason,
    reasonCommentId,
    source,
    sourceMarker: name,
    sourceOrderId: null,
    grantedBy: actor.type === 'USER' ? 'STAFF' : 'ERP_OPERATOR',
    expiresAt: defaultTermDays === null ? null : new Date(at.getTime() + defaultTermDays * DAY_MS),
    at,
  });
  if (granted !== null) return granted;

  const { id, clientId: ownerId } = await tx.db
    .selectFrom('compensation')
    .select(['id', 'clientId'])
    .where('source', '=', source)
    .where('sourceMarker', '=', name)
    .executeTakeFirstOrThrow();

  return ownerId === clientId ? id : null;
}

async function insertMarker(
  { db }: Tx,
  { clientId, source, askedAt }: CardReading,
  { subject, generation }: Marker,
  compensationId: string | null,
): Promise<void> {
  const row = {
    clientId,
    source,
    subject,
    generation,
    isPresent: true,
    compensationId,
    seenAt: askedAt,
    goneAt: null,
  };

  await db.insertInto('client_marker').values(row).execute();
}

async function writeConflicts(
  tx: Tx,
  reading: CardReading,
  conflicts: MarkerChanges<number>['conflicts'],
): Promise<void> {
  for (const marker of conflicts) {
    await insertMarker(tx, reading, marker, null);
    await openConflict(tx, reading, 'SECOND_RIGHT', marker, {
      rewardId: marker.reward,
      compensationId: null,
    });
  }
}

async function openConflict(
  { db }: Tx,
  { clientId, source, askedAt }: CardReading,
  kind: 'SECOND_RIGHT' | 'REMOVED_BY_HAND',
  { subject, generation }: Marker,
  right: { rewardId: number; compensationId: string | null },
): Promise<void> {
  const row = {
    kind,
    clientId,
    source,
    subject,
    generation,
    ...right,
    foundAt: askedAt,
    closedAt: null,
  };

  await db.insertInto('compensation_conflict').values(row).execute();
}

async function writePresence(
  tx: Tx,
  reading: CardReading,
  known: readonly AppliedMarker[],
  { returned, vanished }: MarkerChanges<number>,
): Promise<void> {
  const { clientId, source, askedAt } = reading;

  for (const [markers, isPresent] of [
    [returned, true],
    [vanished, false],
  ] as const) {
    for (const { subject, generation } of markers) {
      await tx.db
        .updateTable('client_marker')
        .set(
          isPresent ? { isPresent, seenAt: askedAt, goneAt: null } : { isPresent, goneAt: askedAt },
        )
        .where('clientId', '=', clientId)
        .where('source', '=', source)
        .where('subject', '=', subject)
        .where('generation', '=', generation)
        .execute();

      if (!isPresent) await forgetCounts(tx, { clientId, source, subject });
      await tx.db
        .updateTable('compensation_conflict')
        .set({ status: 'WITHDRAWN', closedAt: askedAt })
        .where('clientId', '=', clientId)
        .where('source', '=', source)
        .where('subject', '=', subject)
        .where('generation', '=', generation)
        .where('status', '=', 'OPEN')
        .execute();
    }
  }

  for (const marker of vanished.filter(({ right }) => right === 'LIVE')) {
    const { compensationId } = known.find((entry) => entry === marker)!;
    const { rewardId } = await tx.db
      .selectFrom('compensation')
      .select('rewardId')
      .where('id', '=', compensationId)
      .executeTakeFirstOrThrow();
    await openConflict(tx, reading, 'REMOVED_BY_HAND', marker, { rewardId, compensationId });
  }
}
