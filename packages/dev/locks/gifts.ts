import type { Proofs } from './mutation.ts';

/** Concurrent moves of rights, and duplicate clients. */
export const GIFTS: Proofs = {
  'test/integration/db/move-reasons.test.ts': {
    'modules/move-reasons.ts moveBatch drop for update': 'concurrent commands move each of many texts once',
  },
  'test/integration/gifts/moves.test.ts': {
    'modules/gifts/rights/move-rights.ts holdRights drop .forUpdate':
      'end as if one had come after the other, in every pair and from every state',
    'modules/gifts/rights/grant-right.ts grantRight drop on conflict': 'grants once, also in concurrent readings',
    'refusal compensation_redeemed_stays': 'another order for a redeemed right',
    'refusal compensation_never_deleted': 'to delete a right',
    'refusal compensation_moves_by_steps': 'a state without a move',
    'refusal compensation_move_append_only': ['to change the ledger', 'to delete from the ledger'],
  },
  'test/integration/gifts/gift-orders.test.ts': {
    'modules/gifts/orders/return-gifts.ts repeatedGifts drop .forUpdate gift':
      'keeps what staff decide about the new order at the same moment',
    'modules/gifts/orders/return-gifts.ts holdClients drop .forNoKeyUpdate':
      'an order entered again at the same moment is no fraud',
    'modules/gifts/orders/gift-orders.ts holdGiftOrder drop .onConflict':
      'one of many concurrent calls redeems, and the others find the result',
    'modules/gifts/orders/gift-orders.ts holdGiftOrder drop advisory.giftOrder':
      'a moved order is one order also if both of its ids arrive concurrently',
    'modules/gifts/orders/gift-orders.ts writeLine drop .onConflict':
      'a later gift redeems another right, and a removed one changes nothing',
    'modules/gifts/orders/write-unauthorized.ts writeUnauthorized drop .onConflict':
      'a later gift redeems another right, and a removed one changes nothing',
  },
  'test/http/gifts/reconciliation.test.ts': {
    'modules/ordering/gift-days/accept-gift-day.ts acceptGiftDay drop .forUpdate':
      'is accepted once in concurrent requests',
  },
  'test/http/gifts/unauthorized.test.ts': {
    'modules/gifts/orders/unauthorized.ts settleUnauthorized drop .forUpdate':
      'a gift without a right is listed, and staff decide about it once, with a reason',
  },
  'test/integration/gifts/client-cards.test.ts': {
    'modules/gifts/cards/apply-card.ts applyCard drop .onConflict':
      'grants one right for repeated and concurrent readings',
    // At the first reading the unique rule of the card serializes the readings.
    'modules/gifts/cards/apply-card.ts applyCard drop .forUpdate':
      'grants one right for concurrent readings also in a card that was read before',
  },
  'test/http/gifts/admin.test.ts': {
    'modules/gifts/rights/edit-terms.ts editCompensation drop .forUpdate':
      'is changed once by two members of staff who saw the same version',
    'modules/gifts/rights/issue-right.ts requireRoom drop advisory.compensationGrants':
      'are limited per day by the setting, also in concurrent requests',
  },
  'test/http/gifts/conflicts.test.ts': {
    'modules/gifts/cards/conflicts.ts holdConflict drop .forUpdate': 'are decided once, in concurrent requests',
  },
  'test/http/gifts/forget-client.test.ts': {
    'modules/gifts/clients/forget-clients.ts forgetPhone drop .forUpdate':
      'is granted no gift by the id during or after the erasure',
    'modules/gifts/clients/forget-clients.ts requireNoneReserved drop .forUpdate':
      'is not erased if an order reserves a gift at this moment',
    'modules/gifts/clients/clients.ts keepClient drop .forKeyShare': 'erases the texts of a concurrent decision',
    'modules/gifts/rights/issue-right.ts clientToGrant drop .forKeyShare':
      'is granted no gift by the id during or after the erasure',
  },
  'test/http/gifts/candidates.test.ts': {
    'modules/gifts/cards/candidates.ts holdOpen drop .forUpdate': 'is decided once, in concurrent requests',
  },
  'test/integration/gifts/clients.test.ts': {
    'modules/gifts/clients/clients.ts makeClient drop .onConflict':
      'concurrent searches for one new client find the same',
    'modules/gifts/clients/clients.ts clientOf drop advisory.clientPhones':
      'belongs to one customer under concurrent reports, and no session waits permanently',
    'modules/gifts/clients/clients.ts holdPhone drop .forKeyShare':
      'is granted to a client with that phone if the phone is erased first',
    'modules/gifts/clients/forget-clients.ts forgetClients drop for update':
      'a client with a concurrent grant is not erased',
    'modules/gifts/clients/forget-clients.ts forgetClients drop skip locked':
      'a client with a concurrent grant is not erased',
  },
};
