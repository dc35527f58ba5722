import type { Proofs } from './mutation.ts';

/**
 * Concurrent changes of carts, guessing of promo codes, and cancellations while an order is sent.
 */
export const ORDERING: Proofs = {
  'test/http/ordering/cart.test.ts': {
    'modules/ordering/cart/in-one-state.ts inOneState unwrap retryConflicts': [
      'of many edits of one version one is made',
      'anonymous carts that join one customer are one cart with all their lines',
    ],
    'modules/ordering/cart/in-one-state.ts committed drop oneState:': 'of many edits of one version one is made',
    'kernel/window-count.ts countInWindow drop on conflict': 'after ten codes a cart is rejected with any code',
  },
  'test/integration/access/window-count.test.ts': {
    'kernel/window-count.ts takeBack drop order by':
      'counts and their reversals never deadlock, in any order of the limits',
  },
  'test/workflows/orders-following.test.ts': {
    'modules/ordering/at-erp/follow-order.ts claimDue drop for update':
      'an order that a concurrent check has locked is skipped',
    'modules/ordering/at-erp/follow-order.ts claimDue drop skip locked':
      'an order that a concurrent check has locked is skipped',
  },
  'test/integration/ordering/poll-requests.test.ts': {
    'modules/ordering/polling/order-poll.ts requestPoll drop .onConflict':
      'concurrent webhooks request one poll, and each later poll can be requested again',
  },
  'test/workflows/orders-polling.test.ts': {
    'modules/ordering/polling/order-poll.ts endPoll drop .onConflict':
      'costs one call while an expired revision is unchanged, and misses no later change',
    'modules/ordering/polling/order-poll.ts saveCatchUp drop .onConflict': 'continues where a failed poll has stopped',
    'modules/ordering/at-erp/order-revision.ts saveRevision drop advisory.orderRevision':
      'notices that a gift was removed when both polls end at the same moment',
    'modules/ordering/at-erp/order-revision.ts endRefusal drop advisory.orderRevision':
      'stays rejected when the others were read further while it was answered',
    'modules/ordering/at-erp/order-revision.ts readAgainFrom drop advisory.orderRevision':
      'notices that a gift was removed when both polls end at the same moment',
  },
  'test/workflows/orders-sending.test.ts': {
    'modules/ordering/at-erp/send-order.ts begin drop keepIntake()':
      'an order is not sent if intake is closed before its call starts',
    'modules/ordering/orders/order-row.ts holdOrder drop .forUpdate':
      'an order that is withdrawn while it is being sent is either withdrawn or sent',
    'modules/ordering/orders/not-configured.ts endNotConfigured drop advisory.notConfiguredOrders':
      'is closed when the last two waiting orders end at the same moment',
    'modules/ordering/orders/not-configured.ts tellNotConfigured drop advisory.notConfiguredOrders':
      'remains open if an order begins to wait while the last other one ends',
  },
  'test/http/ordering/admin.test.ts': {
    'modules/ordering/promotions/bulk-promocodes.ts create drop .onConflict':
      'creates each code once, also with concurrent requests, and names the others by row',
  },
  'test/integration/ordering/discount-uses.test.ts': {
    'refusal discount_use_counted': 'gives the last use of a discount to one of several orders',
  },
  'test/integration/ordering/erp-orders.test.ts': {
    'modules/ordering/at-erp/save-erp-orders.ts saveErpOrders drop .onConflict':
      'lead to the latest one in one answer or concurrently',
  },
  'test/http/ordering/order-limits.test.ts': {
    'modules/ordering/checkout/order-limits.ts claimOrder drop advisory.orderLimits':
      'concurrent orders of one phone never exceed the limit',
  },
  'test/http/ordering/gifts.test.ts': {
    'modules/ordering/checkout/write-order.ts writeOrder drop reserveRights()':
      'one of two orders gets the gift; the other is rejected with a preflight without it',
  },
  'test/http/ordering/orders.test.ts': {
    'modules/ordering/cart/in-one-state.ts inOneState unwrap retryConflicts': [
      'race for one cart: there is one order',
      'race for the last use of a promocode: one order has it, the other is rejected',
    ],
    'modules/ordering/checkout/place-order.ts writeUnlessRefused drop keepIntake()':
      'is rejected if intake is closed after its request began and before its transaction',
    'modules/ordering/orders/intake.ts keepIntake drop lock table': [
      'is accepted before intake is closed, because the closing waits for it',
      'is rejected if intake is closed after its request began and before its transaction',
    ],
    'modules/ordering/orders/intake.ts closeIntake drop lock table':
      'is accepted before intake is closed, because the closing waits for it',
    'kernel/idempotency.ts findAnswer false stored': 'race with one key: there is one order and one answer',
    'modules/ordering/checkout/place-order.ts writeUnlessRefused false reasons.length': [
      'race with a stop-list: sold-out dishes are not sold to later orders',
      'race with another price: each costs what its guest has seen, or is rejected',
      'race with the end of their slot: none is for a time at which no orders are taken',
      'race for the last use of a promocode: one order has it, the other is rejected',
    ],
  },
};

/** Busy modes, cached geocoder answers, and duplicate addresses. */
export const FULFILLMENT: Proofs = {
  'test/http/delivery/busy-mode.test.ts': {
    'modules/delivery/busy-mode/busy-mode.ts upsertModes drop on conflict': 'another one replaces the busy mode',
    'modules/delivery/busy-mode/busy-mode-rows.ts lockBusyModes drop advisory.busyMode':
      'the last one applies, and the audit has all in order',
  },
  'test/http/delivery/addresses.test.ts': {
    'kernel/window-count.ts takeInWindow drop on conflict':
      'is shared by all processes and reserves a fifth for order addresses',
    'modules/delivery/addresses/address-search.ts keep drop on conflict':
      'are requested again after their lifetime, and deleted',
    'modules/delivery/addresses/kept-addresses.ts keep drop advisory.addresses':
      'that is posted in concurrent requests is stored once',
  },
};
