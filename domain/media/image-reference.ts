/** A picture as menus show it: `url` for density 1 and the list of denser files (spec 1, Image reference). */
export type ImageReference = { id: number; url: string; srcset: string };

type RenditionFile = { name: string; density: number; format: string; url: string };

const NAME = 'card';
const FORMAT = 'webp';

/** The card of a picture; throws when it has no card of density 1, which every stored picture has. */
export function imageReference(media: { id: number; renditions: readonly RenditionFile[] }): ImageReference {
  const files = media.renditions
    .filter((each) => each.name === NAME && each.format === FORMAT)
    .toSorted((one, other) => one.density - other.density);
  const [first] = files;
  if (first?.density !== 1) throw new Error(`Media ${media.id} has no ${NAME} rendition of density 1`);
  return { id: media.id, url: first.url, srcset: files.map((each) => `${each.url} ${each.density}x`).join(', ') };
}
