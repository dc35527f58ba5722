import { CATALOG_PICTURE_USAGES } from './catalog/picture-usages.ts';
import type { PictureUses } from './media/picture-uses.ts';
import { isPictureKept } from './snapshot/kept-pictures.ts';

/** Everybody who shows pictures today; the composition roots hand this to media. */
export const PICTURE_USES: PictureUses = { kinds: CATALOG_PICTURE_USAGES, isPublished: isPictureKept };
