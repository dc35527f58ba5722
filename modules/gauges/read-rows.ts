import { SECURITY_EVENT_KINDS } from '../access/schemas/security-events.ts';
import { sql, type RawBuilder } from 'kysely';
import { FAULTY_CARDS } from '../gifts/reconciliation/gift-alerts.ts';
import { HELD_BY } from '../gifts/rules/markers.ts';
import { FINAL_STATES, ORDER_PATH } from '../ordering/rules/order-states.ts';
import type { Sql } from '../../platform/db/database.ts';
import type { Row } from '../../platform/db/row.ts';
import { connectionHealth } from '../connections/connection-health.ts';
import { lastSuccesses } from '../mirror/runs/last-successes.ts';
import { age, plain, type Read } from './plain-gauges.ts';

const OPEN_STATES = ORDER_PATH.filter((state) => !FINAL_STATES.has(state));

/** Reasons why markers wait. NOTHING: no attempt yet. */
const WAITING_FOR = [...Object.keys(HELD_BY), 'NOTHING'];

const CARD_FAULTS = [
  ['damaged', 'DAMAGED'],
  ['unknown', 'UNKNOWN'],
  ['withoutReward', 'WITHOUT_REWARD'],
] as const;

const CIRCUITS = { CLOSED: 0, HALF_OPEN: 1, OPEN: 2 } as const;

type Notifications = {
  open: Record<string, number> | null;
  waiting: number;
  givenUp: number;
  oldestUnsent: number;
};

const GIFT_COUNTS = [
  ['atErp', 'at_erp'],
  ['redeemed', 'redeemed'],
  ['unauthorized', 'unauthorized'],
] as const;

const queryRows = async <Row>({ db }: Sql, query: RawBuilder<Row>) =>
  (await query.execute(db)).rows;

const together =
  (...reads: readonly Read[]): Read =>
  async (from) => {
    const applies = await Promise.all(reads.map((read) => read(from)));
    return (...what) => applies.forEach((apply) => apply(...what));
  };

const imports: Read = async (from) => {
  const successes = await lastSuccesses(from);
  return ({ erpLastSuccess }) => {
    for (const { job, at } of successes) erpLastSuccess.set({ job }, at);
  };
};

const connections: Read = async (from) => {
  const [health, polls] = await Promise.all([
    connectionHealth(from),
    queryRows(
      from,
      sql<{ connectionId: number; seconds: number }>`
        select connection.id as "connectionId",
               extract(epoch from now() - coalesce(poll.succeeded_at, connection.created_at))::double precision as seconds
          from importable_connection importable join connection using (id) left join order_poll poll on connection_id = connection.id`,
    ),
  ]);

  return ({ state }) => {
    for (const { connectionId, circuits } of health)
      for (const { group, circuit } of circuits)
        state.erpCircuit.set({ connection: String(connectionId), group }, CIRCUITS[circuit]);
    for (const { connectionId, seconds } of polls)
      state.orderPollAge.set({ connection: String(connectionId) }, seconds);
  };
};

const openOrders: Read = async (from) => {
  const orders = await queryRows(
    from,
    sql<Row<'customer_order', 'state', { count: number }>>`
      select state, count(*) as count from customer_order where ended_at is null group by state`,
  );

  return (metrics) => {
    for (const state of OPEN_STATES)
      metrics.state.ordersOpen.set(
        { state },
        orders.find((order) => order.state === state)?.count ?? 0,
      );
  };
};

const recentOrders: Read = async (from) => {
  const orders = await queryRows(
    from,
    sql<{ connectionId: number; lastHour: number; weekAgo: number }>`
      select importable.id as "connectionId", coalesce(sum(recent.last_hour), 0)::int as "lastHour",
             coalesce(sum(recent.week_ago), 0)::int as "weekAgo"
        from importable_connection importable left join (
          select connection_id, count(*) as last_hour, 0 as week_ago from customer_order
           where accepted_at > now() - interval '1 hour' group by connection_id
          union all
          select connection_id, 0, count(*) from customer_order
           where accepted_at > now() - interval '169 hours' and accepted_at <= now() - interval '168 hours'
           group by connection_id) recent on recent.connection_id = importable.id
       group by importable.id`,
  );

  return ({ state }) => {
    for (const { connectionId, lastHour, weekAgo } of orders) {
      state.ordersRecent.set({ connection: String(connectionId), hour: 'last' }, lastHour);
      state.ordersRecent.set({ connection: String(connectionId), hour: 'week_ago' }, weekAgo);
    }
  };
};

const waitingMarkers: Read = async ({ db }) => {
  const [markers, [cards]] = await Promise.all([
    db
      .selectFrom('marker_clearing')
      .select((eb) => [
        sql<string>`coalesce(held_by, 'NOTHING')`.as('heldBy'),
        eb.fn.countAll<number>().as('count'),
      ])
      .where('state', '<>', 'CLEARED')
      .groupBy(sql`1`)
      .execute(),
    db
      .selectFrom('client_card as card')
      .select((eb) =>
        CARD_FAULTS.map(([fault]) =>
          eb.fn.countAll<number>().filterWhere(FAULTY_CARDS[fault]).as(fault),
        ),
      )
      .where((eb) => eb.or(CARD_FAULTS.map(([fault]) => FAULTY_CARDS[fault])))
      .execute(),
  ]);

  return ({ state }) => {
    for (const heldBy of WAITING_FOR)
      state.markersWaiting.set(
        { held_by: heldBy },
        markers.find((marker) => marker.heldBy === heldBy)?.count ?? 0,
      );

    for (const [column, fault] of CARD_FAULTS)
      state.giftCardsFaulty.set({ fault }, cards?.[column] ?? 0);
  };
};

const lastGifts: Read = async ({ db }) => {
  const [gifts] = await db
    .selectFrom('gift_reconciliation')
    .select(
      GIFT_COUNTS.map(([column]) =>
        sql<number>`coalesce(sum(${sql.ref(column)}), 0)::int`.as(column),
      ),
    )
    .where('day', '=', (eb) =>
      eb.selectFrom('gift_reconciliation').select((builder) => builder.fn.max('day').as('day')),
    )
    .execute();

  return ({ state }) => {
    for (const [name, count] of GIFT_COUNTS) state.giftsLastDay.set({ count }, gifts?.[name] ?? 0);
  };
};

const securityEvents: Read = async (from) => {
  const security = await queryRows(
    from,
    sql<Row<'security_event', 'kind', { count: number }>>`
      select kind, count(*) as count from security_event where occurred_at > now() - interval '1 hour' group by kind`,
  );

  return ({ state }) => {
    for (const kind of SECURITY_EVENT_KINDS)
      state.securityEvents.set({ kind }, security.find((row) => row.kind === kind)?.count ?? 0);
  };
};

const openIncidents: Read = async (from) => {
  const incidents = await queryRows(
    from,
    sql<Row<'binding_incident', 'severity', { count: number }>>`
      select severity, count(incident.id) as count from unnest(array['CRITICAL', 'INFO']) as severity
        left join (select * from binding_incident where status <> 'CLOSED') incident using (severity) group by severity`,
  );

  return ({ state }) => {
    for (const { severity, count } of incidents) state.incidentsOpen.set({ severity }, count);
  };
};

const notifications: Read = async (from) => {
  const [counts] = await queryRows(
    from,
    sql<Notifications>`
      with open as (select * from notification where resolved_at is null), unsent as (select * from open where sent_at is null)
      select (select jsonb_object_agg(kind, count) from (select kind, count(*) from open group by kind) kinds) as open,
             count(*) filter (where send_ended_at is null) as waiting, count(*) filter (where send_ended_at is not null) as given_up,
             ${age('raised_at')} as oldest_unsent from unsent`,
  );

  return ({ state }, sendsNotifications) => {
    const { open, waiting = 0, givenUp = 0, oldestUnsent = 0 } = counts ?? {};
    for (const [kind, count] of Object.entries(open ?? {}))
      state.notificationsOpen.set({ kind }, count);
    state.notificationsUnsent.set({ state: 'waiting' }, sendsNotifications ? waiting : 0);
    state.notificationsUnsent.set({ state: 'given_up' }, sendsNotifications ? givenUp : 0);
    state.notificationOldestUnsent.set(sendsNotifications ? oldestUnsent : 0);
  };
};

/** `seconds`: time since outdated rows should have been deleted. */
export type Overdue = (from: Sql) => Promise<readonly { table: string; seconds: number }[]>;

export const overdueRows =
  (readOverdue: Overdue): Read =>
  async (from) => {
    const rows = await readOverdue(from);
    return ({ state }) => {
      for (const { table, seconds } of rows) state.retentionOverdue.set({ table }, seconds);
    };
  };

/** Each group is read in a separate transaction (OPS-79). */
export const ROW_GROUPS = {
  imports: together(plain('imports'), imports),
  connections,
  events: plain('events'),
  orders: together(plain('orders'), openOrders, recentOrders),
  gifts: plain('gifts'),
  markers: together(plain('markers'), waitingMarkers),
  comparisons: together(plain('comparisons'), lastGifts),
  menus: plain('menus'),
  incidents: openIncidents,
  notifications,
  security: together(plain('security'), securityEvents),
} satisfies Readonly<Record<string, Read>>;
