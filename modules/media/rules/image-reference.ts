import type { Image } from '../schemas/media.ts';
import { LARGEST_SHOWN_DENSITY } from './rendition-plan.ts';
import { shortUrl } from './short-url.ts';

/** Contains `url` for density 1 and the list of densities (MED-4). */
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
  alt?: string | null;
  /** Null or absent if URLs are relative (MED-11). */
  baseUrl?: string | null;
};

export type ImageUse = 'card' | 'thumb';

/** An image uses one format, because `srcset` selects only by density. */
const FORMATS = ['webp', 'jpeg', 'avif'];

/** Throws if no rendition exists; stored images always have one. */
export function imageReference(media: StoredMedia): ImageReference {
  const reference = findImageReference(media, 'card');
  if (reference === null) throw new Error(`Media ${media.id} has no rendition to show`);
  return reference;
}

/**
 * Prefers the rendition of the use. Omits density 3 (invisible on photographs, but 5 % of a menu of
 * 1,000 images) and values that clients can compute (MED-12 to MED-14).
 */
export function findImageReference(media: StoredMedia, use: ImageUse): ImageReference | null {
  const { id, renditions, alt, baseUrl } = media;
  const name = renditions.some((rendition) => rendition.name === use)
    ? use
    : renditions.map((rendition) => rendition.name).toSorted()[0];
  const candidates = renditions.filter(
    (rendition) => rendition.name === name && rendition.density <= LARGEST_SHOWN_DENSITY,
  );
  const format = FORMATS.find((known) =>
    candidates.some((candidate) => candidate.format === known),
  );
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
