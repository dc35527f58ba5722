/**
 * URLs of renditions as menus write them. A menu names two for each image, so the folder, 96 bits,
 * is written in base64url (16 characters) instead of hexadecimal (24), and the file by a letter and
 * its density: `/media/Eb_ISNULxmXaDXrp/c2.webp` is `/media/11bfc848d50bc665da0d7ae9/card@2x.webp`.
 * Both name the same stored file permanently.
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

/** The short form of a URL of a rendition; any other URL stays as it is. */
export function shortUrl(url: string): string {
  const { start, folder = '', name = '', density = '', end } = LONG.exec(url)?.groups ?? {};
  const letter = LETTERS.get(name);
  if (letter === undefined) return url;
  const short = Uint8Array.fromHex(folder).toBase64({ alphabet: 'base64url', omitPadding: true });
  return `${start}${short}/${letter}${density}${end}`;
}

/** The long form of a URL of {@link shortUrl}; other URLs are returned unchanged. */
export function longUrl(url: string): string {
  const { start, folder = '', name: letter = '', density = '', end } = SHORT.exec(url)?.groups ?? {};
  const name = NAMES.get(letter);
  if (name === undefined) return url;
  const long = Uint8Array.fromBase64(folder, { alphabet: 'base64url' }).toHex();
  return `${start}${long}/${name}${density === '' ? '' : `@${density}x`}${end}`;
}
