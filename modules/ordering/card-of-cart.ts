import { sql } from 'kysely';
import type { CardKnowledge, CardPlace, ClientCards } from '../gifts/client-cards.ts';
import type { Database } from '../../platform/db/database.ts';
import { isAlive } from './cart-access.ts';
import { momentText } from './cart-view.ts';

/**
 * Looks at the card of a signed-in customer before their cart or checkout is judged, so that a gift that was promised a moment ago is
 * there (rule CMP-43), and returns how well it is known. Nothing is read for others, and nothing that the ERP does or does not say fails the request.
 */
export async function readCardOfCart(
  { db, clientCards }: { db: Database; clientCards: ClientCards },
  caller: { cartId: string | null; customerId: string | null; verifiedPhone: string | null },
): Promise<CardKnowledge> {
  const { cartId, customerId, verifiedPhone } = caller;
  if (customerId === null || verifiedPhone === null) return NOT_READ;
  return clientCards.read(verifiedPhone, () => placeOfCart(db, cartId, customerId));
}

/** For answers about which no card is asked. */
export const NOT_READ: CardKnowledge = { state: 'OFF' };

/** What an answer says when gifts are those of the last known card: when that was read, null for never (rule CMP-66). */
export function ageOfGifts(card: CardKnowledge, timeZone: string): { giftsReadAt?: string | null } {
  if (card.state !== 'LAST_KNOWN') return {};
  return { giftsReadAt: card.readAt === null ? null : momentText(card.readAt.getTime(), timeZone) };
}

/** The restaurant of a cart, or of the customer's own one. */
async function placeOfCart({ db }: Database, cartId: string | null, customerId: string): Promise<CardPlace | null> {
  const place = await db
    .selectFrom('cart')
    .innerJoin('mirror_organization as organization', 'organization.id', 'cart.organizationId')
    .select([
      'organization.id as organizationId',
      'organization.connectionId',
      'organization.erpId as organizationErpId',
    ])
    .where(isAlive)
    .where((eb) => (cartId === null ? eb('cart.customerId', '=', customerId) : eb('cart.id', '=', cartId)))
    .orderBy(sql`cart.updated_at`, 'desc')
    .limit(1)
    .executeTakeFirst();
  return place ?? null;
}
