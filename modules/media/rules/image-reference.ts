import type { Image } from '../schemas/media.ts';
import { LARGEST_SHOWN_DENSITY } from './rendition-plan.ts';
import { shortUrl } from './short-url.ts';

/** An image as menus show it: `url` for density 1 and the list of densities (rule MED-4). */
export type ImageReference = Image;

export type RenditionFile = {
  name: string;
  density: number;
  format: string;
  url: string;
  width: number;
  height: number;
};
export type StoredMedia = {
  id: number;
  renditions: readonly RenditionFile[];
  /** Text that staff have set; null or absent without one. */
  alt?: string | null;
  /**
   * Beginning of absolute URLs; URLs are relative to the public origin if it is null or absent
   * (rule MED-11).
   */
  baseUrl?: string | null;
};

/** Renditions that are shown: product images as cards, everything small as thumbnails. */
export type ImageUse = 'card' | 'thumb';

/** Best first. One format per image, because `srcset` can only choose by density. */
const FORMATS = ['webp', 'jpeg', 'avif'];

/** The card of an image; throws when it has no file to show, which no stored image lacks. */
export function imageReference(media: StoredMedia): ImageReference {
  const reference = findImageReference(media, 'card');
  if (reference === null) throw new Error(`Media ${media.id} has no rendition to show`);
  return reference;
}

/**
 * The reference of an image for one use. An image without the requested rendition uses another one;
 * null without any rendition. URLs with density 3 are omitted: the difference is invisible on a
 * photograph, but a third URL of 1,000 images is a twentieth of the menu. Values that clients can
 * compute are omitted too: sizes of other densities, URLs of AVIF files, and the alternative text
 * of an image that has none of its own (rules MED-12 to MED-14).
 */
export function findImageReference(media: StoredMedia, use: ImageUse): ImageReference | null {
  const { id, renditions, alt, baseUrl } = media;
  const name = renditions.some((rendition) => rendition.name === use)
    ? use
    : renditions.map((rendition) => rendition.name).toSorted()[0];
  const candidates = renditions.filter(
    (rendition) => rendition.name === name && rendition.density <= LARGEST_SHOWN_DENSITY,
  );
  const format = FORMATS.find((known) => candidates.some((candidate) => candidate.format === known));
  const shown = candidates
    .filter((candidate) => candidate.format === format)
    .toSorted((a, b) => a.density - b.density)
    .map((candidate) => ({ ...candidate, url: `${baseUrl ?? ''}${shortUrl(candidate.url)}` }));
  const [smallest] = shown;
  if (smallest === undefined) return null;
  const hasAvif = ({ density }: RenditionFile) =>
    candidates.some((candidate) => candidate.format === 'avif' && candidate.density === density);
  return {
    id,
    url: smallest.url,
    srcset: shown.map((entry) => `${entry.url} ${entry.density}x`).join(', '),
    width: smallest.width,
    height: smallest.height,
    ...(format === 'webp' && shown.every(hasAvif) ? { avif: true } : {}),
    ...(alt == null || alt === '' ? {} : { alt }),
  };
}
