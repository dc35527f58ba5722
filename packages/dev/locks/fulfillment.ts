import type { Proofs } from './mutation.ts';

/** Delivery: answers of the geocoder that are kept, and addresses that are sent twice. */
export const FULFILLMENT: Proofs = {
  'test/http/delivery/addresses.test.ts': {
    'modules/delivery/addresses/address-search.ts keep drop on conflict':
      'are asked for again after their life, and deleted',
    'modules/delivery/addresses/kept-addresses.ts keepAddress drop advisory.addresses':
      'that is posted many times at once is kept once',
  },
};
