import type { Mutation } from './mutation.ts';

const PICTURES = 'test/integration/media/pictures.test.ts';

/** Pictures that are changed, used and deleted at once. */
export const PICTURE_LOCKS: readonly Mutation[] = [
  {
    id: 'media/row',
    protects: 'who deletes or changes a picture waits for who begins to use it, and the other way round',
    file: 'app/media/media-rows.ts',
    from: 'sha256 from media where id = $1 for update`',
    to: 'sha256 from media where id = $1`',
    test: { file: PICTURES, title: 'a product that has begun to show it wins over its deletion' },
  },
  {
    id: 'media/reference',
    protects: 'a product never shows a picture that was deleted meanwhile',
    file: 'app/constraint-problems.ts',
    from: "catalog_product_image_media_id_fkey: noPicture('gallery'),",
    to: '',
    test: { file: PICTURES, title: 'a deletion that came first leaves the product without it' },
  },
  {
    id: 'media/version',
    protects: 'no change of a picture overwrites one that its author has not seen',
    file: 'app/media/update-media.ts',
    from: 'requireVersion(await lockMedia(tx, id), change.version);',
    to: 'await lockMedia(tx, id);',
    test: { file: PICTURES, title: 'of two at once one wins, and the loser learns the version' },
  },
];
