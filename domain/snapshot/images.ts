import type { MediaFact, RenditionFact } from './facts.ts';
import type { ImageReference } from './menu.ts';
import { by } from './order.ts';

/** Renditions the menu shows: product pictures as cards, everything small as thumbnails. */
export type PictureUse = 'card' | 'thumb';

/** Best first. One format per picture, because `srcset` can only choose by density. */
const FORMATS = ['webp', 'jpeg', 'avif'];

/**
 * The public reference of a picture: address of density 1 and a `srcset` of all densities.
 * A picture without the wanted rendition shows another one; without any rendition there is nothing to show: null.
 */
export function imageReference(media: MediaFact | undefined, use: PictureUse): ImageReference | null {
  if (media === undefined) return null;
  const named = media.renditions.filter((each) => each.name === use);
  const first = media.renditions.toSorted(by((each) => each.name))[0];
  const candidates = named.length > 0 ? named : media.renditions.filter((each) => each.name === first?.name);
  const format = bestFormat(candidates);
  const shown = candidates.filter((each) => each.format === format).toSorted(by((each) => each.density));
  const smallest = shown[0];
  if (smallest === undefined) return null;
  return {
    id: media.id,
    url: smallest.url,
    srcset: shown.map((each) => `${each.url} ${each.density}x`).join(', '),
  };
}

function bestFormat(renditions: readonly RenditionFact[]): string | undefined {
  const present = new Set(renditions.map((each) => each.format));
  return FORMATS.find((each) => present.has(each)) ?? [...present].toSorted()[0];
}
