import type { Proofs } from './mutation.ts';

export const GIFTS: Proofs = {
  'test/integration/db/move-reasons.test.ts': {
    'modules/move-reasons.ts moveBatch drop for update':
      'concurrent commands move each of many texts once',
  },
  'test/integration/gifts/moves.test.ts': {
    'modules/gifts/rights/move-rights.ts holdRights drop .forUpdate':
      'end like a sequence of them, in every pair and from every state',
    'modules/gifts/rights/grant-right.ts grantRight drop on conflict':
      'grants one right, also in concurrent readings',
    'refusal compensation_redeemed_stays': 'another order for a redeemed right',
    'refusal compensation_never_deleted': 'to delete a right',
    'refusal compensation_moves_by_steps': 'a state without a move',
    'refusal compensation_move_append_only': ['to change the ledger', 'to delete from the ledger'],
  },
  'test/integration/gifts/gift-orders.test.ts': {
    'modules/gifts/orders/return-gifts.ts repeatedGifts drop .forUpdate gift':
      'preserves a concurrent decision of staff about the new order',
    'modules/gifts/orders/return-gifts.ts holdClients drop .forNoKeyUpdate':
      'covers an order entered again at the same moment',
    'modules/gifts/orders/gift-orders.ts holdGiftOrder drop .onConflict':
      'redeems in one of many concurrent calls, and the others find the result',
    'modules/gifts/orders/gift-orders.ts holdGiftOrder drop advisory.giftOrder':
      'a moved order remains one order if both of its ids arrive concurrently',
    'modules/gifts/orders/gift-orders.ts writeLine drop .onConflict':
      'redeems another right for a later gift, and nothing for a removed gift',
    'modules/gifts/orders/write-unauthorized.ts writeUnauthorized drop .onConflict':
      'redeems another right for a later gift, and nothing for a removed gift',
  },
  'test/http/gifts/reconciliation.test.ts': {
    'modules/ordering/gift-days/accept-gift-day.ts acceptGiftDay drop .forUpdate':
      'can be accepted once in concurrent requests',
  },
  'test/http/gifts/unauthorized.test.ts': {
    'modules/gifts/orders/unauthorized.ts settleUnauthorized drop .forUpdate':
      'a gift without a right is listed, and staff decide about it once, with a reason',
  },
  'test/integration/gifts/client-cards.test.ts': {
    'modules/gifts/cards/apply-card.ts applyCard drop .onConflict':
      'grants one right for repeated and concurrent readings',
    // On the first reading, the unique rule of the card serializes readings instead.
    'modules/gifts/cards/apply-card.ts applyCard drop .forUpdate':
      'grants one right for concurrent readings, even in a card that was read before',
  },
  'test/http/gifts/admin.test.ts': {
    'modules/gifts/rights/edit-terms.ts editCompensation drop .forUpdate':
      'changes once if two users send the same version',
    'modules/gifts/rights/issue-right.ts requireRoom drop advisory.compensationGrants':
      'end at the daily limit of the setting, also in concurrent requests',
  },
  'test/http/gifts/conflicts.test.ts': {
    'modules/gifts/cards/conflicts.ts holdConflict drop .forUpdate':
      'cannot be decided twice in concurrent requests',
  },
  'test/http/gifts/forget-client.test.ts': {
    'modules/gifts/clients/forget-clients.ts forgetPhone drop .forUpdate':
      'prevents a grant by the client id during and afterwards',
    'modules/gifts/clients/forget-clients.ts requireNoneReserved drop .forUpdate':
      'fails if an order reserves a gift concurrently',
    'modules/gifts/clients/clients.ts keepClient drop .forKeyShare':
      'includes the texts of a concurrent decision',
    'modules/gifts/rights/issue-right.ts clientToGrant drop .forKeyShare':
      'prevents a grant by the client id during and afterwards',
  },
  'test/http/gifts/candidates.test.ts': {
    'modules/gifts/cards/candidates.ts holdOpen drop .forUpdate':
      'happens once in concurrent requests',
  },
  'test/integration/gifts/clients.test.ts': {
    'modules/gifts/clients/clients.ts makeClient drop .onConflict':
      'concurrent searches for one new client find the same client',
    'modules/gifts/clients/clients.ts ensureClient drop advisory.clientPhones':
      'belongs to one customer under concurrent reports, and no session waits permanently',
    'modules/gifts/clients/clients.ts holdPhone drop .forKeyShare':
      'belongs to a client with that phone if the phone is erased first',
    'modules/gifts/clients/forget-clients.ts forgetClients drop for update':
      'a client with a concurrent grant is not erased',
    'modules/gifts/clients/forget-clients.ts forgetClients drop skip locked':
      'a client with a concurrent grant is not erased',
  },
};
