import { createHash } from 'node:crypto';
import { longUrl } from './rules/short-url.ts';
import { RENDITION_PLAN_VERSION, type Density, type FocalPoint } from './rules/rendition-plan.ts';

/** Relative to the public origin. */
export const MEDIA_PREFIX = '/media/';
const FILE = /^([0-9a-f]{24})\/([a-z]+(?:@[23]x)?)\.(webp|jpeg|avif)$/;
const CONTENT_TYPES = { webp: 'image/webp', jpeg: 'image/jpeg', avif: 'image/avif' } as const;

/**
 * Digest of everything that determines renditions, because URLs are cached forever. With 96 bits, a
 * collision among a million images is less likely than 1 in 10^16.
 */
export function renditionFolder(sha256: string, focal: FocalPoint): string {
  const decisive = `${sha256}:${RENDITION_PLAN_VERSION}:${focal.x}:${focal.y}`;
  return createHash('sha256').update(decisive).digest('hex').slice(0, 24);
}

/** Examples: `card.webp` and `card@2x.webp`. */
export function renditionFile(name: string, density: Density, format: string): string {
  return `${name}${density === 1 ? '' : `@${density}x`}.${format}`;
}

/** `url` is relative. */
export function renditionUrl(folder: string, file: string): { key: string; url: string } {
  return { key: storeKey(`${folder}/${file}`), url: `${MEDIA_PREFIX}${folder}/${file}` };
}

/** Maps characters, because stores allow fewer than URLs. */
function storeKey(path: string): string {
  return `renditions/${path.replace('@', '-')}`;
}

/** Originals are stored for new renditions and never served, because they contain metadata. */
export function originalKey(sha256: string, extension: string): string {
  return `originals/${sha256}.${extension}`;
}

/** Also accepts URLs made by `shortUrl`. */
export function toStoredFile(
  path: string,
): { key: string; contentType: string; etag: string } | undefined {
  const match = path.startsWith(MEDIA_PREFIX)
    ? FILE.exec(longUrl(path).slice(MEDIA_PREFIX.length))
    : null;
  if (match === null) return undefined;

  const [file = '', folder = '', name = '', format = ''] = match;

  return {
    key: storeKey(file),
    contentType: CONTENT_TYPES[format as keyof typeof CONTENT_TYPES],
    etag: `"${folder}-${name}-${format}"`,
  };
}

/** `name` is the digest in the key. */
export type StoredPart = { what: 'original' | 'rendition'; name: string };

const PART = /^(?:originals\/(?<sha>[0-9a-f]{64})\.|renditions\/(?<folder>[0-9a-f]{24})\/)/;

/** Undefined for foreign files. */
export function parseStoredPart(key: string): StoredPart | undefined {
  const { sha, folder } = PART.exec(key)?.groups ?? {};
  if (sha !== undefined) return { what: 'original', name: sha };
  return folder === undefined ? undefined : { what: 'rendition', name: folder };
}
