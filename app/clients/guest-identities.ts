import { Problem } from '../../contracts/problem.ts';
import type { CustomerTokens } from './customer-tokens.ts';

/** Finds the guest behind a request of the storefront API. Ordering adds the carts. */
export type GuestIdentities = {
  /** Id of the customer to whom this access token was issued; null when the token is not valid. */
  customerOf: (token: string) => Promise<string | null>;
  /** True when there is such a cart and the caller may use it: anybody one without a customer, a customer only their own. */
  mayUseCart: (cartId: string, customerId: string | null) => Promise<boolean>;
};

/**
 * Customers by the tokens of the configured provider; without one every token is refused. There are no carts yet, so every cart is
 * refused.
 */
export const guestIdentities = (tokens: CustomerTokens | null): GuestIdentities => ({
  customerOf: async (token) => (await tokens?.customerOf(token))?.id ?? null,
  mayUseCart: async () => {
    throw new Problem('unauthorized', { detail: 'There are no carts yet.' });
  },
});
