import { sql } from 'kysely';
import type { GuestNotice, PaymentMethod } from '../schemas/context.ts';
import {
  expectationMinutes,
  expectationSteps,
  type ExpectationRule,
  type ExpectationStep,
} from '../rules/eta.ts';
import { nestRows, unnestRows } from '../../../platform/db/nested-rows.ts';
import type { Sql } from '../../../platform/db/database.ts';

/** Times are in ms; null is unlimited. */
export type SharedFacts = {
  expectations: readonly (ExpectationRule & { organizationId: number | null })[];
  notices: readonly NoticeFacts[];
  paymentMethods: readonly PaymentMethodRow[];
};

export type NoticeFacts = Pick<
  GuestNotice,
  'code' | 'severity' | 'title' | 'text' | 'ttlSeconds' | 'organizationId'
> & {
  activeFrom: number | null;
  activeTo: number | null;
};

export type PaymentMethodRow = Pick<
  PaymentMethod,
  'code' | 'name' | 'isEnabled' | 'allowsLeaveAtDoor' | 'requiresChange' | 'availability'
>;

/** Returns a value that changes with every edit. */
export async function readSharedMark({ db }: Sql): Promise<string> {
  const mark = sql<string>`
    jsonb_build_array(
      (select jsonb_build_array(count(*), max(id), sum(version)) from expectation_rule),
      (select jsonb_build_array(count(*), max(id), sum(version)) from guest_notice),
      (select jsonb_object_agg(organization_id, jsonb_build_array(extra_minutes, until)) from busy_mode),
      (select sum(version) from payment_method),
      (select jsonb_object_agg(connection_id, read_at) from erp_choices),
      (select jsonb_object_agg(connection_id, version) from order_sending),
      (select value from setting where key = 'call_center_organization'))::text`;

  return (await db.selectNoFrom(mark.as('mark')).executeTakeFirstOrThrow()).mark;
}

/** Reads all shared facts, including past and future ones. */
export async function readSharedFacts(tx: Sql): Promise<SharedFacts> {
  return toSharedFacts(await readRow(tx));
}

export function sharedParts({ db }: Sql) {
  const rules = db
    .selectFrom('expectation_rule')
    .select(['scope', 'categoryId', 'organizationId', 'durationMinutes', 'activeFrom', 'activeTo'])
    .orderBy('id');

  const notices = db
    .selectFrom('guest_notice')
    .select([
      'code',
      'severity',
      'title',
      'text',
      'ttlSeconds',
      'organizationId',
      'activeFrom',
      'activeTo',
    ])
    .where('isActive', '=', true)
    .orderBy('position')
    .orderBy('id');

  const methods = db
    .selectFrom('payment_method')
    .select(['code', 'name', 'isEnabled', 'allowsLeaveAtDoor', 'requiresChange', 'availability'])
    .orderBy('sortOrder')
    .orderBy('code');

  const busyModes = db.selectFrom('busy_mode').select(['organizationId', 'extraMinutes', 'until']);

  return [
    nestRows(rules).as('rules'),
    nestRows(busyModes).as('busyModes'),
    nestRows(notices).as('notices'),
    nestRows(methods).as('paymentMethods'),
  ] as const;
}

const readRow = (tx: Sql) => tx.db.selectNoFrom(sharedParts(tx)).executeTakeFirstOrThrow();
type SharedRow = Awaited<ReturnType<typeof readRow>>;

export function toSharedFacts(row: SharedRow): SharedFacts {
  return {
    expectations: [
      ...unnestRows(row.rules).map(withMoments),
      ...unnestRows(row.busyModes).map(busyExpectation),
    ],
    notices: unnestRows(row.notices).map(withMoments),
    paymentMethods: unnestRows(row.paymentMethods),
  };
}

type BusyRow = { organizationId: number; extraMinutes: number; until: string };
type Period = { activeFrom: string | null; activeTo: string | null };

const parseMoment = (text: string | null): number | null =>
  text === null ? null : Date.parse(text);

const withMoments = <R extends Period>(row: R) => ({
  ...row,
  activeFrom: parseMoment(row.activeFrom),
  activeTo: parseMoment(row.activeTo),
});

/** Ends on time, even if the row still exists (FUL-69). */
const busyExpectation = ({
  organizationId,
  extraMinutes,
  until,
}: BusyRow): SharedFacts['expectations'][number] => ({
  scope: 'BUSY',
  categoryId: null,
  organizationId,
  durationMinutes: extraMinutes,
  activeFrom: null,
  activeTo: Date.parse(until),
});

const NO_CATEGORIES: ReadonlySet<number> = new Set();

export const isFor = (organizationId: number) => (entry: { organizationId: number | null }) =>
  entry.organizationId === null || entry.organizationId === organizationId;

/** Returns the extra minutes by the time of the order, excluding rules for categories. */
export function listExpectationSteps(
  { expectations }: Pick<SharedFacts, 'expectations'>,
  organizationId: number,
  at: number,
): ExpectationStep[] {
  return expectationSteps(expectations.filter(isFor(organizationId)), NO_CATEGORIES, at);
}

/** Returns the extra minutes at a moment, excluding rules for categories. */
export function computeExpectation(
  { expectations }: Pick<SharedFacts, 'expectations'>,
  organizationId: number,
  at: number,
): number {
  return expectationMinutes(expectations.filter(isFor(organizationId)), NO_CATEGORIES, at);
}
