/**
 * A folder as it is stored: parts divided by `/`, none empty, no spaces around them. The library's
 * root is ''.
 */
export function normalFolder(folder: string): string {
  return folder
    .split('/')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('/');
}

const LONGEST_NAME = 255;

/**
 * The name of an uploaded file as staff see it: without the path some programs send with it,
 * without characters that are not shown or cannot be stored, at most 255 characters. Never empty.
 */
export function shownFileName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const shown = last
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, '')
    .trim();
  return shown === '' ? 'picture' : Array.from(shown).slice(0, LONGEST_NAME).join('');
}
