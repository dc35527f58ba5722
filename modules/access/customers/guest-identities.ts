import type { Customer, CustomerTokens } from './customer-tokens.ts';

/** Finds the guest behind a request of the storefront API. */
export type GuestIdentities = {
  /** The customer to whom this access token was issued; null when the token is not valid. */
  customerOf: (token: string) => Promise<Customer | null>;
  /** True when there is such a cart and the caller may use it: anybody one without a customer, a customer only their own. */
  mayUseCart: (cartId: string, customerId: string | null) => Promise<boolean>;
  /** The same of an order. */
  mayUseOrder: (orderId: string, customerId: string | null) => Promise<boolean>;
};

/** Customers by the tokens of the configured provider, without one every token is refused; carts and orders by whom ordering says. */
export const guestIdentities = (
  tokens: CustomerTokens | null,
  mayUse: Pick<GuestIdentities, 'mayUseCart' | 'mayUseOrder'>,
): GuestIdentities => ({
  customerOf: async (token) => (await tokens?.customerOf(token)) ?? null,
  ...mayUse,
});
