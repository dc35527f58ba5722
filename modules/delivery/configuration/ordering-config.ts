import type { OrderingConfig, OrderingConfigEdit } from '../schemas/hours.ts';
import { invalidField } from '../../../kernel/problem.ts';
import { effectiveCookingMinutes } from '../rules/eta.ts';
import { DEFAULT_CONFIG } from '../rules/timeline.ts';
import { normalizeTimeZone } from '../../mirror/rules/values.ts';
import type { Actor } from '../../../kernel/actor.ts';
import { recordAudit } from '../../access/audit/record-audit.ts';
import { normalPhone } from '../../access/rules/phone.ts';
import type { Database, Sql, Tx } from '../../../platform/db/database.ts';
import { requireVersion, saveKeyed } from '../../../kernel/edits.ts';
import { omitUndefined } from '../../../kernel/pages.ts';
import { requiredTexts } from '../../../kernel/required-texts.ts';
import { commitOrderingEdit, requireOrganization } from './commit-edit.ts';
import { resolveLeftBehind } from './left-behind.ts';

export type OrderingDeps = { db: Database; env: { SYNC_TIME_ZONE: string } };

/** Staff must enable orders (FUL-16). */
export const ORDERING_DEFAULTS = {
  deliveryEnabled: false,
  pickupEnabled: false,
  timedOrdersEnabled: true,
  timeZone: null,
  code: null,
  city: null,
  phone: null,
  ...DEFAULT_CONFIG,
  pickupCookingMinutes: null,
  deliveryMinutes: 60,
} as const;

export const CONFIG_FIELDS = Object.keys(ORDERING_DEFAULTS) as (keyof typeof ORDERING_DEFAULTS)[];

/** Prefers the time zone that staff set, then the one of the ERP (FUL-16). */
export const effectiveTimeZone = (
  own: string | null,
  ofErp: string | null,
  fallback: string,
): string => own ?? ofErp ?? fallback;

/** Returns the configuration of an organization, or defaults. Problem `not-found`. */
export function getOrdering(
  { db, env }: OrderingDeps,
  organizationId: number,
): Promise<OrderingConfig> {
  return readOrdering(db, organizationId, env.SYNC_TIME_ZONE);
}

/** {@link getOrdering} in the caller's transaction; `fallback` is the default time zone. */
export async function readOrdering(
  sql: Sql,
  organizationId: number,
  fallback: string,
): Promise<OrderingConfig> {
  const organization = await requireOrganization(sql, organizationId);
  const config = await readFields(sql, organizationId);
  const ofErp = await sql.db
    .selectFrom('mirror_delivery_defaults')
    .select('selfServiceMinutes')
    .where('organizationId', '=', organizationId)
    .executeTakeFirst();

  return {
    ...config,
    effectiveTimeZone: effectiveTimeZone(config.timeZone, organization.timeZone, fallback),
    effectivePickupCookingMinutes: effectiveCookingMinutes(
      config.pickupCookingMinutes,
      ofErp?.selfServiceMinutes ?? null,
    ),
  };
}

export type OrderingFields = Omit<
  OrderingConfig,
  'effectiveTimeZone' | 'effectivePickupCookingMinutes'
>;

/** Reads stored fields, or defaults with version 0. */
export async function readFields({ db }: Sql, organizationId: number): Promise<OrderingFields> {
  const row = await db
    .selectFrom('ordering_config')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .executeTakeFirst();

  return row ?? { ...ORDERING_DEFAULTS, organizationId, updatedAt: null, version: 0 };
}

/**
 * Changes the configuration; absent fields are not changed, null clears a text. Problems:
 * not-found, version-conflict, validation.
 */
export function editOrdering(
  deps: OrderingDeps,
  actor: Actor,
  organizationId: number,
  edit: OrderingConfigEdit,
): Promise<OrderingConfig> {
  return commitOrderingEdit(deps, async (tx) => {
    await writeOrdering(tx, actor, organizationId, edit);
    return readOrdering(tx, organizationId, deps.env.SYNC_TIME_ZONE);
  });
}

/** {@link editOrdering} in the caller's transaction. */
export async function writeOrdering(
  tx: Tx,
  actor: Actor,
  organizationId: number,
  { version, ...fields }: OrderingConfigEdit,
): Promise<void> {
  const newFields: Partial<OrderingFields> = omitUndefined({ ...fields, ...validateTexts(fields) });
  await requireOrganization(tx, organizationId);
  const currentFields = await readFields(tx, organizationId);
  requireVersion(currentFields.version, version);
  const changed = CONFIG_FIELDS.filter(
    (field) => newFields[field] !== undefined && newFields[field] !== currentFields[field],
  );
  if (changed.length === 0) return;

  const only = (from: Partial<OrderingFields>) =>
    Object.fromEntries(changed.map((field) => [field, from[field]]));
  const change = only(newFields);
  await saveKeyed(
    tx,
    { table: 'ordering_config', key: 'organizationId', of: organizationId, seen: version },
    change,
  );

  await resolveLeftBehind(tx, [organizationId]);
  await recordAudit(tx, actor, {
    entityType: 'organization-ordering',
    entityId: organizationId,
    action: 'update',
    before: only(currentFields),
    after: change,
  });
}

type Texts = Pick<OrderingConfigEdit, 'timeZone' | 'code' | 'city' | 'phone'>;

function validateTexts({ timeZone, code, city, phone }: Texts): Texts {
  return omitUndefined({
    timeZone: timeZone == null ? timeZone : knownTimeZone(timeZone),
    code: code == null ? code : requiredTexts({ code }, { code: 50 }).code,
    city: city == null ? city : requiredTexts({ city }, { city: 100 }).city,
    phone: phone == null ? phone : knownPhone(phone),
  });
}

function knownPhone(text: string): string {
  const phone = normalPhone(text);
  if (phone === null)
    throw invalidField('phone', 'format', 'must be a phone with its country: +7 999 000 11 22');
  return phone;
}

function knownTimeZone(text: string): string {
  const zone = normalizeTimeZone(text);
  if (zone === null) throw invalidField('timeZone', 'invalid', 'No such time zone.');
  return zone;
}
