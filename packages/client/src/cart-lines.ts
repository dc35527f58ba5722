import type {
  Cart,
  CartLine,
  PostedCart,
  PostedCartLine,
  PostedCartModifier,
} from './generated/public.ts';
import type { Uuid } from './scalars.ts';

/** The server's limit of units per line. */
const MAX_QUANTITY = 99;

/** A line, by default one unit without modifiers. */
export type LineToAdd = {
  variantId: number;
  quantity?: number | undefined;
  modifiers?: PostedCartModifier[] | undefined;
  comment?: string | null | undefined;
};

/**
 * Returns the request of `changeCart` that adds a dish. An equal line gets more units, up to 99.
 * `cart` is the last answer of the server; a guest without a cart passes `{ organizationId }`.
 */
export function withLine(cart: Cart | { organizationId: Uuid }, line: LineToAdd): PostedCart {
  const { variantId, quantity = 1, modifiers = [], comment = null } = line;
  const added: PostedCartLine = { variantId, quantity, modifiers, comment };
  const lines = postedLines(cart);
  const same = lines.findIndex((entry) => serializeContent(entry) === serializeContent(added));
  if (same === -1) return posted(cart, [...lines, added]);

  return posted(
    cart,
    lines.map((entry, at) =>
      at === same ? limitQuantity(entry, entry.quantity + quantity) : entry,
    ),
  );
}

/** Returns the request of `changeCart` that sets the units of a line; 0 removes it. */
export function withQuantity(cart: Cart, lineId: Uuid, quantity: number): PostedCart {
  const lines = postedLines(cart).map((line) =>
    line.lineId === lineId ? limitQuantity(line, quantity) : line,
  );
  return posted(
    cart,
    lines.filter((line) => line.quantity > 0),
  );
}

const limitQuantity = (line: PostedCartLine, quantity: number): PostedCartLine => ({
  ...line,
  quantity: Math.min(quantity, MAX_QUANTITY),
});

function posted(cart: Cart | { organizationId: Uuid }, lines: PostedCartLine[]): PostedCart {
  const { organizationId } = cart;
  return 'cartId' in cart
    ? { cartId: cart.cartId, version: cart.version, organizationId, lines }
    : { organizationId, lines };
}

const postedLines = (cart: Cart | { organizationId: Uuid }): PostedCartLine[] =>
  'lines' in cart ? cart.lines.map(postedLine) : [];

const postedLine = ({
  lineId,
  variantId,
  quantity,
  modifiers,
  comment,
}: CartLine): PostedCartLine => ({
  lineId,
  variantId,
  quantity,
  modifiers: modifiers.map(({ groupId, modifierId, quantity: units }) => ({
    groupId,
    modifierId,
    quantity: units,
  })),
  comment,
});

function serializeContent({ variantId, modifiers, comment }: PostedCartLine): string {
  const units = modifiers.map(
    ({ groupId, modifierId, quantity }) => `${groupId}:${modifierId}:${quantity}`,
  );
  return JSON.stringify([variantId, units.sort(), comment ?? '']);
}
