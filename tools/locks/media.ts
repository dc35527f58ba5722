import type { Mutation } from './mutation.ts';

const SWEEP = 'test/integration/media/sweep.test.ts';
const PICTURES = 'test/integration/media/pictures.test.ts';

/** Pictures that are changed, used and deleted at once. */
export const PICTURE_LOCKS: readonly Mutation[] = [
  {
    id: 'media/row',
    protects: 'who deletes or changes a picture waits for who begins to use it, and the other way round',
    file: 'app/edits.ts',
    from: ', { lockMode: LockMode.PESSIMISTIC_WRITE }',
    to: '',
    test: { file: PICTURES, title: 'a product that has begun to show it wins over its deletion' },
  },
  {
    id: 'media/version',
    protects: 'no change of a picture overwrites one that its author has not seen',
    file: 'app/media/update-media.ts',
    from: '{ seen: change.version, detail: MISSING_MEDIA }',
    to: '{ detail: MISSING_MEDIA }',
    test: { file: PICTURES, title: 'of two at once one wins, and the loser learns the version' },
  },
  {
    id: 'media/claim-of-writer',
    protects: 'files of an upload that has no row yet are not removed',
    file: 'app/media/claims.ts',
    from: "on conflict (files) do update set purpose = 'SWEEP', until = excluded.until where media_claim.until < now()",
    to: "on conflict (files) do update set purpose = 'SWEEP', until = excluded.until",
    test: { file: SWEEP, title: 'that came first keeps its files, although no row has them yet' },
  },
  {
    id: 'media/claim-of-sweep',
    protects: 'an upload does not take a file for stored that is being removed',
    file: 'app/media/claims.ts',
    from: "where media_claim.purpose = 'WRITE' or media_claim.until < now()",
    to: '',
    test: { file: SWEEP, title: 'that came second is busy until the files are gone, and then writes them anew' },
  },
  {
    id: 'media/claim-lifted-by-its-owner',
    protects: 'a claim of a removal that failed stays, because a removal may still come',
    file: 'app/media/sweep-media.ts',
    from: 'if (failed !== undefined) throw failed.reason;',
    to: '',
    test: { file: SWEEP, title: 'that ends in the middle keeps its claim until it is over; then the rest goes' },
  },
  {
    id: 'media/row-after-claim',
    protects: 'a picture that was stored between the look and the claim keeps its files',
    file: 'app/media/sweep-media.ts',
    from: '(await withoutRow(db, orphans)).filter(',
    to: 'orphans.filter(',
    test: { file: SWEEP, title: 'whose row appears between the look and the claim keeps its files' },
  },
];
