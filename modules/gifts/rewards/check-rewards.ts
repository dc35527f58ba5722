import { sql, type Nullable } from 'kysely';
import { json, type Database, type Sql, type Tx } from '../../../platform/db/database.ts';
import type { Row } from '../../../platform/db/row.ts';
import {
  rewardHealth,
  type RewardFault,
  type RewardHealth,
  type RewardItem,
} from '../rules/checks.ts';
import { systemActor } from '../../../kernel/actor.ts';
import { raiseNotification, resolveNotifications } from '../../notifications/raise-notification.ts';
import { moveRights } from '../rights/move-rights.ts';
import { joinRewardItem, rewardItemColumns } from '../rights/reward-item.ts';

const CHECKER = systemActor('reward-check');
const RIGHTS_PER_BATCH = 500;
/** Maximum number listed in a notification. */
const NAMED_ORGANIZATIONS = 20;

export type CheckedRewards = {
  checked: number;
  broken: number;
  blocked: number;
  unblocked: number;
};

/**
 * Blocks and unblocks rights by the state of their items, and notifies staff (rule CMP-7).
 * Idempotent.
 */
export async function checkRewards(
  { db }: { db: Database },
  { rewardId = null, at = new Date() }: { rewardId?: number | null; at?: Date } = {},
): Promise<CheckedRewards> {
  const rewards = await readRewards(db, rewardId);
  await db.transaction((tx) => writeHealth(tx, rewards, at));
  const done = { blocked: 0, unblocked: 0 };

  for (const { id, health } of rewards) {
    const isBroken = health.state === 'BROKEN';
    const count = await moveAll(
      db,
      id,
      isBroken ? { move: 'BLOCK', reason: health.reasons.join(', ') } : UNBLOCK,
      at,
    );

    done[isBroken ? 'blocked' : 'unblocked'] += count;
  }

  return {
    checked: rewards.length,
    broken: rewards.filter((reward) => reward.health.state === 'BROKEN').length,
    ...done,
  };
}

const UNBLOCK = { move: 'UNBLOCK', reason: undefined } as const;

type CheckedReward = {
  id: number;
  code: string;
  health: { state: RewardHealth; reasons: RewardFault[] };
  /** ERP ids. */
  faultyIn: string[];
};

type RewardRow = Row<'reward', 'id' | 'code', RewardItem> &
  Nullable<Row<'served_organization', 'erpId as organization'>>;

async function readRewards({ db }: Sql, rewardId: number | null): Promise<CheckedReward[]> {
  const { rows } = await sql<RewardRow>`
    select reward.id, reward.code, place.erp_id as organization, ${rewardItemColumns}
      from reward
      left join served_organization place on reward.organization_erp_id is null or reward.organization_erp_id = place.erp_id
      ${joinRewardItem(sql`place.id`)}
     where reward.is_active and (${rewardId}::bigint is null or reward.id = ${rewardId}::bigint)
     order by reward.id, place.id`.execute(db);

  return [...Map.groupBy(rows, (row) => row.id)].map(([id, places]) => {
    const served = places.filter((place) => place.organization !== null);
    return {
      id,
      code: places[0]!.code,
      health: rewardHealth(served),
      faultyIn: served.flatMap((row) =>
        rewardHealth([row]).state === 'OK' ? [] : (row.organization ?? []),
      ),
    };
  });
}

const SUBJECT = 'reward';

async function writeHealth(tx: Tx, rewards: readonly CheckedReward[], at: Date): Promise<void> {
  if (rewards.length === 0) return;
  await sql`
    update reward set health_state = found.state, health_reasons = array(select jsonb_array_elements_text(found.reasons)),
           health_checked_at = ${at}::timestamptz
      from jsonb_to_recordset(${json(rewards.map(({ id, health }) => ({ id, ...health })))}::jsonb)
        as found (id bigint, state text, reasons jsonb)
     where reward.id = found.id`.execute(tx.db);

  const ids = (state: (health: RewardHealth) => boolean) =>
    rewards.filter((reward) => state(reward.health.state)).map((reward) => reward.id);
  const alertKinds = { BROKEN: 'GIFT_BROKEN', LIMITED: 'GIFT_LIMITED' } as const;

  for (const [state, kind] of Object.entries(alertKinds)) {
    await resolveNotifications(
      tx,
      kind,
      SUBJECT,
      ids((entry) => entry !== state),
    );

    for (const { id, code, health, faultyIn } of rewards)
      if (health.state === state)
        await raiseNotification(tx, {
          kind,
          subjectType: SUBJECT,
          subjectId: id,
          details: {
            code,
            reasons: health.reasons,
            organizationErpIds: faultyIn.slice(0, NAMED_ORGANIZATIONS),
          },
        });
  }
}

async function moveAll(
  db: Database,
  rewardId: number,
  transition: { move: 'BLOCK' | 'UNBLOCK'; reason: string | undefined },
  at: Date,
): Promise<number> {
  const status = transition.move === 'BLOCK' ? 'GRANTED' : 'BLOCKED';
  let count = 0;

  for (;;) {
    const rows = await db.db
      .selectFrom('compensation')
      .select('id')
      .where('rewardId', '=', rewardId)
      .where('status', '=', status)
      .limit(RIGHTS_PER_BATCH)
      .execute();
    if (rows.length === 0) return count;

    const ids = rows.map((row) => row.id);
    const { moved } = await db.transaction((tx) =>
      moveRights(tx, CHECKER, { ids }, { ...transition, at }),
    );
    count += moved.length;
    // The other rights were moved concurrently.
    if (rows.length < RIGHTS_PER_BATCH) return count;
  }
}
