/** Days until a copy of the file is outdated. */
const VALID_DAYS = 90;
const DAY_MS = 86_400_000;

/**
 * The file `/.well-known/security.txt` (RFC 9116) with the security contact of the operator (rule
 * HTTP-107). `now` is a time in ms.
 */
export function securityText(contact: string, now: number): string {
  // A whole day, so that caches and readers see one text a day.
  const expires = new Date((Math.floor(now / DAY_MS) + VALID_DAYS) * DAY_MS);
  return `Contact: ${contact}\nExpires: ${expires.toISOString()}\nPreferred-Languages: en, ru\n`;
}
