import type { ReactNode } from 'react';
import { imageAttributes, type Image } from '@carte/client/storefront';

type Size = { width: number; height: number; isFirst?: boolean };

/** A decorative picture next to its subject's name. Its space is reserved before it loads. */
export function Picture({
  image,
  width,
  height,
  isFirst = false,
}: Size & { image: Image }): ReactNode {
  const attributes = imageAttributes(image, location.origin);
  return (
    <img
      {...attributes}
      alt=""
      width={width}
      height={height}
      loading={isFirst ? 'eager' : 'lazy'}
    />
  );
}
