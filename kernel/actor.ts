/**
 * The one who does something: a signed-in member of staff, or the product itself. It is written
 * into every audit row.
 */
export type Actor =
  | { type: 'USER'; userId: number; requestId: string | null }
  | { type: 'SYSTEM'; name: string; requestId: null };

/** The product acting on its own, named after the process that acts, for example `menu-import`. */
export function systemActor(name: string): Actor {
  return { type: 'SYSTEM', name, requestId: null };
}

/** A customer whose access token was verified for this request. */
export type CustomerActor = {
  type: 'CUSTOMER';
  customerId: string;
  /** Null unless the provider of customers vouches for it. */
  verifiedPhone: string | null;
  /** The name of the customer at that provider; null where it gives none. */
  name: string | null;
  tokenExpiresAt: Date;
  requestId: string;
};

/**
 * The owner of a cart, identified by its secret id; `customerId` is null for a guest who has not
 * signed in.
 */
export type CartActor = {
  type: 'CART';
  cartId: string;
  customerId: string | null;
  verifiedPhone: string | null;
  name: string | null;
  requestId: string;
};

/**
 * A caller who may see an order: its customer, or, for the order of a guest, a caller with its id.
 */
export type OrderActor = {
  type: 'ORDER';
  orderId: string;
  customerId: string | null;
  /** The end of the access token; null for a caller without one. */
  tokenExpiresAt: Date | null;
  requestId: string;
};
