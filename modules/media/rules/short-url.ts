/**
 * Menus contain short URLs of images: `/media/Eb_ISNULxmXaDXrp/c2.webp` represents
 * `/media/11bfc848d50bc665da0d7ae9/card@2x.webp`, with a base64url folder and a letter for the
 * name. Both stay valid.
 */

const LETTERS = new Map([
  ['card', 'c'],
  ['thumb', 't'],
  ['full', 'f'],
]);

const NAMES = new Map([...LETTERS].map(([name, letter]) => [letter, name]));

const LONG =
  /^(?<start>\/media\/)(?<folder>[0-9a-f]{24})\/(?<name>[a-z]+)(?:@(?<density>[23])x)?(?<end>\.(?:webp|jpeg|avif))$/;
const SHORT =
  /^(?<start>\/media\/)(?<folder>[A-Za-z0-9_-]{16})\/(?<name>[a-z])(?<density>[23]?)(?<end>\.(?:webp|jpeg|avif))$/;

/** Shortens the URL of a rendition; others stay. */
export function shortUrl(url: string): string {
  const { start, folder = '', name = '', density = '', end } = LONG.exec(url)?.groups ?? {};
  const letter = LETTERS.get(name);
  if (letter === undefined) return url;
  const short = Uint8Array.fromHex(folder).toBase64({ alphabet: 'base64url', omitPadding: true });
  return `${start}${short}/${letter}${density}${end}`;
}

/** Reverts {@link shortUrl}; other URLs stay. */
export function longUrl(url: string): string {
  const {
    start,
    folder = '',
    name: letter = '',
    density = '',
    end,
  } = SHORT.exec(url)?.groups ?? {};

  const name = NAMES.get(letter);
  if (name === undefined) return url;
  const long = Uint8Array.fromBase64(folder, { alphabet: 'base64url' }).toHex();

  return `${start}${long}/${name}${density === '' ? '' : `@${density}x`}${end}`;
}
