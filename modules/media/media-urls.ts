import { createHash } from 'node:crypto';
import { longUrl } from './rules/short-url.ts';
import { RENDITION_PLAN_VERSION, type Density, type FocalPoint } from './rules/rendition-plan.ts';

/** The path of renditions, relative to the public origin. */
export const MEDIA_PREFIX = '/media/';
const FILE = /^([0-9a-f]{24})\/([a-z]+(?:@[23]x)?)\.(webp|jpeg|avif)$/;
const CONTENT_TYPES = { webp: 'image/webp', jpeg: 'image/jpeg', avif: 'image/avif' } as const;

/**
 * The folder of the renditions of one media: a digest of everything that decides their bytes, so
 * that a URL can be cached permanently and a new focal point or plan gives new URLs. 96 bits: among
 * a million images two with the same folder are less likely than 1 in 10^16; menus write it shorter
 * (`shortUrl`).
 */
export function renditionFolder(sha256: string, focal: FocalPoint): string {
  const decisive = `${sha256}:${RENDITION_PLAN_VERSION}:${focal.x}:${focal.y}`;
  return createHash('sha256').update(decisive).digest('hex').slice(0, 24);
}

/** File name of a rendition: `card.webp`, `card@2x.webp`. */
export function renditionFile(name: string, density: Density, format: string): string {
  return `${name}${density === 1 ? '' : `@${density}x`}.${format}`;
}

/** Key of a rendition in the store, and its public URL relative to the origin. */
export function renditionUrl(folder: string, file: string): { key: string; url: string } {
  return { key: storeKey(`${folder}/${file}`), url: `${MEDIA_PREFIX}${folder}/${file}` };
}

/** Stores allow fewer characters in keys than URLs do. */
function storeKey(path: string): string {
  return `renditions/${path.replace('@', '-')}`;
}

/**
 * Key of the uploaded file itself. It is kept to cut new renditions and is never served: it still
 * has its metadata.
 */
export function originalKey(sha256: string, extension: string): string {
  return `originals/${sha256}.${extension}`;
}

/**
 * The stored file behind a public path of either form (`shortUrl`), or `undefined` when the path
 * can name none.
 */
export function storedFileOf(path: string): { key: string; contentType: string; etag: string } | undefined {
  const match = path.startsWith(MEDIA_PREFIX) ? FILE.exec(longUrl(path).slice(MEDIA_PREFIX.length)) : null;
  if (match === null) return undefined;
  const [file = '', folder = '', name = '', format = ''] = match;
  return {
    key: storeKey(file),
    contentType: CONTENT_TYPES[format as keyof typeof CONTENT_TYPES],
    etag: `"${folder}-${name}-${format}"`,
  };
}

/**
 * The owner of a stored file: `name` is the digest in its key, which everything that is written
 * together shares.
 */
export type StoredPart = { what: 'original' | 'rendition'; name: string };

const PART = /^(?:originals\/(?<sha>[0-9a-f]{64})\.|renditions\/(?<folder>[0-9a-f]{24})\/)/;

/** The part after a key, also of remains of a crash; `undefined` for foreign files. */
export function storedPartOf(key: string): StoredPart | undefined {
  const { sha, folder } = PART.exec(key)?.groups ?? {};
  if (sha !== undefined) return { what: 'original', name: sha };
  return folder === undefined ? undefined : { what: 'rendition', name: folder };
}
