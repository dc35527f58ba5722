import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type {
  OrderingCopies,
  OrderingCopy,
  OrderingCopyRequest,
  OrderingCopyToMany,
  OrderingPart,
} from '../schemas/hours.ts';
import { invalidField } from '../../../kernel/problem.ts';
import { PaymentMethod } from '../tables/delivery.ts';
import type { FulfillmentType } from '../rules/status.ts';
import type { Actor } from '../../../kernel/actor.ts';
import { recordAudit } from '../../access/audit/record-audit.ts';
import type { Sql, Tx } from '../../../platform/db/database.ts';
import { holdForEdit, saveEdit } from '../../../kernel/edits.ts';
import { createRow, editRow } from '../../access/audit/audited-rows.ts';
import { requireOrganizations } from '../../../kernel/require-organizations.ts';
import {
  commitOrderingEdit,
  requireNamedOrganization,
  requireOrganization,
} from './commit-edit.ts';
import {
  ORDERING_DEFAULTS,
  readFields,
  readOrdering,
  writeOrdering,
  type OrderingDeps,
} from './ordering-config.ts';
import { getSchedule, writeSchedule } from './ordering-schedule.ts';
import { EXCEPTION } from './schedule-exceptions.ts';

type Change = OrderingCopy['changes'][number];

type Planned = {
  changes: Omit<Change, 'part'>[];
  write: (tx: Tx, actor: Actor) => Promise<unknown>;
};

/** `timeZone` belongs to the target. */
type Plan = (sql: Sql, from: number, to: number, timeZone: string) => Promise<Planned>;

/** Not copied. */
const OWN = ['timeZone', 'code', 'city', 'phone'] as const;
const COPIED = (Object.keys(ORDERING_DEFAULTS) as (keyof typeof ORDERING_DEFAULTS)[]).filter(
  (field) => !OWN.some((own) => own === field),
);

const PARTS: Readonly<Record<OrderingPart, Plan>> = {
  CONFIG: async (db, from, to) => {
    const [source, target] = [await readFields(db, from), await readFields(db, to)];
    const fields = COPIED.filter((field) => source[field] !== target[field]);
    const newValues = Object.fromEntries(fields.map((field) => [field, source[field]]));

    return {
      changes: fields.map((field) => ({ field, before: target[field], after: source[field] })),
      write: (tx, actor) => writeOrdering(tx, actor, to, { version: target.version, ...newValues }),
    };
  },
  SCHEDULE: async (db, from, to) => {
    const [{ windows }, target] = [await getSchedule(db, from), await getSchedule(db, to)];
    const isSame = isDeepStrictEqual(windows, target.windows);

    return {
      changes: isSame ? [] : [{ field: 'windows', before: target.windows, after: windows }],
      write: (tx, actor) => writeSchedule(tx, actor, to, { version: target.version, windows }),
    };
  },
  EXCEPTIONS: async (db, from, to, timeZone) => {
    const [source, target] = [
      await comingDates(db, from, timeZone),
      await comingDates(db, to, timeZone),
    ];

    const changed = source.flatMap((wanted) => {
      const stored = target.find(
        (entry) => entry.date === wanted.date && entry.channel === wanted.channel,
      );
      return stored !== undefined && isDeepStrictEqual(pickContent(stored), pickContent(wanted))
        ? []
        : [{ wanted, stored }];
    });

    return {
      changes: changed.map(({ wanted, stored }) => ({
        field: `${wanted.date} ${wanted.channel ?? 'ALL'}`,
        before: stored === undefined ? null : pickContent(stored),
        after: pickContent(wanted),
      })),
      async write(tx, actor) {
        for (const { wanted, stored } of changed) {
          const { date, channel } = wanted;
          const fields = pickContent(wanted);
          if (stored === undefined)
            await createRow(tx, actor, EXCEPTION, { organizationId: to, date, channel, ...fields });
          else
            await editRow(tx, actor, EXCEPTION, { id: stored.id, version: stored.version, fields });
        }
      },
    };
  },
  PAYMENT_METHODS: async (db, from, to) => {
    const methods = await db.db
      .selectFrom('payment_method')
      .select(['code', 'availability', 'version'])
      .orderBy('sortOrder')
      .execute();

    const changed = methods.flatMap(({ code, availability, version }) => {
      const listTypes = (id: number) =>
        availability.find((entry) => entry.organizationId === id)?.fulfillmentTypes ?? [];
      const [before, after] = [listTypes(to), listTypes(from)];
      if (isDeepStrictEqual(before.toSorted(), after.toSorted())) return [];
      return [{ code, version, before, after, availability: withTypes(availability, to, after) }];
    });

    return {
      changes: changed.map(({ code, before, after }) => ({ field: code, before, after })),
      async write(tx, actor) {
        for (const { code, version, availability } of changed) {
          const row = await holdForEdit(tx, PaymentMethod, { code }, { seen: version });
          const edit = await saveEdit(tx, row, { availability });
          await recordAudit(tx, actor, {
            entityType: 'payment-method',
            entityId: code,
            action: 'copy',
            ...edit,
          });
        }
      },
    };
  },
};

/**
 * Copies parts of a configuration, or returns the plan (FUL-21). Keeps exceptions that only the
 * target has. Problems: not-found, validation, version-conflict after a concurrent edit.
 */
export function copyOrdering(
  deps: OrderingDeps,
  actor: Actor,
  organizationId: number,
  { fromOrganizationId, parts, mode }: OrderingCopyRequest,
): Promise<OrderingCopy> {
  return commitOrderingEdit(deps, (tx) =>
    copyInside(deps, tx, actor, organizationId, { fromOrganizationId, parts, mode }),
  );
}

/** Copies to several organizations in one transaction (FUL-96). */
export function copyOrderingToMany(
  deps: OrderingDeps,
  actor: Actor,
  fromOrganizationId: number,
  { toOrganizationIds, ...request }: OrderingCopyToMany,
): Promise<OrderingCopies> {
  return commitOrderingEdit(deps, async (tx) => {
    await requireOrganization(tx, fromOrganizationId);
    await requireOrganizations(tx, toOrganizationIds, 'toOrganizationIds');
    const copies: OrderingCopy[] = [];

    for (const organizationId of toOrganizationIds.toSorted((one, other) => one - other))
      copies.push(
        await copyInside(deps, tx, actor, organizationId, { fromOrganizationId, ...request }),
      );

    return { copies };
  });
}

async function copyInside(
  deps: OrderingDeps,
  tx: Tx,
  actor: Actor,
  organizationId: number,
  { fromOrganizationId, parts, mode }: OrderingCopyRequest,
): Promise<OrderingCopy> {
  if (fromOrganizationId === organizationId)
    throw invalidField('fromOrganizationId', 'invalid', 'An organization is not copied to itself.');
  const { effectiveTimeZone: timeZone } = await readOrdering(
    tx,
    organizationId,
    deps.env.SYNC_TIME_ZONE,
  );

  await requireNamedOrganization(tx, fromOrganizationId, 'fromOrganizationId');
  const changes: Change[] = [];

  for (const part of parts) {
    const planned = await PARTS[part](tx, fromOrganizationId, organizationId, timeZone);
    changes.push(...planned.changes.map((change) => ({ part, ...change })));
    if (mode === 'APPLY' && planned.changes.length > 0) await planned.write(tx, actor);
  }

  return { organizationId, fromOrganizationId, mode, changes };
}

export type Availability = { organizationId: number; fulfillmentTypes: FulfillmentType[] }[];

export function withTypes(
  availability: Availability,
  organizationId: number,
  fulfillmentTypes: FulfillmentType[],
): Availability {
  const others = availability.filter((entry) => entry.organizationId !== organizationId);
  return fulfillmentTypes.length === 0 ? others : [...others, { organizationId, fulfillmentTypes }];
}

function comingDates({ db }: Sql, organizationId: number, timeZone: string) {
  return db
    .selectFrom('schedule_exception')
    .select(['id', 'kind', 'channel', 'date', 'windows', 'reason', 'version'])
    .where('organizationId', '=', organizationId)
    .where('kind', '<>', 'INTAKE_STOPPED')
    .where('date', '>=', sql<string>`(now() at time zone ${timeZone})::date`)
    .orderBy('date')
    .orderBy('id')
    .execute();
}

type Content = Pick<Awaited<ReturnType<typeof comingDates>>[number], 'kind' | 'windows' | 'reason'>;
const pickContent = ({ kind, windows, reason }: Content): Content => ({ kind, windows, reason });
