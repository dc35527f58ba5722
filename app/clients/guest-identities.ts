import type { CustomerTokens } from './customer-tokens.ts';

/** Finds the guest behind a request of the storefront API. */
export type GuestIdentities = {
  /** Id of the customer to whom this access token was issued; null when the token is not valid. */
  customerOf: (token: string) => Promise<string | null>;
  /** True when there is such a cart and the caller may use it: anybody one without a customer, a customer only their own. */
  mayUseCart: (cartId: string, customerId: string | null) => Promise<boolean>;
};

/** Customers by the tokens of the configured provider, without one every token is refused; carts by whom ordering says. */
export const guestIdentities = (
  tokens: CustomerTokens | null,
  mayUseCart: GuestIdentities['mayUseCart'],
): GuestIdentities => ({
  customerOf: async (token) => (await tokens?.customerOf(token))?.id ?? null,
  mayUseCart,
});
