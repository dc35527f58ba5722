import type { Proofs } from './mutation.ts';

/** Media that are changed, used and deleted at once. */
export const MEDIA: Proofs = {
  'test/integration/media/pictures.test.ts': {
    'kernel/edits.ts holdForEdit drop lockMode:': 'a product that has begun to show it wins over its deletion',
    'modules/media/update-media.ts updateMedia drop seen:': 'of two at once one wins, and the loser learns the version',
  },
  'test/integration/media/sweep.test.ts': {
    'modules/media/claims.ts claimForRemoval true media_claim.until <':
      'that came first keeps its files, although no row has them yet',
    'modules/media/claims.ts claimForWriting true media_claim.purpose =':
      'that came second is busy until the files are gone, and then writes them anew',
    'modules/media/sweep-media.ts removeClaimed false failed':
      'that ends in the middle keeps its claim until it is over; then the rest goes',
    'modules/media/sweep-media.ts removeClaimed unwrap withoutRow':
      'whose row appears between the look and the claim keeps its files',
  },
};
