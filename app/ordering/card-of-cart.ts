import { sql } from 'kysely';
import type { CardPlace, ClientCards } from '../compensation/client-cards.ts';
import type { Database } from '../database.ts';
import { isAlive } from './cart-access.ts';

/**
 * Looks at the card of a signed-in customer before their cart or checkout is judged, so that a gift that was promised a moment ago is
 * there (rule CMP-43). Nothing is read for others, and nothing that the ERP does or does not say fails the request.
 */
export async function readCardOfCart(
  { db, clientCards }: { db: Database; clientCards: ClientCards },
  caller: { cartId: string | null; customerId: string | null; verifiedPhone: string | null },
): Promise<void> {
  const { cartId, customerId, verifiedPhone } = caller;
  if (customerId === null || verifiedPhone === null) return;
  await clientCards.read(verifiedPhone, () => placeOfCart(db, cartId, customerId));
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
