import { requestedLanguage } from '../../kernel/guest-language.ts';
import { sql } from 'kysely';
import type { Sql } from '../../platform/db/database.ts';
import { kopecksOf } from '../../kernel/pure/money.ts';
import { compileOnce } from '../../platform/db/compile-once.ts';
import { nestRows, rowsOf } from '../../platform/db/nested-rows.ts';
import type { ErpNames } from '../delivery/rules/erp-names.ts';
import type { StopFacts } from '../menus/rules/offers/facts.ts';
import type { CartFacts, OfferedDiscount } from './rules/cart-facts.ts';
import { rightRows, type RightRow } from '../gifts/read-rights.ts';
import { callCenterOf, namesFrom } from '../delivery/erp-choices.ts';
import { effectiveTimeZone } from '../delivery/ordering-config.ts';
import { organizationSwitches } from '../mirror/rules/organization-switches.ts';
import { switchFields } from '../mirror/switch-fields.ts';
import { terminalRows } from '../mirror/terminals.ts';
import { stopFacts, stopRows } from '../menus/offers/read-stops.ts';
import type { OrderLimits } from '../settings/schemas/settings.ts';
import { settingRows, settingsOf } from '../settings/read-settings.ts';
import { countedUses } from './discount-uses.ts';
import { knownTerminals, type KnownTerminal } from './terminal-alive.ts';
import { compositionRows, compositionRules, serviceRows, type ServiceRow } from './read-services.ts';

/** The owner of the cart, the promo code, and the time zone of organizations without one. */
export type Buyer = {
  customerId: string | null;
  /** Of the phone by which gifts are theirs. */
  phoneDigests: readonly string[];
  promocode: string | null;
  timeZone: string;
};

/** The facts of an organization and its staff about every cart there. */
export type OrganizationReading = Pick<CartFacts, 'discounts' | 'uses' | 'customer' | 'compositionRules'> & {
  id: number;
  connectionId: number;
  /** Uuid of the ERP. */
  erpId: string;
  menuRevision: number | null;
  timeZone: string;
  isServed: boolean;
  denominationKopecks: number;
  /** True while its connection is switched on. */
  isErpEnabled: boolean;
  language: 'RU' | 'EN';
  behaviour: 'SHOW' | 'HIDE';
  /** Listed terminal groups, each with whether it can take orders now. */
  knownTerminals: readonly KnownTerminal[];
  /** Minutes for which sums are promised, and for which a new order is sent. */
  quoteMinutes: number;
  orderSendMinutes: number;
  /** Highest order total without signing in; null for no limit. */
  guestSumKopecks: number | null;
  orderLimits: OrderLimits;
  /** The names for its orders at the ERP; null before the first answer of the ERP. */
  erpNames: ErpNames | null;
  stops: StopFacts;
  services: readonly ServiceRow[];
  /** Granted rights of the buyer, the earliest first. */
  rights: readonly RightRow[];
  giftsPerOrder: number;
};

const SETTINGS = [
  'guest_language',
  'stoplist_behaviour',
  'stoplist_terminals',
  'quote_minutes',
  'order_send_minutes',
  'guest_order_sum',
  'order_limits',
  'gifts_per_order',
] as const;

type OrganizationKey = Pick<Buyer, 'customerId' | 'phoneDigests' | 'promocode'> & { key: number | string };

/**
 * Of several organizations with one uuid it is the one that guests see; when guests see none, the
 * one that was mirrored last.
 */
const organizationBy = (column: 'organization.id' | 'organization.erpId') =>
  compileOnce((tx, { key, customerId, phoneDigests, promocode }: OrganizationKey) => {
    const { db } = tx;
    const here = sql.ref<number>('organization.id');
    return db
      .selectFrom('mirror_organization as organization')
      .innerJoin('connection', 'connection.id', 'organization.connectionId')
      .leftJoin('served_organization as served', 'served.id', 'organization.id')
      .leftJoin('snapshot', 'snapshot.organizationId', 'organization.id')
      .leftJoin('erp_choices as listed', 'listed.connectionId', 'connection.id')
      .leftJoin('order_sending as chosen', 'chosen.connectionId', 'connection.id')
      .leftJoin('ordering_config as config', 'config.organizationId', 'organization.id')
      .select([
        'organization.id',
        'organization.connectionId',
        'organization.erpId',
        'organization.timeZone as timeZoneOfErp',
        'config.timeZone as ownTimeZone',
        'snapshot.revision as menuRevision',
        'served.id as servedId',
        'connection.status',
        switchFields(sql.ref('organization.raw')).as('switches'),
        'listed.paymentTypes as listedPayments',
        'listed.discountTypes as listedDiscounts',
        'chosen.paymentTypes as chosenPayments',
        'chosen.discountTypeId as chosenDiscount',
        callCenterOf(sql.ref('connection.id')).as('callCenter'),
        nestRows(settingRows(db, SETTINGS)).as('settings'),
        nestRows(stopRows(db, here)).as('stops'),
        nestRows(terminalRows(here)).as('terminals'),
        nestRows(knownTerminals(tx, here)).as('knownTerminals'),
        nestRows(serviceRows).as('services'),
        nestRows(compositionRows(tx)).as('compositionRules'),
        nestRows(discountRows(tx, promocode, customerId)).as('discounts'),
        nestRows(rightRows(phoneDigests, { connectionId: sql.ref('connection.id'), organizationId: here })).as(
          'rights',
        ),
      ])
      .select((eb) =>
        eb
          .exists(
            eb
              .selectFrom('customer_order as earlier')
              .select('earlier.id')
              .where('earlier.customerId', '=', customerId)
              .where('earlier.state', 'not in', ['CANCELLED', 'FAILED']),
          )
          .as('hasOrdered'),
      )
      .orderBy('served.id', (order) => order.desc().nullsLast())
      .orderBy('organization.id', 'desc')
      .limit(1)
      .where(sql<boolean>`${sql.ref(column)} = ${key}`);
  });
const BY_ID = organizationBy('organization.id');
const BY_ERP_ID = organizationBy('organization.erpId');

/** Reads all of that with one statement, undefined when there is no such organization. */
export async function readOrganization(
  tx: Sql,
  by: { id: number } | { erpId: string },
  { customerId, phoneDigests, promocode, timeZone }: Buyer,
): Promise<OrganizationReading | undefined> {
  const whose = { customerId, phoneDigests, promocode };
  const [row] = await ('id' in by ? BY_ID(tx, { key: by.id, ...whose }) : BY_ERP_ID(tx, { key: by.erpId, ...whose }));
  if (row === undefined) return undefined;
  const settings = settingsOf(rowsOf(row.settings), SETTINGS);
  const stops = stopFacts(rowsOf(row.stops), rowsOf(row.terminals), {
    terminals: settings.stoplist_terminals,
  });
  const discounts = rowsOf(row.discounts);
  return {
    id: row.id,
    connectionId: row.connectionId,
    erpId: row.erpId,
    menuRevision: row.menuRevision,
    timeZone: effectiveTimeZone(row.ownTimeZone, row.timeZoneOfErp, timeZone),
    isServed: row.servedId !== null,
    denominationKopecks: organizationSwitches(row.switches).denominationKopecks,
    isErpEnabled: row.status === 'ACTIVE',
    language: requestedLanguage() ?? settings.guest_language,
    behaviour: settings.stoplist_behaviour,
    knownTerminals: rowsOf(row.knownTerminals),
    quoteMinutes: settings.quote_minutes,
    orderSendMinutes: settings.order_send_minutes,
    orderLimits: settings.order_limits,
    guestSumKopecks: settings.guest_order_sum === null ? null : kopecksOf(settings.guest_order_sum),
    erpNames: namesFrom(row.erpId, row),
    stops,
    services: rowsOf(row.services),
    rights: rowsOf(row.rights),
    giftsPerOrder: settings.gifts_per_order,
    compositionRules: compositionRules(rowsOf(row.compositionRules)),
    discounts: discounts.map(offeredDiscount),
    uses: new Map(discounts.flatMap(({ id, uses }) => (uses === null ? [] : [[id, uses]]))),
    customer:
      customerId === null
        ? null
        : {
            hasOrdered: Boolean(row.hasOrdered),
            usedDiscounts: new Set(discounts.filter((discount) => discount.isUsed).map((discount) => discount.id)),
          },
  };
}

/**
 * Discounts that need no code, and the one that this promocode leads this customer to, with how
 * often they have been used.
 */
const discountRows = ({ db }: Sql, promocode: string | null, customerId: string | null) =>
  db
    .selectFrom('discount')
    .leftJoin('promocode', (join) =>
      join
        .onRef('promocode.discountId', '=', 'discount.id')
        .on('promocode.code', '=', promocode)
        .on('promocode.isActive', '=', true)
        .on((eb) => eb('promocode.customerId', 'is', null).or('promocode.customerId', '=', customerId)),
    )
    .select((eb) => [
      'discount.id',
      'discount.code',
      'discount.name',
      'discount.kind',
      'discount.value',
      'discount.minSubtotalKopecks',
      'discount.startsAt',
      'discount.endsAt',
      'discount.weekdays',
      'discount.fromMinute',
      'discount.toMinute',
      'discount.organizationIds',
      'discount.fulfillmentTypes',
      'discount.oncePerCustomer',
      'discount.firstOrderOnly',
      'discount.totalUses',
      'discount.isCombinable as combinable',
      'discount.needsPromocode',
      'promocode.code as promocode',
      eb
        .case()
        .when('discount.totalUses', 'is not', null)
        .then(countedUses(sql.ref('discount.id')))
        .end()
        .as('uses'),
      eb
        .exists(
          eb
            .selectFrom('discount_use as own')
            .select('own.orderId')
            .whereRef('own.discountId', '=', 'discount.id')
            .where('own.customerId', '=', customerId),
        )
        .as('isUsed'),
    ])
    .where('discount.isActive', '=', true)
    .where((eb) => eb('discount.needsPromocode', '=', false).or('promocode.id', 'is not', null))
    .orderBy('discount.id');

type DiscountRow = Omit<OfferedDiscount, 'startsAt' | 'endsAt' | 'isByPromocode' | 'codeWithout'> & {
  startsAt: string | null;
  endsAt: string | null;
  needsPromocode: boolean;
  promocode: string | null;
};

const offeredDiscount = ({ startsAt, endsAt, needsPromocode, promocode, ...row }: DiscountRow): OfferedDiscount => ({
  ...row,
  code: promocode ?? row.code,
  isByPromocode: promocode !== null,
  codeWithout: needsPromocode ? null : row.code,
  startsAt: startsAt === null ? null : Date.parse(startsAt),
  endsAt: endsAt === null ? null : Date.parse(endsAt),
});
