/** Detected by content, never by file name (MED-1). */
export const ACCEPTED_FORMATS = {
  jpeg: { mime: 'image/jpeg', extension: 'jpeg' },
  png: { mime: 'image/png', extension: 'png' },
  webp: { mime: 'image/webp', extension: 'webp' },
} as const;

export type AcceptedFormat = keyof typeof ACCEPTED_FORMATS;

/** Throws for other content types. */
export function formatOfMime(mime: string): AcceptedFormat {
  const match = Object.entries(ACCEPTED_FORMATS).find(([, each]) => each.mime === mime);
  if (match === undefined) throw new Error(`No image is stored as ${mime}`);
  return match[0] as AcceptedFormat;
}

/** MED-1. */
export const MAX_UPLOAD_BYTES = 10 * 1024 * 1024;
/** A small file can contain an image that fills the memory. */
const MAX_PIXELS = 50_000_000;

export type ImageHeader = { format: string | undefined; width: number; height: number };
export type ImageDecision =
  | { kind: 'accepted'; format: AcceptedFormat }
  | { kind: 'refused'; code: 'unsupported_format' | 'too_many_pixels'; message: string };

/** Decides from the header, before the image is decoded. */
export function decideImage(header: ImageHeader): ImageDecision {
  const { format } = header;
  if (format === undefined || !Object.hasOwn(ACCEPTED_FORMATS, format))
    return {
      kind: 'refused',
      code: 'unsupported_format',
      message: 'The file is not a jpeg, png or webp image.',
    };

  if (header.width * header.height > MAX_PIXELS)
    return {
      kind: 'refused',
      code: 'too_many_pixels',
      message: `The image has more than ${MAX_PIXELS / 1_000_000} million pixels.`,
    };

  return { kind: 'accepted', format: format as AcceptedFormat };
}
