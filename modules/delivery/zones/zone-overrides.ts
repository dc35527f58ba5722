import type {
  NewZoneOverride,
  ZoneOverride as Answer,
  ZoneOverrideEdit,
} from '../schemas/zones.ts';
import { invalidField, Problem } from '../../../kernel/problem.ts';
import type { WithDates } from '../../../kernel/pure/schemas.ts';
import type { Database, Sql } from '../../../platform/db/database.ts';
import { ZoneOverride } from '../tables/delivery.ts';
import { toKopecks } from '../../../kernel/pure/money.ts';
import type { Actor } from '../../../kernel/actor.ts';
import { createRow, deleteRow, editRow } from '../../access/audit/audited-rows.ts';
import { once, type Idempotency } from '../../../kernel/idempotency.ts';
import { inScope, type Scope } from '../../../kernel/scope.ts';
import { omitUndefined, readPage, type Page, type Paging } from '../../../kernel/pages.ts';

type Deps = { db: Database };
export type ZoneOverrideView = WithDates<Answer>;

const OVERRIDE = { entity: ZoneOverride, entityType: 'zone-override' } as const;

const overrides = ({ db }: Sql) =>
  db
    .selectFrom('zone_override')
    .select([
      'id',
      'zoneId',
      'minSumKopecks as minOrderSum',
      'deliveryFeeKopecks as deliveryFee',
      'validFrom',
      'validTo',
      'createdAt',
      'updatedAt',
      'version',
    ]);

export function listZoneOverrides(
  database: Sql,
  input: Paging & { zoneId?: number | undefined; scope: Scope },
): Promise<Page<ZoneOverrideView>> {
  const listed = overrides(database).orderBy('id', 'desc');
  const all =
    input.scope === null
      ? listed
      : listed.where('zoneId', 'in', (eb) =>
          eb
            .selectFrom('mirror_delivery_zone as zone')
            .select('zone.id')
            .where((zone) => inScope(zone.ref('zone.organizationId'), input.scope)),
        );

  return readPage(input.zoneId === undefined ? all : all.where('zoneId', '=', input.zoneId), input);
}

export function getZoneOverride(database: Sql, id: number): Promise<ZoneOverrideView> {
  return overrides(database)
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not-found'));
}

/**
 * Creates an override of a zone's terms; null keeps the ERP's value (FUL-11, FUL-32). Problem
 * `validation`.
 */
export async function createZoneOverride(
  { db }: Deps,
  actor: Actor,
  { zoneId, ...input }: NewZoneOverride,
  idempotency: Idempotency | null,
): Promise<ZoneOverrideView> {
  return db.transaction((tx) =>
    once(tx, idempotency, async () => {
      const zone = await tx.db
        .selectFrom('mirror_delivery_zone')
        .select('id')
        .where('id', '=', zoneId)
        .executeTakeFirst();
      if (zone === undefined) throw invalidField('zoneId', 'not_found', 'No such delivery zone');

      const fields = { zoneId, ...NOTHING_SET, ...toColumns(input) };
      requirePeriod(fields);

      return getZoneOverride(tx, await createRow(tx, actor, OVERRIDE, fields));
    }),
  );
}

/**
 * Changes an override; absent fields are not changed. Problems: not-found, version-conflict,
 * validation.
 */
export async function editZoneOverride(
  { db }: Deps,
  actor: Actor,
  id: number,
  { version, ...edit }: ZoneOverrideEdit,
): Promise<ZoneOverrideView> {
  return db.transaction(async (tx) => {
    await editRow(tx, actor, OVERRIDE, {
      id,
      version,
      fields: toColumns(edit),
      check: requirePeriod,
    });

    return getZoneOverride(tx, id);
  });
}

export function deleteZoneOverride({ db }: Deps, actor: Actor, id: number): Promise<void> {
  return db.transaction((tx) => deleteRow(tx, actor, OVERRIDE, id, pickAudited));
}

/** In kopecks. */
function pickAudited(
  override: { [K in keyof Columns]?: Columns[K] | undefined } & { zoneId: number },
) {
  const { zoneId, minSumKopecks, deliveryFeeKopecks, validFrom, validTo } = override;
  return { zoneId, minSumKopecks, deliveryFeeKopecks, validFrom, validTo };
}

type Columns = {
  minSumKopecks?: number | null;
  deliveryFeeKopecks?: number | null;
  validFrom?: Date | null;
  validTo?: Date | null;
};

const NOTHING_SET = {
  minSumKopecks: null,
  deliveryFeeKopecks: null,
  validFrom: null,
  validTo: null,
};

function toColumns(input: Omit<NewZoneOverride, 'zoneId'>): Columns {
  const sum = (field: 'minOrderSum' | 'deliveryFee'): number | null | undefined => {
    const rubles = input[field];
    if (rubles == null) return rubles;
    const amount = toKopecks(rubles);
    if (amount === null) throw invalidField(field, 'invalid', 'must have at most two decimals');
    return amount;
  };

  const moment = (text: string | null | undefined) => (text == null ? text : new Date(text));

  return omitUndefined({
    minSumKopecks: sum('minOrderSum'),
    deliveryFeeKopecks: sum('deliveryFee'),
    validFrom: moment(input.validFrom),
    validTo: moment(input.validTo),
  });
}

function requirePeriod({
  validFrom,
  validTo,
}: { [K in 'validFrom' | 'validTo']?: Date | null | undefined }): void {
  if (validFrom != null && validTo != null && validFrom >= validTo)
    throw invalidField('validTo', 'invalid', 'The override must end after it begins');
}
