import type { Image } from './generated/problem.ts';

/** Attributes of an `img` element, by the names of React; other frameworks write `srcset`. */
export type ImageAttributes = { src: string; srcSet: string };

/**
 * The attributes of an `img` element for an image of the API. Relative URLs become absolute URLs at
 * `baseUrl`, the origin of the API.
 */
export function imageAttributes(image: Image, baseUrl: string): ImageAttributes {
  const absolute = (url: string) => new URL(url, baseUrl).href;
  const srcSet = image.srcset
    .split(', ')
    .map((entry) => entry.split(' '))
    .map(([url = '', descriptor = '']) => `${absolute(url)} ${descriptor}`)
    .join(', ');
  return { src: absolute(image.url), srcSet };
}
