import type { CompensationExplanation, ExplainedRule } from '../../gifts/schemas/explanation.ts';
import { Problem } from '../../../kernel/problem.ts';
import { staffText } from '../../../kernel/staff-text.ts';
import { chooseGifts, isSameDish } from '../../gifts/rules/choose-gifts.ts';
import { balanceRule } from '../../menus/rules/offers/stops.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import { judgeRight, listGifts, replacementsFor } from '../../gifts/rights/read-rights.ts';
import { anyOf, type Database, type Sql } from '../../../platform/db/database.ts';
import { findCart, type StoredCart } from '../cart/cart-row.ts';
import { answeredGifts } from '../rules/answered-cart.ts';
import { sql } from 'kysely';
import { NO_ORDER } from '../orders/order-view.ts';
import { readOrganization, type OrganizationReading } from '../cart/read-organization.ts';

type Deps = { db: Database; secrets: SecretBox; env: { SYNC_TIME_ZONE: string } };

/** Without any of these, only rules about the right apply. */
export type ExplainedFor = { cartId?: string; orderId?: string; organizationId?: number };

/** Returns every rule with its input (rules CMP-64, CMP-132). Problem `not-found`. */
export function explainRight(
  deps: Deps,
  { id, now = new Date(), ...subject }: { id: string; now?: Date } & ExplainedFor,
): Promise<CompensationExplanation> {
  return deps.db.transaction(
    async (tx) => {
      const client = await clientOfRight(tx, id);
      const place = await findPlace(tx, deps, subject);
      const names = {
        compensationId: id,
        cartId: subject.cartId ?? null,
        orderId: subject.orderId ?? null,
      };

      const { organizationId, rules } =
        place === null
          ? { organizationId: null, rules: await rulesOfRight(tx, client, { id, now }) }
          : await rulesInPlace(tx, deps, { client, place, id, now });

      return {
        ...names,
        organizationId,
        checkedAt: now,
        comes: rules.every((rule) => rule.passed),
        rules: rules.map(inWords),
      };
    },
    { oneState: true },
  );
}

/** Uses the staff's language (rule HTTP-110). */
function inWords(judged: ExplainedRule): CompensationExplanation['rules'][number] {
  const { rule, passed, data } = judged;
  const giftsPerOrder = Number(data['giftsPerOrder'] ?? 0);

  return {
    ...judged,
    sentence: staffText(`gift.${rule}.${passed ? 'met' : 'unmet'}`, { giftsPerOrder }),
  };
}

/** `owner` is null for a restaurant. */
type Place = {
  organizationId: number;
  terminalGroupErpId: string | null;
  owner: Owner | null;
  giftChoices: StoredCart['giftChoices'] | null;
};

async function findPlace(
  tx: Sql,
  deps: Deps,
  { cartId, orderId, organizationId }: ExplainedFor,
): Promise<Place | null> {
  if (cartId !== undefined) {
    const cart = await findCart(tx, deps, { id: cartId });
    if (cart === undefined) throw new Problem('not-found', { detail: 'The cart does not exist.' });
    const { giftChoices, delivery } = cart;
    const terminalGroupErpId = delivery?.terminalGroupErpId ?? null;
    return { organizationId: cart.organizationId, terminalGroupErpId, owner: cart, giftChoices };
  }

  if (orderId !== undefined) {
    const { customerId, ...order } = await placeOfOrder(tx, orderId);
    return { ...order, owner: { customerId, answered: null }, giftChoices: null };
  }

  return organizationId === undefined
    ? null
    : { organizationId, terminalGroupErpId: null, owner: null, giftChoices: null };
}

/** Returns no customer for other channels, because the ERP does not report our customers. */
function placeOfOrder({ db }: Sql, orderId: string) {
  return db
    .selectFrom('customer_order')
    .select(['organizationId', 'terminalGroupErpId', 'customerId'])
    .where('id', '=', orderId)
    .unionAll(
      db
        .selectFrom('erp_order')
        .select(['organizationId', sql<string | null>`null::uuid`.as('terminalGroupErpId')])
        .select(sql<string | null>`null::text`.as('customerId'))
        .where('id', '=', orderId)
        .where('movedTo', 'is', null),
    )
    .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: NO_ORDER }));
}

/** Rules that do not depend on the restaurant. */
const OF_RIGHT: ReadonlySet<string> = new Set(['STATUS', 'TERM', 'REWARD_ACTIVE']);

async function rulesOfRight(
  tx: Sql,
  client: Client,
  { id, now }: { id: string; now: Date },
): Promise<ExplainedRule[]> {
  const nowhere = { organizationErpId: '', organizationId: 0, balance: () => Infinity };
  const checks = await judgeRight(tx, id, { at: now.getTime(), ...nowhere });

  return [
    phoneRule(client),
    ...checks.flatMap(({ check: rule, passed, data }) =>
      OF_RIGHT.has(rule) ? [{ rule, passed, data }] : [],
    ),
  ];
}

async function rulesInPlace(
  tx: Sql,
  deps: Deps,
  { client, place, id, now }: { client: Client; place: Place; id: string; now: Date },
): Promise<{ organizationId: number; rules: ExplainedRule[] }> {
  const organization = await readOrganization(
    tx,
    { id: place.organizationId },
    {
      customerId: null,
      phoneDigests: client.phoneDigest === null ? [] : [client.phoneDigest],
      promocode: null,
      timeZone: deps.env.SYNC_TIME_ZONE,
    },
  );
  if (organization === undefined)
    throw new Problem('not-found', { detail: 'No such organization.' });

  const balance = balanceRule(organization.stops, place.terminalGroupErpId);
  const at = now.getTime();
  const question = {
    at,
    organizationErpId: organization.erpId,
    organizationId: organization.id,
    balance,
  };

  const checks = await judgeRight(tx, id, question);
  const gifts = listGifts(organization.rights, question);
  const choices = place.giftChoices ?? [];
  const others = othersIn(
    choices,
    organization,
    gifts,
    await replacementsFor(tx, gifts, question),
    id,
  );

  const known = place.owner === null ? null : await clientOfOwner(tx, place.owner, organization);

  return {
    organizationId: organization.id,
    rules: [
      ...rulesOfClient(client, organization),
      ...(place.owner === null ? [] : [customerRule(client, place.owner, known)]),
      { rule: 'SERVED', passed: organization.isServed, data: { isServed: organization.isServed } },
      ...checks.map(
        ({ check: rule, passed, data }) =>
          (rule === 'STOP_LIST' ? others.stop : null) ?? { rule, passed, data },
      ),
      ...(place.giftChoices === null ? [] : [explainChoice(place.giftChoices, id)]),
      others.turn,
    ],
  };
}

type Client = { id: string; connectionId: number; phoneDigest: string | null };

async function clientOfRight({ db }: Sql, id: string): Promise<Client> {
  return db
    .selectFrom('compensation')
    .innerJoin('compensation_client as client', 'client.id', 'compensation.clientId')
    .select(['client.id', 'client.connectionId', 'client.phoneDigest'])
    .where('compensation.id', '=', id)
    .executeTakeFirstOrThrow(
      () => new Problem('not-found', { detail: 'There is no such right to a gift.' }),
    );
}

function rulesOfClient(client: Client, { connectionId }: OrganizationReading): ExplainedRule[] {
  const data = { ofClient: client.connectionId, ofCart: connectionId };
  return [
    { rule: 'ACCOUNT', passed: client.connectionId === connectionId, data },
    phoneRule(client),
  ];
}

function phoneRule({ phoneDigest }: Client): ExplainedRule {
  return {
    rule: 'CLIENT_PHONE',
    passed: phoneDigest !== null,
    data: { isKnown: phoneDigest !== null },
  };
}

type Owner = Pick<StoredCart, 'customerId'> & { answered: string | null };

type KnownClient = { id: string; by: 'CART' | 'ORDER' };

/**
 * Finds the client by the cart's gifts, or else by the last gift ordered in this account, because
 * phones are only in tokens (rule CMP-5).
 */
async function clientOfOwner(
  { db }: Sql,
  { customerId, answered }: Owner,
  { connectionId }: OrganizationReading,
): Promise<KnownClient | null> {
  if (customerId === null) return null;
  const ofAccount = db
    .selectFrom('compensation')
    .innerJoin('compensation_client as client', 'client.id', 'compensation.clientId')
    .select('client.id')
    .where('client.connectionId', '=', connectionId);

  const shown = await ofAccount
    .where('compensation.id', '=', anyOf(answered === null ? [] : answeredGifts(answered), 'uuid'))
    .limit(1)
    .executeTakeFirst();
  if (shown !== undefined) return { id: shown.id, by: 'CART' };

  const ordered = await ofAccount
    .innerJoin('compensation_move as move', 'move.compensationId', 'compensation.id')
    .innerJoin('customer_order as order', 'order.id', 'move.orderId')
    .where('order.customerId', '=', customerId)
    .where('move.move', '=', 'RESERVE')
    .orderBy('move.at', 'desc')
    .limit(1)
    .executeTakeFirst();

  return ordered === undefined ? null : { id: ordered.id, by: 'ORDER' };
}

/** The right may belong to a customer without a client. */
function customerRule(
  client: Client,
  { customerId }: Owner,
  known: KnownClient | null,
): ExplainedRule {
  return {
    rule: 'CUSTOMER',
    passed: customerId !== null && (known === null || known.id === client.id),
    data: {
      hasCustomer: customerId !== null,
      ofRight: client.id,
      ofCart: known?.id ?? null,
      foundBy: known?.by ?? null,
    },
  };
}

function explainChoice(giftChoices: StoredCart['giftChoices'], id: string): ExplainedRule {
  const chosen = giftChoices.find(({ compensationId }) => compensationId === id);
  const { choice = 'INCLUDE', rewardCode = null } = chosen ?? {};
  return { rule: 'CHOICE', passed: choice !== 'POSTPONE', data: { choice, rewardCode } };
}

/**
 * Evaluates earlier gifts, which use up the limit and the stock. `stop` is null for a right that
 * does not apply.
 */
function othersIn(
  giftChoices: StoredCart['giftChoices'],
  { giftsPerOrder }: OrganizationReading,
  all: ReturnType<typeof listGifts>,
  replacements: Awaited<ReturnType<typeof replacementsFor>>,
  id: string,
): { turn: ExplainedRule; stop: ExplainedRule | null } {
  const gifts = all.map((entry) => ({ ...entry, itemId: entry.erpItemId }));
  const at = gifts.findIndex((entry) => entry.id === id);
  const before = gifts.slice(0, at < 0 ? undefined : at);
  const { included, undecided } = chooseGifts(before, giftChoices, giftsPerOrder, replacements);
  const earlier = [
    ...included.map((entry) => entry.id),
    ...undecided.map((entry) => entry.compensationId),
  ];

  const turn: ExplainedRule = {
    rule: 'TURN',
    passed: earlier.length < giftsPerOrder,
    data: { earlier, giftsPerOrder },
  };

  const gift = gifts[at];
  if (gift === undefined) return { turn, stop: null };
  const stock = included.reduce(
    (sum, entry) => (isSameDish(entry, gift) ? sum - entry.quantity : sum),
    gift.left,
  );

  const chosen = chooseGifts([...before, gift], giftChoices, giftsPerOrder, replacements).included;
  const instead = chosen.find((entry) => entry.id === id && entry.replaces !== null);
  const data = { left: Number.isFinite(stock) ? stock : null, quantity: gift.quantity };

  return {
    turn,
    stop: {
      rule: 'STOP_LIST',
      passed: instead !== undefined || stock >= gift.quantity,
      data: instead === undefined ? data : { ...data, instead: instead.rewardCode },
    },
  };
}
