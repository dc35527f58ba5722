import { requestedLanguage } from '../../../kernel/guest-language.ts';
import { sql, type RawBuilder } from 'kysely';
import type { Sql } from '../../../platform/db/database.ts';
import { toKopecks } from '../../../kernel/pure/money.ts';
import { compileOnce } from '../../../platform/db/compile-once.ts';
import {
  nestRows,
  unnestRows,
  type AsJson,
  type NestedRows,
} from '../../../platform/db/nested-rows.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import type { ErpNames } from '../../delivery/rules/erp-names.ts';
import type { StopFacts } from '../../menus/rules/offers/facts.ts';
import type { CartFacts, OfferedDiscount } from '../rules/cart-facts.ts';
import { rightRows, type RightRow } from '../../gifts/rights/read-rights.ts';
import { namesFrom, selectCallCenter } from '../../delivery/configuration/erp-choices.ts';
import { effectiveTimeZone } from '../../delivery/configuration/ordering-config.ts';
import { organizationSwitches } from '../../mirror/rules/organization-switches.ts';
import { switchFields } from '../../mirror/switch-fields.ts';
import { terminalRows } from '../../mirror/terminals.ts';
import { stopFacts, stopRows } from '../../menus/offers/read-stops.ts';
import type { OrderLimits } from '../../settings/schemas/settings.ts';
import { settingRows, toSettings } from '../../settings/read-settings.ts';
import {
  cartRows,
  noCart,
  organizationNow,
  storedCart,
  type CartRow,
  type StoredCart,
} from './cart-row.ts';
import { countedUses } from '../promotions/discount-uses.ts';
import { quoteRows, type Quote } from '../checkout/quotes.ts';
import { unfinished } from '../orders/intake.ts';
import { knownTerminals, type KnownTerminal } from './terminal-alive.ts';
import {
  compositionRows,
  compositionRules,
  serviceRows,
  type ServiceRow,
} from '../promotions/read-services.ts';

export type Buyer = {
  customerId: string | null;
  phoneDigests: readonly string[];
  promocode: string | null;
  timeZone: string;
};

export type OrganizationReading = Pick<
  CartFacts,
  'discounts' | 'uses' | 'customer' | 'compositionRules'
> & {
  id: number;
  connectionId: number;
  erpId: string;
  menuRevision: number | null;
  /** See `MenuState`. */
  menuMark: string | null;
  timeZone: string;
  isServed: boolean;
  denominationKopecks: number;
  isErpEnabled: boolean;
  language: 'RU' | 'EN';
  behavior: 'SHOW' | 'HIDE';
  knownTerminals: readonly KnownTerminal[];
  quoteMinutes: number;
  orderSendMinutes: number;
  /** Null means no limit. */
  guestSumKopecks: number | null;
  orderLimits: OrderLimits;
  /** Null before the first response of the ERP. */
  erpNames: ErpNames | null;
  stops: StopFacts;
  services: readonly ServiceRow[];
  /** Earliest first. */
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

type Parts = {
  organization: RawBuilder<boolean>;
  cart: RawBuilder<NestedRows<AsJson<CartRow>>>;
  quote: RawBuilder<NestedRows<AsJson<Quote>>>;
  customerId: RawBuilder<string | null>;
  promocode: RawBuilder<string | null>;
  phoneDigests: readonly string[];
};

/** Selects the served organization, or else the newest with this ERP id. */
const statementFor = (
  tx: Sql,
  { organization, cart, quote, customerId, promocode, phoneDigests }: Parts,
) => {
  const { db } = tx;
  const here = sql.ref<number>('organization.id');

  return db
    .selectFrom('mirror_organization as organization')
    .innerJoin('connection', 'connection.id', 'organization.connectionId')
    .leftJoin('served_organization as served', 'served.id', 'organization.id')
    .leftJoin('snapshot', 'snapshot.organizationId', 'organization.id')
    .leftJoin('snapshot_request as request', 'request.organizationId', 'organization.id')
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
      // Contains the time, because a restored database repeats the sequence.
      sql<string | null>`request.dirty_seq || ' ' || coalesce(request.dirty_at::text, '')`.as(
        'menuMark',
      ),
      'served.id as servedId',
      'connection.status',
      switchFields(sql.ref('organization.raw')).as('switches'),
      'listed.paymentTypes as listedPayments',
      'listed.discountTypes as listedDiscounts',
      'chosen.paymentTypes as chosenPayments',
      'chosen.discountTypeId as chosenDiscount',
      selectCallCenter(sql.ref('connection.id')).as('callCenter'),
      cart.as('cart'),
      quote.as('quote'),
      nestRows(settingRows(db, SETTINGS)).as('settings'),
      nestRows(stopRows(db, here)).as('stops'),
      nestRows(terminalRows(here)).as('terminals'),
      nestRows(knownTerminals(tx, here)).as('knownTerminals'),
      nestRows(serviceRows).as('services'),
      nestRows(compositionRows(tx)).as('compositionRules'),
      nestRows(discountRows(tx, promocode, customerId)).as('discounts'),
      nestRows(
        rightRows(phoneDigests, { connectionId: sql.ref('connection.id'), organizationId: here }),
      ).as('rights'),
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
    .select((eb) => eb.exists(unfinished(db)).as('isIntakeClosed'))
    .orderBy('served.id', (order) => order.desc().nullsLast())
    .orderBy('organization.id', 'desc')
    .limit(1)
    .where(organization);
};

type Known = Pick<Buyer, 'customerId' | 'phoneDigests' | 'promocode'>;
const noQuote = sql<NestedRows<AsJson<Quote>>>`'[]'::json`;

const known = ({ customerId, phoneDigests, promocode }: Known) => ({
  cart: noCart,
  quote: noQuote,
  customerId: sql<string | null>`${customerId}`,
  promocode: sql<string | null>`${promocode}`,
  phoneDigests,
});

const BY_ID = compileOnce((tx, { id, ...buyer }: Known & { id: number }) =>
  statementFor(tx, { ...known(buyer), organization: sql`organization.id = ${id}` }),
);
const BY_ERP_ID = compileOnce((tx, { erpId, ...buyer }: Known & { erpId: string }) =>
  statementFor(tx, { ...known(buyer), organization: sql`organization.erp_id = ${erpId}` }),
);
type OfCart = Omit<Known, 'promocode'> & { cartId: string };

const ofCart = (tx: Sql, { cartId, customerId, phoneDigests }: OfCart) => ({
  cart: nestRows(cartRows(tx, cartId)),
  quote: noQuote,
  customerId: sql<
    string | null
  >`coalesce((select cart.customer_id from cart where cart.id = ${cartId}), ${customerId})`,
  promocode: sql<string | null>`(select cart.promocode from cart where cart.id = ${cartId})`,
  phoneDigests,
});

const WHERE_IT_IS = compileOnce((tx, of: OfCart & { quoteId: string | null }) =>
  statementFor(tx, {
    ...ofCart(tx, of),
    quote: nestRows(quoteRows(tx, of.cartId, of.quoteId)),
    organization: sql`organization.id = (select ${organizationNow('cart.organization_id')} from cart where cart.id = ${of.cartId})`,
  }),
);

const WHERE_IT_GOES = compileOnce((tx, { erpId, keeps, promocode, ...of }: OfCart & PostedTo) => {
  const parts = ofCart(tx, of);
  return statementFor(tx, {
    ...parts,
    organization: sql`organization.erp_id = ${erpId}`,
    promocode: sql`case when ${keeps}::boolean then ${parts.promocode} else ${promocode}::text end`,
  });
});

type PostedTo = { erpId: string; keeps: boolean; promocode: string | null };

/** Uses one statement. Undefined if the organization does not exist. */
export async function readOrganization(
  tx: Sql,
  by: { id: number } | { erpId: string },
  { customerId, phoneDigests, promocode, timeZone }: Buyer,
): Promise<OrganizationReading | undefined> {
  const whose = { customerId, phoneDigests, promocode };
  const [row] = await ('id' in by
    ? BY_ID(tx, { id: by.id, ...whose })
    : BY_ERP_ID(tx, { erpId: by.erpId, ...whose }));
  return row === undefined ? undefined : toReading(row, timeZone, customerId);
}

/**
 * Reads a cart and its organization, or the organization in `to`, with one statement. Undefined if
 * either is missing. `customerId` is used for a cart without a customer.
 */
export async function readCartAndOrganization(
  tx: Sql,
  deps: { secrets: SecretBox },
  cartId: string,
  { customerId, phoneDigests, timeZone }: Omit<Buyer, 'promocode'>,
  to: { erpId: string; promocode: string | null | undefined } | { quoteId: string | null } = {
    quoteId: null,
  },
): Promise<CartAndOrganization | undefined> {
  const of = { cartId, customerId, phoneDigests };
  const [row] = await ('quoteId' in to
    ? WHERE_IT_IS(tx, { ...of, ...to })
    : WHERE_IT_GOES(tx, {
        ...of,
        erpId: to.erpId,
        keeps: to.promocode === undefined,
        promocode: to.promocode ?? null,
      }));

  const [cart] = row === undefined ? [] : unnestRows(row.cart);
  if (row === undefined || cart === undefined) return undefined;

  const stored = storedCart(deps, { ...cart, updatedAt: new Date(cart.updatedAt) });
  const [quote] = unnestRows(row.quote);

  return {
    stored,
    organization: toReading(row, timeZone, stored.customerId ?? customerId),
    quote: quote === undefined ? null : { ...quote, validUntil: new Date(quote.validUntil) },
    isIntakeClosed: Boolean(row.isIntakeClosed),
  };
}

type CartAndOrganization = {
  stored: StoredCart;
  organization: OrganizationReading;
  quote: Quote | null;
  isIntakeClosed: boolean;
};

type OrganizationRow = Awaited<ReturnType<typeof BY_ID>>[number];

function toReading(
  row: OrganizationRow,
  timeZone: string,
  customerId: string | null,
): OrganizationReading {
  const settings = toSettings(unnestRows(row.settings), SETTINGS);
  const stops = stopFacts(unnestRows(row.stops), unnestRows(row.terminals), {
    terminals: settings.stoplist_terminals,
  });
  const discounts = unnestRows(row.discounts);

  return {
    id: row.id,
    connectionId: row.connectionId,
    erpId: row.erpId,
    menuRevision: row.menuRevision,
    menuMark: row.menuMark,
    timeZone: effectiveTimeZone(row.ownTimeZone, row.timeZoneOfErp, timeZone),
    isServed: row.servedId !== null,
    denominationKopecks: organizationSwitches(row.switches).denominationKopecks,
    isErpEnabled: row.status === 'ACTIVE',
    language: requestedLanguage() ?? settings.guest_language,
    behavior: settings.stoplist_behaviour,
    knownTerminals: unnestRows(row.knownTerminals),
    quoteMinutes: settings.quote_minutes,
    orderSendMinutes: settings.order_send_minutes,
    orderLimits: settings.order_limits,
    guestSumKopecks: settings.guest_order_sum === null ? null : toKopecks(settings.guest_order_sum),
    erpNames: namesFrom(row.erpId, row),
    stops,
    services: unnestRows(row.services),
    rights: unnestRows(row.rights),
    giftsPerOrder: settings.gifts_per_order,
    compositionRules: compositionRules(unnestRows(row.compositionRules)),
    discounts: discounts.map(offeredDiscount),
    uses: new Map(discounts.flatMap(({ id, uses }) => (uses === null ? [] : [[id, uses]]))),
    customer:
      customerId === null
        ? null
        : {
            hasOrdered: Boolean(row.hasOrdered),
            usedDiscounts: new Set(
              discounts.filter((discount) => discount.isUsed).map((discount) => discount.id),
            ),
          },
  };
}

const discountRows = (
  { db }: Sql,
  promocode: RawBuilder<string | null>,
  customerId: RawBuilder<string | null>,
) =>
  db
    .selectFrom('discount')
    .leftJoin('promocode', (join) =>
      join
        .onRef('promocode.discountId', '=', 'discount.id')
        .on('promocode.code', '=', promocode)
        .on('promocode.isActive', '=', true)
        .on((eb) =>
          eb('promocode.customerId', 'is', null).or('promocode.customerId', '=', customerId),
        ),
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

type DiscountRow = Omit<
  OfferedDiscount,
  'startsAt' | 'endsAt' | 'isByPromocode' | 'codeWithout'
> & {
  startsAt: string | null;
  endsAt: string | null;
  needsPromocode: boolean;
  promocode: string | null;
};

const offeredDiscount = ({
  startsAt,
  endsAt,
  needsPromocode,
  promocode,
  ...row
}: DiscountRow): OfferedDiscount => ({
  ...row,
  code: promocode ?? row.code,
  isByPromocode: promocode !== null,
  codeWithout: needsPromocode ? null : row.code,
  startsAt: startsAt === null ? null : Date.parse(startsAt),
  endsAt: endsAt === null ? null : Date.parse(endsAt),
});
