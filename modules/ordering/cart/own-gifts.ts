import { Problem } from '../../../kernel/problem.ts';
import type { ClientCards } from '../../gifts/cards/client-cards.ts';
import { phoneDigests } from '../../gifts/clients/clients.ts';
import { listGifts } from '../../gifts/rights/read-rights.ts';
import { balanceRule } from '../../menus/rules/offers/stops.ts';
import { ageOfGifts, NOT_READ, readCardOfCart } from './card-of-cart.ts';
import { momentText } from '../../delivery/rules/schedule.ts';
import type { CartDeps } from './carts.ts';
import { readOrganization } from './read-organization.ts';
import type { OwnGifts } from '../schemas/cart.ts';

const MOST_GIFTS = 100;

/**
 * Reads the card, then returns gifts, earliest first (rule CMP-106). Empty without a verified
 * phone. Problem `not-found`.
 */
export async function ownGifts(
  deps: CartDeps & { clientCards: ClientCards },
  { customerId, verifiedPhone }: { customerId: string; verifiedPhone: string | null },
  organizationErpId: string,
  now: Date,
): Promise<OwnGifts> {
  const caller = { cartId: null, customerId, verifiedPhone };
  const card =
    verifiedPhone === null ? NOT_READ : await readCardOfCart(deps, caller, organizationErpId);
  const digests = verifiedPhone === null ? [] : phoneDigests(deps, verifiedPhone);
  const buyer = {
    customerId: null,
    phoneDigests: digests,
    promocode: null,
    timeZone: deps.env.SYNC_TIME_ZONE,
  };

  const organization = await readOrganization(deps.db, { erpId: organizationErpId }, buyer);
  if (organization?.isServed !== true)
    throw new Problem('not-found', { detail: 'No such organization.' });
  const question = {
    organizationErpId,
    at: now.getTime(),
    balance: balanceRule(organization.stops),
  };
  const gifts = listGifts(organization.rights, question).slice(0, MOST_GIFTS);

  return {
    gifts: gifts.map(({ id, rewardCode, name, quantity, image, expiresAt, available }) => ({
      id,
      rewardCode,
      name,
      quantity,
      price: 0,
      image,
      expiresAt: expiresAt === null ? null : momentText(expiresAt.getTime(), organization.timeZone),
      available,
    })),
    ...ageOfGifts(card, organization.timeZone),
  };
}
