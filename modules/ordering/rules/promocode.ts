/** A promocode as it is compared: guests write it in any case of letters; null when nothing was written. */
export function normalCode(code: string | null): string | null {
  return code === null ? null : code.normalize('NFKC').trim().toUpperCase() || null;
}
