/** Removes empty parts and spaces around them; '' is the root. */
export function normalFolder(folder: string): string {
  return folder
    .split('/')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('/');
}

const LONGEST_NAME = 255;

/**
 * Returns the last part of a path without control characters, at most 255 characters, never empty.
 */
export function shownFileName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const shown = last
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, '')
    .trim();

  return shown === '' ? 'picture' : Array.from(shown).slice(0, LONGEST_NAME).join('');
}
