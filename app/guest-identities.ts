import { Problem } from '../contracts/problem.ts';

/** Finds the guest behind a request of the storefront API. Its methods are declared here; ordering implements them. */
export type GuestIdentities = {
  /** Id of the customer to whom this access token was issued; null when the token is not valid. */
  customerOf: (token: string) => Promise<string | null>;
  /** True when there is such a cart and the caller may use it: anybody one without a customer, a customer only their own. */
  mayUseCart: (cartId: string, customerId: string | null) => Promise<boolean>;
};

/** While there are neither customers nor carts: every token and every cart is refused. */
export const NO_GUESTS: GuestIdentities = {
  customerOf: async () => null,
  mayUseCart: async () => {
    throw new Problem('unauthorized', { detail: 'There are no carts yet.' });
  },
};
