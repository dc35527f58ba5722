import { sql } from 'kysely';
import type { Permission } from '../../../kernel/pure/permissions.ts';
import { anyOf, type Sql } from '../../../platform/db/database.ts';
import { EVENTS, type PublicEventView } from '../../events/schemas/events.ts';
import { runHeads } from '../../mirror/runs/run-record.ts';
import { RESTAURANTS_OF_NOTIFICATION } from '../../notifications/list-notifications.ts';
import { notificationTexts } from '../../notifications/notification-texts.ts';
import { kindsFor } from '../../notifications/schemas/notifications.ts';
import type { Reader } from '../read-work.ts';

export const STATE_KINDS = ['notification', 'run', 'incident', 'busy'] as const;
export type StateKind = (typeof STATE_KINDS)[number];

export type StaffItem = {
  kind: StateKind | 'event';
  id: number;
  data: Readonly<Record<string, unknown>>;
  isFor: (reader: Reader) => boolean;
};

/** `key` identifies the state. Items that are not open leave the snapshot. */
export type StateItem = StaffItem & { kind: StateKind; key: string; isOpen: boolean };

export type StateKey = { kind: StateKind; id: number; key: string; isOpen: boolean };

/** Most runs end between two reads. */
const ENDED_RUN_SECONDS = 10;

const names = (restaurants: readonly number[], { scope }: Reader): boolean =>
  scope === null || restaurants.some((id) => scope.includes(id));

const reads = ({ permissions }: Reader, ...needs: readonly Permission[]): boolean =>
  needs.some((permission) => permissions.includes(permission));

/** Converts a public event. Readers need the permission of its type or `events.read` (EVT-43). */
export function eventItem(event: PublicEventView): StaffItem {
  const { needs, isShared } = { isShared: false, ...EVENTS[event.type] };
  const restaurants = event.organizationId === null ? [] : [event.organizationId];

  return {
    kind: 'event',
    id: event.id,
    data: event,
    isFor: (reader) =>
      reads(reader, needs, 'events.read') && (isShared || names(restaurants, reader)),
  };
}

/** Reads the states of all open items in one statement. */
export function readStateKeys({ db }: Sql): Promise<StateKey[]> {
  const notifications = db
    .selectFrom('notification')
    .select([
      sql<StateKind>`'notification'`.as('kind'),
      'id',
      sql<string>`concat_ws(' ', repeated, read_at)`.as('key'),
      sql<boolean>`true`.as('isOpen'),
    ])
    .where('resolvedAt', 'is', null);

  const runs = db
    .selectFrom('sync_run')
    .select([
      sql<StateKind>`'run'`.as('kind'),
      'id',
      sql<string>`concat_ws(' ', status, organizations, batches)`.as('key'),
      sql<boolean>`status = 'RUNNING'`.as('isOpen'),
    ])
    .where((eb) =>
      eb.or([
        eb('status', '=', 'RUNNING'),
        // Limits the search, because no import takes longer.
        eb.and([
          eb('startedAt', '>', sql<Date>`now() - interval '1 hour'`),
          eb(
            'finishedAt',
            '>',
            sql<Date>`now() - ${sql.lit(ENDED_RUN_SECONDS)} * interval '1 second'`,
          ),
        ]),
      ]),
    );

  const incidents = db
    .selectFrom('binding_incident')
    .select([
      sql<StateKind>`'incident'`.as('kind'),
      'id',
      sql<string>`version::text`.as('key'),
      sql<boolean>`true`.as('isOpen'),
    ])
    .where('status', '=', 'OPEN');

  const busy = db
    .selectFrom('busy_mode')
    .select([
      sql<StateKind>`'busy'`.as('kind'),
      'organizationId as id',
      sql<string>`concat_ws(' ', extra_minutes, until)`.as('key'),
      sql<boolean>`true`.as('isOpen'),
    ])
    .where('until', '>', sql<Date>`clock_timestamp()`);

  return notifications.unionAll(runs).unionAll(incidents).unionAll(busy).execute();
}

type Found = Omit<StaffItem, 'kind'>;

/** Loaders omit ids without a row, except `busy`, which returns nulls for them. */
const LOADERS: Readonly<
  Record<StateKind, (from: Sql, ids: readonly number[]) => Promise<Found[]>>
> = {
  async notification({ db }, ids) {
    const rows = await db
      .selectFrom('notification')
      .select([
        'id',
        'kind',
        'severity',
        'subjectType',
        'subjectId',
        'repeated',
        'raisedAt',
        'lastRaisedAt',
      ])
      .select(['resolvedAt', 'readAt', RESTAURANTS_OF_NOTIFICATION.as('restaurants')])
      .where('id', '=', anyOf(ids))
      .execute();

    return rows.map(({ restaurants, ...row }) => ({
      id: row.id,
      data: {
        ...row,
        // Evaluated by each stream in its language.
        get title() {
          return notificationTexts(row.kind).title;
        },
      },
      isFor: (reader) =>
        reads(reader, 'notifications.read') &&
        kindsFor(reader.permissions).some((kind) => kind === row.kind) &&
        names(restaurants, reader),
    }));
  },

  async run(from, ids) {
    const rows = await runHeads(from)
      .select(['run.status', 'run.reason', 'run.finishedAt', 'run.organizations', 'run.batches'])
      .where('run.id', '=', anyOf(ids))
      .execute();

    // Runs concern the whole chain.
    return rows.map((row) => ({
      id: row.id,
      data: row,
      isFor: (reader) => reads(reader, 'sync.read') && reader.scope === null,
    }));
  },

  async incident({ db }, ids) {
    const rows = await db
      .selectFrom('binding_incident')
      .select([
        'id',
        'type',
        'severity',
        'status',
        'resolution',
        'productId',
        'variantId',
        'detectedAt',
        'closedAt',
      ])
      .where('id', '=', anyOf(ids))
      .execute();

    return rows.map((row) => ({
      id: row.id,
      data: row,
      isFor: (reader) => reads(reader, 'incidents.read'),
    }));
  },

  async busy({ db }, ids) {
    const rows = await db
      .selectFrom('busy_mode')
      .select(['organizationId', 'extraMinutes', 'until', 'updatedAt'])
      .where('organizationId', '=', anyOf(ids))
      .where('until', '>', sql<Date>`clock_timestamp()`)
      .execute();

    const active = new Map(rows.map((row) => [row.organizationId, row]));

    return ids.map((id) => ({
      id,
      data: active.get(id) ?? {
        organizationId: id,
        extraMinutes: null,
        until: null,
        updatedAt: null,
      },
      isFor: (reader) => reads(reader, 'ordering.read') && names([id], reader),
    }));
  },
};

export async function loadItems(from: Sql, keys: readonly StateKey[]): Promise<StateItem[]> {
  const loaded: StateItem[] = [];

  for (const kind of STATE_KINDS) {
    const stateById = new Map(
      keys.filter((state) => state.kind === kind).map((state) => [state.id, state]),
    );
    if (stateById.size === 0) continue;
    for (const item of await LOADERS[kind](from, [...stateById.keys()]))
      loaded.push({ ...stateById.get(item.id)!, ...item });
  }

  return loaded;
}
