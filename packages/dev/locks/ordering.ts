import type { Proofs } from './mutation.ts';

export const ORDERING: Proofs = {
  'test/http/ordering/cart.test.ts': {
    'modules/ordering/cart/in-one-state.ts inOneState unwrap retryConflicts': [
      'change it once with one version',
      'merge anonymous carts into one cart of the customer with all lines',
    ],
    'modules/ordering/cart/in-one-state.ts committed drop oneState:':
      'change it once with one version',
    'kernel/window-count.ts countInWindow drop on conflict':
      'cannot be guessed, because a cart is rejected with any code after ten codes',
  },
  'test/integration/access/window-count.test.ts': {
    'kernel/window-count.ts takeBack drop order by':
      'counts and their reversals never deadlock, in any order of the limits',
  },
  'test/workflows/orders-following.test.ts': {
    'modules/ordering/at-erp/follow-order.ts claimDue drop for update':
      'skips an order that a concurrent check has locked',
    'modules/ordering/at-erp/follow-order.ts claimDue drop skip locked':
      'skips an order that a concurrent check has locked',
  },
  'test/integration/ordering/poll-requests.test.ts': {
    'modules/ordering/polling/order-poll.ts requestPoll drop .onConflict':
      'concurrent webhooks request one poll, and each later poll can be requested again',
  },
  'test/workflows/orders-polling.test.ts': {
    'modules/ordering/polling/order-poll.ts endPoll drop .onConflict':
      'makes one call while an expired revision is unchanged, and misses no later change',
    'modules/ordering/polling/order-poll.ts saveCatchUp drop .onConflict':
      'resumes at the position of a failed poll',
    'modules/ordering/at-erp/order-revision.ts saveRevision drop advisory.orderRevision':
      'notices that a gift was removed when both polls end at the same moment',
    'modules/ordering/at-erp/order-revision.ts endRefusal drop advisory.orderRevision':
      'stays rejected if the others were read further during its request',
    'modules/ordering/at-erp/order-revision.ts readAgainFrom drop advisory.orderRevision':
      'notices that a gift was removed when both polls end at the same moment',
  },
  'test/workflows/orders-sending.test.ts': {
    'modules/ordering/at-erp/send-order.ts begin drop keepIntake()':
      'an order is not sent if intake closes before the call starts',
    'modules/ordering/orders/order-row.ts holdOrder drop .forUpdate':
      'an order withdrawn during its sending ends either withdrawn or sent',
    'modules/ordering/orders/not-configured.ts endNotConfigured drop advisory.notConfiguredOrders':
      'closes when the last two waiting orders end at the same moment',
    'modules/ordering/orders/not-configured.ts tellNotConfigured drop advisory.notConfiguredOrders':
      'remains open if an order begins to wait while the last other one ends',
  },
  'test/http/ordering/admin.test.ts': {
    'modules/ordering/promotions/bulk-promocodes.ts create drop .onConflict':
      'creates each code once, also concurrently, and lists the others by row',
  },
  'test/integration/ordering/discount-uses.test.ts': {
    'refusal discount_use_counted':
      'the last use of a discount goes to one of several orders at any isolation level',
  },
  'test/integration/ordering/erp-orders.test.ts': {
    'modules/ordering/at-erp/save-erp-orders.ts saveErpOrders drop .onConflict':
      'leave it in the latest state if they arrive in one answer or concurrently',
  },
  'test/http/ordering/order-limits.test.ts': {
    'modules/ordering/checkout/order-limits.ts claimOrder drop advisory.orderLimits':
      'never exceed it with one phone',
  },
  'test/http/ordering/gifts.test.ts': {
    'modules/ordering/checkout/write-order.ts writeOrder drop reserveRights()':
      'end with one order that has it, and a rejection with a preflight without it',
  },
  'test/http/ordering/orders.test.ts': {
    'modules/ordering/cart/in-one-state.ts inOneState unwrap retryConflicts': [
      'create one order from one cart',
      'give the last use of a promo code to one order, and the other is rejected',
    ],
    'modules/ordering/checkout/place-order.ts writeUnlessRefused drop keepIntake()':
      'fails if intake closes between the start of its request and its transaction',
    'modules/ordering/orders/intake.ts keepIntake drop lock table': [
      'commits before intake closes, because the closing waits for it',
      'fails if intake closes between the start of its request and its transaction',
    ],
    'modules/ordering/orders/intake.ts closeIntake drop lock table':
      'commits before intake closes, because the closing waits for it',
    'kernel/idempotency.ts findAnswer false answer': 'create one order and one answer with one key',
    'modules/ordering/checkout/place-order.ts writeUnlessRefused false reasons.length': [
      'sell no dishes after a concurrent stop-list',
      'cost what their guests have seen during a price change, or are rejected',
      'never receive a time without intake when their slot ends concurrently',
      'give the last use of a promo code to one order, and the other is rejected',
    ],
  },
};

export const FULFILLMENT: Proofs = {
  'test/http/delivery/busy-mode.test.ts': {
    'modules/delivery/busy-mode/busy-mode.ts upsertModes drop on conflict':
      'an equal request writes nothing, and another request replaces the busy mode',
    'modules/delivery/busy-mode/busy-mode-rows.ts lockBusyModes drop advisory.busyMode':
      'the last of several concurrent requests applies, and the audit contains all in order',
  },
  'test/http/delivery/addresses.test.ts': {
    'kernel/window-count.ts takeInWindow drop on conflict':
      'covers all processes and reserves a fifth for order addresses',
    'modules/delivery/addresses/address-search.ts keep drop on conflict':
      'expire after their lifetime, when they are deleted and requested again',
    'modules/delivery/addresses/kept-addresses.ts keep drop advisory.addresses':
      'exists once after concurrent requests',
  },
};
