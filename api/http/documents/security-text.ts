const VALID_DAYS = 90;
const DAY_MS = 86_400_000;

/** Returns `/.well-known/security.txt` (RFC 9116, rule HTTP-107). `now` in ms. */
export function securityText(contact: string, now: number): string {
  // The text changes once a day.
  const expires = new Date((Math.floor(now / DAY_MS) + VALID_DAYS) * DAY_MS);
  return `Contact: ${contact}\nExpires: ${expires.toISOString()}\nPreferred-Languages: en, ru\n`;
}
