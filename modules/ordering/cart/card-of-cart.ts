import { sql } from 'kysely';
import type { CardKnowledge, CardPlace, ClientCards } from '../../gifts/cards/client-cards.ts';
import type { Database } from '../../../platform/db/database.ts';
import { isAlive } from './cart-access.ts';
import { momentText } from '../../delivery/rules/schedule.ts';

/**
 * Reads the customer's card, so that the cart includes recent promises (rule CMP-43). Does not
 * throw if the ERP fails.
 */
export async function readCardOfCart(
  { db, clientCards }: { db: Database; clientCards: ClientCards },
  caller: { cartId: string | null; customerId: string | null; verifiedPhone: string | null },
  /** Used for customers without a cart. */
  organizationErpId: string | null = null,
): Promise<CardKnowledge> {
  const { cartId, customerId, verifiedPhone } = caller;
  if (customerId === null || verifiedPhone === null) return NOT_READ;

  return clientCards.read(verifiedPhone, () =>
    organizationErpId === null
      ? placeOfCart(db, cartId, customerId)
      : placeWhere(db, { 'organization.erpId': organizationErpId }),
  );
}

/** Starts reading the card without waiting (rule CMP-43). */
export function greetCustomer(
  { db, clientCards }: { db: Database; clientCards: ClientCards },
  { customerId, verifiedPhone }: { customerId: string; verifiedPhone: string | null },
): void {
  if (verifiedPhone === null) return;
  clientCards.greet(
    customerId,
    verifiedPhone,
    async () => (await placeOfCart(db, null, customerId)) ?? (await usualPlace(db, customerId)),
  );
}

async function usualPlace(db: Database, customerId: string): Promise<CardPlace | null> {
  const last = await db.db
    .selectFrom('customer_order')
    .select('organizationId')
    .where('customerId', '=', customerId)
    .orderBy('acceptedAt', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (last !== undefined) return placeWhere(db, { 'organization.id': last.organizationId });

  const accounts = await db.db
    .selectFrom('served_organization')
    .select('connectionId')
    .distinct()
    .limit(2)
    .execute();

  return accounts.length === 1 ? placeWhere(db, {}) : null;
}

async function placeWhere(
  { db }: Database,
  filter: { 'organization.id'?: number; 'organization.erpId'?: string },
): Promise<CardPlace | null> {
  const place = await db
    .selectFrom('served_organization as organization')
    .select([
      'organization.id as organizationId',
      'organization.connectionId',
      'organization.erpId as organizationErpId',
    ])
    .where((eb) => eb.and(filter))
    .orderBy('organization.id')
    .limit(1)
    .executeTakeFirst();

  return place ?? null;
}

export const NOT_READ: CardKnowledge = { state: 'OFF' };

/** `giftsReadAt` is null if the card was never read (rule CMP-66). */
export function ageOfGifts(card: CardKnowledge, timeZone: string): { giftsReadAt?: string | null } {
  if (card.state !== 'LAST_KNOWN') return {};
  return { giftsReadAt: card.readAt === null ? null : momentText(card.readAt.getTime(), timeZone) };
}

async function placeOfCart(
  { db }: Database,
  cartId: string | null,
  customerId: string,
): Promise<CardPlace | null> {
  const place = await db
    .selectFrom('cart')
    .innerJoin('mirror_organization as organization', 'organization.id', 'cart.organizationId')
    .select([
      'organization.id as organizationId',
      'organization.connectionId',
      'organization.erpId as organizationErpId',
    ])
    .where(isAlive)
    .where((eb) =>
      cartId === null ? eb('cart.customerId', '=', customerId) : eb('cart.id', '=', cartId),
    )
    .orderBy(sql`cart.updated_at`, 'desc')
    .limit(1)
    .executeTakeFirst();

  return place ?? null;
}
