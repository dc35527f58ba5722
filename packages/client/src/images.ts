import type { Image } from './generated/problem.ts';

/** Attributes of an `img` element, with React's names; other frameworks write `srcset`. */
export type ImageAttributes = { src: string; srcSet: string };

/**
 * Returns the attributes of an `img` element. Relative URLs become absolute at `baseUrl`, the
 * origin of the API.
 */
export function imageAttributes(image: Image, baseUrl: string): ImageAttributes {
  const candidates = parseCandidates(image, baseUrl);
  const srcSet = candidates.map(({ url, density }) => `${url} ${density}x`).join(', ');
  return { src: absoluteUrl(image.url, baseUrl), srcSet };
}

export type PictureOptions = {
  /**
   * Alternative text, used if staff have set none: the name of the product, category or gift. Pass
   * `''` for decorative images.
   */
  alt: string;
  /** Width in the layout in CSS pixels, by default that of the smallest file. */
  width?: number | undefined;
  /** Value of `sizes` for a layout with several widths. The default is `width` in pixels. */
  sizes?: string | undefined;
};

/** Attributes of the `source` elements, then of the `img` element, inside `picture`. */
export type PictureAttributes = {
  sources: { type: string; srcSet: string; sizes?: string }[];
  img: {
    src: string;
    srcSet: string;
    sizes?: string;
    width?: number;
    height?: number;
    alt: string;
  };
};

/**
 * Returns the attributes of a `picture` element: AVIF where it exists, `w` descriptors with
 * `sizes`, width and height. Relative URLs become absolute at `baseUrl`, the origin of the API.
 * Without sizes from the API, the image gets density descriptors.
 */
export function pictureAttributes(
  image: Image,
  baseUrl: string,
  options: PictureOptions,
): PictureAttributes {
  const { width: fileWidth, height: fileHeight } = image;
  const candidates = parseCandidates(image, baseUrl);
  const width = options.width ?? fileWidth;
  const describe = ({ density }: Candidate) =>
    fileWidth === undefined ? `${density}x` : `${fileWidth * density}w`;
  const sizes = options.sizes ?? (width === undefined ? undefined : `${width}px`);
  const srcSet = {
    srcSet: candidates.map((candidate) => `${candidate.url} ${describe(candidate)}`).join(', '),
    ...(fileWidth === undefined || sizes === undefined ? {} : { sizes }),
  };

  const place =
    width === undefined || fileWidth === undefined || fileHeight === undefined
      ? {}
      : { width, height: Math.round((width * fileHeight) / fileWidth) };

  const avif = {
    type: 'image/avif',
    ...srcSet,
    srcSet: srcSet.srcSet.replace(/\.webp(?= )/g, '.avif'),
  };

  return {
    sources: image.avif === true ? [avif] : [],
    img: {
      src: absoluteUrl(image.url, baseUrl),
      ...srcSet,
      ...place,
      alt: image.alt ?? options.alt,
    },
  };
}

type Candidate = { url: string; density: number };

/** Smallest first. */
function parseCandidates({ srcset }: Image, baseUrl: string): Candidate[] {
  return srcset
    .split(', ')
    .map((entry) => entry.split(' '))
    .map(([url = '', descriptor = '']) => ({
      url: absoluteUrl(url, baseUrl),
      density: Number.parseFloat(descriptor),
    }));
}

const absoluteUrl = (url: string, baseUrl: string): string => new URL(url, baseUrl).href;
