import { CATALOG_MEDIA_USAGES } from './catalog/media-usages.ts';
import { COMPENSATION_MEDIA_USAGES } from './gifts/rewards/rewards.ts';
import type { MediaUses } from './media/media-uses.ts';
import { isMediaKept } from './menus/snapshot/kept-media.ts';

/** All uses of media. */
export const MEDIA_USES: MediaUses = {
  kinds: [...CATALOG_MEDIA_USAGES, ...COMPENSATION_MEDIA_USAGES],
  isPublished: isMediaKept,
};
