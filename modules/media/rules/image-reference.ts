import type { Image } from '../schemas/media.ts';
import { shortUrl } from './short-url.ts';

/** An image as menus show it: `url` for density 1 and the list of densities (rule MED-4). */
export type ImageReference = Image;

export type RenditionFile = { name: string; density: number; format: string; url: string };
export type StoredMedia = { id: number; renditions: readonly RenditionFile[] };

/** Renditions that are shown: product images as cards, everything small as thumbnails. */
export type ImageUse = 'card' | 'thumb';

/** Best first. One format per image, because `srcset` can only choose by density. */
const FORMATS = ['webp', 'jpeg', 'avif'];
/**
 * Densest file that is named. Nobody sees more on a photograph, but each costs a guest twice the
 * bytes, and the third URL of 1,000 images a twentieth of the menu.
 */
const DENSEST = 2;

/** The card of an image; throws when it has no file to show, which no stored image lacks. */
export function imageReference(media: StoredMedia): ImageReference {
  const reference = findImageReference(media, 'card');
  if (reference === null) throw new Error(`Media ${media.id} has no rendition to show`);
  return reference;
}

/**
 * The reference of an image for one use. An image without the wanted rendition shows another one;
 * without any rendition there is nothing to show: null.
 */
export function findImageReference({ id, renditions }: StoredMedia, use: ImageUse): ImageReference | null {
  const name = renditions.some((each) => each.name === use) ? use : renditions.map((each) => each.name).toSorted()[0];
  const candidates = renditions.filter((each) => each.name === name && each.density <= DENSEST);
  const format = FORMATS.find((known) => candidates.some((each) => each.format === known));
  const shown = candidates
    .filter((each) => each.format === format)
    .toSorted((a, b) => a.density - b.density)
    .map(({ density, url }) => ({ density, url: shortUrl(url) }));
  const [smallest] = shown;
  if (smallest === undefined) return null;
  return { id, url: smallest.url, srcset: shown.map((each) => `${each.url} ${each.density}x`).join(', ') };
}
