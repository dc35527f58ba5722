/** A staff member or the product itself, as recorded in the audit. */
export type Actor =
  | { type: 'USER'; userId: number; requestId: string | null }
  | { type: 'SYSTEM'; name: string; requestId: null };

/** Returns the product as an actor, named after the process, such as `menu-import`. */
export function systemActor(name: string): Actor {
  return { type: 'SYSTEM', name, requestId: null };
}

/** A customer whose access token was verified for this request. */
export type CustomerActor = {
  type: 'CUSTOMER';
  customerId: string;
  /** Null unless the identity provider has verified it. */
  verifiedPhone: string | null;
  /** Null if the identity provider has none. */
  name: string | null;
  tokenExpiresAt: Date;
  requestId: string;
};

/** The owner of a cart by its secret id. `customerId` is null for guests. */
export type CartActor = {
  type: 'CART';
  cartId: string;
  customerId: string | null;
  verifiedPhone: string | null;
  name: string | null;
  requestId: string;
};

/** A caller who may see an order: its customer, or a caller with the id of a guest's order. */
export type OrderActor = {
  type: 'ORDER';
  orderId: string;
  customerId: string | null;
  /** Expiry of the access token, null without one. */
  tokenExpiresAt: Date | null;
  requestId: string;
};
