export type Actor =
  | { type: 'USER'; userId: number; requestId: string | null }
  | { type: 'SYSTEM'; name: string; requestId: null };

/** Returns the product as an actor, named after the process (`menu-import`). */
export function systemActor(name: string): Actor {
  return { type: 'SYSTEM', name, requestId: null };
}

/** Verified by the access token of this request. */
export type CustomerActor = {
  type: 'CUSTOMER';
  customerId: string;
  /** Null unless the identity provider has verified it. */
  verifiedPhone: string | null;
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

/** The customer of an order, or a caller with the id of a guest's order. */
export type OrderActor = {
  type: 'ORDER';
  orderId: string;
  customerId: string | null;
  /** Null without an access token. */
  tokenExpiresAt: Date | null;
  requestId: string;
};
