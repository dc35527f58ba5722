import { sql, type RawBuilder } from 'kysely';
import type { Database, Sql } from '../../../platform/db/database.ts';
import type { Row } from '../../../platform/db/row.ts';
import {
  raiseNotification,
  resolveOtherNotifications,
} from '../../notifications/raise-notification.ts';
import type { CasesKind } from '../../notifications/schemas/notification-details.ts';
import { readSettings } from '../../settings/read-settings.ts';
import type { MarkerVariant } from '../../settings/schemas/settings.ts';
import { LEAST_BALANCE } from '../../mirror/rules/values.ts';
import { chooseVariant } from '../cards/read-card.ts';

const NAMED_CASES = 20;

/** Rule CMP-110. */
export type GiftAlert = {
  /** Selects `connection_id`, `since` and `id` (as text). */
  cases: RawBuilder<unknown>;
  /** Field of the notification's details that lists the ids. */
  ids?: string;
  /** Limits the alert to connections with this kind of markers. */
  variant?: MarkerVariant;
};

export type GiftAlerts = { readonly [K in CasesKind]?: GiftAlert };

/**
 * Ignores older reads, because the client may never return (rule CMP-111). Unknown names and
 * categories must have been read after the last change of rewards.
 */
const IS_RECENT = sql`card.read_at > now() - interval '7 days'`;
const IS_JUDGED = sql`${IS_RECENT} and card.promises_read_at > coalesce((select max(updated_at) from reward), '-infinity')`;

export const FAULTY_CARDS = {
  damaged: sql<boolean>`card.damaged > 0 and ${IS_RECENT}`,
  unknown: sql<boolean>`card.unknown > 0 and ${IS_JUDGED}`,
  withoutReward: sql<boolean>`card.without_reward > 0 and ${IS_JUDGED}`,
} as const;

const faultyCards = (fault: keyof typeof FAULTY_CARDS, variant: MarkerVariant): GiftAlert => ({
  cases: sql`select client.connection_id, card.read_at as since, client.id::text as id
    from client_card card join compensation_client client on client.id = card.client_id where ${FAULTY_CARDS[fault]}`,
  ids: 'clientIds',
  variant,
});

export const GIFT_ALERTS = {
  GIFT_RESERVED_TOO_LONG: {
    cases: sql`select client.connection_id, held.reserved_at as since, held.id::text as id
      from compensation held join compensation_client client on client.id = held.client_id
     where held.status = 'RESERVED' and held.reserved_at < now() - interval '1 hour'`,
    ids: 'compensationIds',
  },
  GIFT_STOPPED: {
    // The ERP may omit the time. The stop then counts as old.
    cases: sql`select organization.connection_id, min(coalesce(stop.added_at, '-infinity')) as since, reward.id::text as id
      from reward
      join mirror_stop_list stop on stop.item_erp_id = reward.erp_item_id and stop.balance < ${LEAST_BALANCE}
      join served_organization organization on organization.id = stop.organization_id
     where reward.is_active and coalesce(stop.added_at, '-infinity') < now() - interval '1 hour'
       and (reward.organization_erp_id is null or reward.organization_erp_id = organization.erp_id)
       and exists (select from compensation promised join compensation_client client on client.id = promised.client_id
                    where promised.reward_id = reward.id and promised.status = 'GRANTED' and client.connection_id = organization.connection_id)
     group by organization.connection_id, reward.id`,
    ids: 'rewardIds',
  },
  GIFT_MARKERS_WAITING: {
    cases: sql`select client.connection_id, clearing.waits_since as since, clearing.compensation_id::text as id
      from marker_clearing clearing
      join client_marker marker on marker.compensation_id = clearing.compensation_id
      join compensation_client client on client.id = marker.client_id
      join connection on connection.id = client.connection_id and connection.status = 'ACTIVE'
     where clearing.state <> 'CLEARED' and clearing.held_by is distinct from 'CLIENT_GONE'
       and clearing.waits_since < now() - interval '1 hour'`,
    ids: 'compensationIds',
  },
  GIFT_COMMENT_DAMAGED: faultyCards('damaged', 'COMMENT'),
  GIFT_NAME_UNKNOWN: faultyCards('unknown', 'COMMENT'),
  GIFT_CATEGORY_WITHOUT_REWARD: faultyCards('withoutReward', 'CATEGORY'),
  GIFT_CANDIDATES_WAITING: {
    cases: sql`select client.connection_id, candidate.found_at as since, candidate.id::text as id
      from compensation_candidate candidate join compensation_client client on client.id = candidate.client_id
     where candidate.status = 'OPEN' and candidate.found_at < now() - interval '1 day'`,
    ids: 'candidateIds',
  },
  GIFT_HISTORIES_MISSED: {
    cases: sql`select missed.connection_id, missed.since, missed.client_id::text as id
      from client_history missed join connection on connection.id = missed.connection_id and connection.status = 'ACTIVE'
     where missed.since < now() - interval '1 day'`,
    ids: 'clientIds',
  },
} as const satisfies GiftAlerts;

type Found = Row<
  'compensation_client',
  'connectionId',
  { kind: CasesKind; cases: number; oldestAt: Date | null; ids: string[] }
>;

/**
 * Keeps one notification per connection and condition (rule CMP-110). Returns the number of open
 * notifications. Idempotent.
 */
export async function raiseGiftAlerts(
  { db }: { db: Database },
  alerts: GiftAlerts,
): Promise<{ alerts: number }> {
  const kinds = Object.keys(alerts) as CasesKind[];
  return db.transaction(async (tx) => {
    const { gift_markers: markers } = await readSettings(tx, 'gift_markers');
    const alertCases = (await readCases(tx, alerts)).filter(({ kind, connectionId }) => {
      const { variant } = alerts[kind]!;
      return variant === undefined || variant === chooseVariant(markers, connectionId);
    });

    for (const kind of kinds) {
      const { ids: field } = alerts[kind]!;
      const open = alertCases.filter((entry) => entry.kind === kind);
      const connectionIds = open.map(({ connectionId }) => connectionId);
      await resolveOtherNotifications(tx, kind, 'connection', connectionIds);

      for (const { connectionId, cases, oldestAt, ids } of open)
        await raiseNotification(tx, {
          kind,
          subjectType: 'connection',
          subjectId: connectionId,
          details: {
            count: cases,
            oldestAt: oldestAt?.toISOString() ?? null,
            ...(field === undefined ? {} : { [field]: ids }),
          },
        });
    }

    return { alerts: alertCases.length };
  });
}

async function readCases({ db }: Sql, alerts: GiftAlerts): Promise<Found[]> {
  const selects = Object.entries(alerts).map(
    ([kind, { cases }]) =>
      sql`select ${kind}::text as kind, connection_id, since, id from (${cases}) cases`,
  );

  const { rows } = await sql<Found>`
    select kind, connection_id, count(*)::int as cases, nullif(min(since), '-infinity') as oldest_at,
           (array_agg(id order by since, id))[1:${sql.lit(NAMED_CASES)}] as ids
      from (${sql.join(selects, sql` union all `)}) found
     group by kind, connection_id order by kind, connection_id`.execute(db);

  return rows;
}
