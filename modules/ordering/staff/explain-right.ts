import type { CompensationExplanation, ExplainedRule } from '../../gifts/schemas/explanation.ts';
import { Problem } from '../../../kernel/problem.ts';
import { chooseGifts, isSameDish } from '../../gifts/rules/choose-gifts.ts';
import { balanceRule } from '../../menus/rules/offers/stops.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import { giftsOf, judgeRight, replacementsFor } from '../../gifts/rights/read-rights.ts';
import { anyOf, type Database, type Sql } from '../../../platform/db/database.ts';
import { findCart, type StoredCart } from '../cart/cart-row.ts';
import { answeredGifts } from '../rules/answered-cart.ts';
import { readOrganization, type OrganizationReading } from '../cart/read-organization.ts';

type Deps = { db: Database; secrets: SecretBox; env: { SYNC_TIME_ZONE: string } };

/**
 * Explains why the gift of a right is in a cart now, or is not: every rule with its inputs (rule
 * CMP-64). Nothing is written. Problem `not-found` for an unknown right or cart.
 */
export function explainRight(
  deps: Deps,
  { id, cartId, now = new Date() }: { id: string; cartId: string; now?: Date },
): Promise<CompensationExplanation> {
  return deps.db.transaction(
    async (tx) => {
      const client = await clientOfRight(tx, id);
      const cart = await findCart(tx, deps, { id: cartId });
      if (cart === undefined) throw new Problem('not-found', { detail: 'The cart does not exist.' });
      const organization = await readOrganization(
        tx,
        { id: cart.organizationId },
        {
          customerId: null,
          phoneDigests: client.phoneDigest === null ? [] : [client.phoneDigest],
          promocode: null,
          timeZone: deps.env.SYNC_TIME_ZONE,
        },
      );
      if (organization === undefined) throw new Error('A cart refers to an organization that does not exist');
      const at = now.getTime();
      const balance = balanceRule(organization.stops, cart.delivery?.terminalGroupErpId ?? null);
      const question = { at, organizationErpId: organization.erpId, organizationId: organization.id, balance };
      const checks = await judgeRight(tx, id, question);
      const gifts = giftsOf(organization.rights, question);
      const place = placeOf(cart, organization, gifts, await replacementsFor(tx, gifts, question), id);
      const existing = await clientOfCart(tx, cart, organization);
      const rules: ExplainedRule[] = [
        ...rulesOfClient(client, organization),
        customerRule(client, cart, existing),
        { rule: 'SERVED', passed: organization.isServed, data: { isServed: organization.isServed } },
        ...checks.map(
          ({ check: rule, passed, data }) => (rule === 'STOP_LIST' ? place.stop : null) ?? { rule, passed, data },
        ),
        choiceOf(cart, id),
        place.turn,
      ];
      return {
        compensationId: id,
        cartId,
        organizationId: organization.erpId,
        checkedAt: now,
        comes: rules.every((rule) => rule.passed),
        rules,
      };
    },
    { oneState: true },
  );
}

type Client = { id: string; connectionId: number; phoneDigest: string | null };

async function clientOfRight({ db }: Sql, id: string): Promise<Client> {
  return db
    .selectFrom('compensation')
    .innerJoin('compensation_client as client', 'client.id', 'compensation.clientId')
    .select(['client.id', 'client.connectionId', 'client.phoneDigest'])
    .where('compensation.id', '=', id)
    .executeTakeFirstOrThrow(() => new Problem('not-found', { detail: 'There is no such right to a gift.' }));
}

function rulesOfClient(client: Client, { connectionId }: OrganizationReading): ExplainedRule[] {
  const data = { ofClient: client.connectionId, ofCart: connectionId };
  return [
    { rule: 'ACCOUNT', passed: client.connectionId === connectionId, data },
    { rule: 'CLIENT_PHONE', passed: client.phoneDigest !== null, data: { isKnown: client.phoneDigest !== null } },
  ];
}

/** A client that matches the customer of a cart, and the kind of match. */
type KnownClient = { id: string; by: 'CART' | 'ORDER' };

/**
 * The phone by which the cart and the gate find a client is only in the token of the customer and
 * is not stored (rule CMP-5). Stored are its results: the client of the gifts in the last answer of
 * the cart, else of the last gift that the customer has ordered in this account.
 */
async function clientOfCart(
  { db }: Sql,
  { customerId, answered }: StoredCart,
  { connectionId }: OrganizationReading,
): Promise<KnownClient | null> {
  if (customerId === null) return null;
  const ofAccount = db
    .selectFrom('compensation')
    .innerJoin('compensation_client as client', 'client.id', 'compensation.clientId')
    .select('client.id')
    .where('client.connectionId', '=', connectionId);
  const shown = await ofAccount
    .where('compensation.id', '=', anyOf(answeredGifts(answered), 'uuid'))
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

/**
 * Met by the customer whose right it is, and by one who was never found as a client: that may be
 * the same person.
 */
function customerRule(client: Client, { customerId }: StoredCart, known: KnownClient | null): ExplainedRule {
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

function choiceOf({ giftChoices }: StoredCart, id: string): ExplainedRule {
  const chosen = giftChoices.find(({ compensationId }) => compensationId === id);
  const { choice = 'INCLUDE', rewardCode = null } = chosen ?? {};
  return { rule: 'CHOICE', passed: choice !== 'POSTPONE', data: { choice, rewardCode } };
}

/**
 * The rules that involve other gifts of the cart, evaluated as for the cart: an earlier promise
 * that is included, or needs a choice, takes a place of the order and its share of the remaining
 * units of its dish. `stop` is null for a right that does not fit the cart.
 */
function placeOf(
  { giftChoices }: StoredCart,
  { giftsPerOrder }: OrganizationReading,
  all: ReturnType<typeof giftsOf>,
  replacements: Awaited<ReturnType<typeof replacementsFor>>,
  id: string,
): { turn: ExplainedRule; stop: ExplainedRule | null } {
  const gifts = all.map((entry) => ({ ...entry, itemId: entry.erpItemId }));
  const at = gifts.findIndex((entry) => entry.id === id);
  const before = gifts.slice(0, at < 0 ? undefined : at);
  const { included, undecided } = chooseGifts(before, giftChoices, giftsPerOrder, replacements);
  const earlier = [...included.map((entry) => entry.id), ...undecided.map((entry) => entry.compensationId)];
  const turn: ExplainedRule = {
    rule: 'TURN',
    passed: earlier.length < giftsPerOrder,
    data: { earlier, giftsPerOrder },
  };
  const gift = gifts[at];
  if (gift === undefined) return { turn, stop: null };
  const left = included.reduce((sum, entry) => (isSameDish(entry, gift) ? sum - entry.quantity : sum), gift.left);
  const chosen = chooseGifts([...before, gift], giftChoices, giftsPerOrder, replacements).included;
  const instead = chosen.find((entry) => entry.id === id && entry.replaces !== null);
  const data = { left: Number.isFinite(left) ? left : null, quantity: gift.quantity };
  return {
    turn,
    stop: {
      rule: 'STOP_LIST',
      passed: instead !== undefined || left >= gift.quantity,
      data: instead === undefined ? data : { ...data, instead: instead.rewardCode },
    },
  };
}
