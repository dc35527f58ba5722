import { requestedLanguage } from '../../../kernel/guest-language.ts';
import type { DeliverySlots } from '../../delivery/schemas/hours.ts';
import { Problem } from '../../../kernel/problem.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { etaRange } from '../../delivery/rules/eta.ts';
import { GUEST_WORDS } from '../../delivery/rules/guest-words.ts';
import type { FulfillmentType } from '../../delivery/rules/status.ts';
import {
  locateKept,
  type AddressCaller,
  type AddressDeps,
} from '../../delivery/addresses/kept-addresses.ts';
import { dayAnswer, slotStep } from '../../delivery/hours/organization-clock.ts';
import { servePlace } from '../../delivery/zones/resolve-delivery.ts';
import { readSettings } from '../../settings/read-settings.ts';
import { findCart } from '../cart/cart-row.ts';
import { NO_CART } from '../cart/carts.ts';
import { readOrderTime } from './order-time.ts';

/** `at` in ms. */
type Asked = {
  organizationId: number;
  type: FulfillmentType;
  addressId: string | null;
  at: number;
};

/**
 * Returns slots for a cart and an address, with preflight's minutes (rule FUL-42). Problem
 * `not-found`.
 */
export async function personalSlots(
  deps: AddressDeps,
  caller: AddressCaller,
  { addressId, type, ...asked }: Asked,
): Promise<DeliverySlots> {
  const isDelivery = type === 'DELIVERY' && addressId !== null;
  const place = isDelivery
    ? await servePlace(deps, await locateKept(deps, caller, addressId))
    : null;

  return deps.db.prepared.transaction(async (tx) => {
    const productIds = await readProductIds(tx, deps, caller.cartId);
    const order = { ...asked, type, productIds, place, timeZone: deps.env.SYNC_TIME_ZONE };
    const { organization, status, minutes, isServedNow, days } = await readOrderTime(tx, order);
    const language =
      requestedLanguage() ?? (await readSettings(tx, 'guest_language')).guest_language;
    const { accepting } = type === 'DELIVERY' ? status.delivery : status.pickup;

    return {
      asap: {
        available: accepting && isServedNow,
        etaMinutes: minutes,
        etaRange: etaRange(minutes, slotStep(organization.config, type)),
      },
      timedOrdersEnabled: organization.flags.timedOrdersEnabled,
      days: days.map((day) => dayAnswer(day, GUEST_WORDS[language])),
    };
  });
}

async function readProductIds(
  tx: Sql,
  deps: AddressDeps,
  cartId: string | null,
): Promise<number[]> {
  if (cartId === null) return [];
  const cart = await findCart(tx, deps, { id: cartId });
  if (cart === undefined) throw new Problem('not-found', { detail: NO_CART });
  return cart.lines.map((line) => line.productId);
}
