import type { JWTPayload } from 'jose';
import type { Log } from '../../../platform/log.ts';
import type { Metrics } from '../../../platform/metrics.ts';
import { typedPhone } from '../rules/phone.ts';

/** Returns null if there is no verified phone. */
export type PhoneClaims = (claims: JWTPayload) => string | null;

/** UNREADABLE_FLAG: `phone_number_verified` is not a boolean. */
type DroppedPhone = 'NOT_VERIFIED' | 'UNREADABLE_FLAG' | 'UNREADABLE_NUMBER';

/** Per reason. */
const LOG_EVERY_MS = 3_600_000;

const VERIFIED = new Map([
  ['true', true],
  ['false', false],
]);

/**
 * Accepts the spellings of different providers (rule CLI-13). Counts unused phones by reason, and
 * logs each reason at most hourly, without the number.
 */
export function createPhoneClaims({
  metrics,
  log,
  now = Date.now,
}: {
  metrics: Pick<Metrics, 'customerPhonesDropped'>;
  log: Log;
  now?: () => number;
}): PhoneClaims {
  const loggedAt = new Map<DroppedPhone, number>();
  return (claims) => {
    const phoneClaim = readPhone(claims);
    if (phoneClaim === null || 'number' in phoneClaim) return phoneClaim?.number ?? null;
    const { dropped } = phoneClaim;
    metrics.customerPhonesDropped.inc({ reason: dropped });
    if (now() - (loggedAt.get(dropped) ?? -Infinity) >= LOG_EVERY_MS) {
      loggedAt.set(dropped, now());
      const { phone_number: phone, phone_number_verified: verified } = claims;
      const types = { phone_number: typeof phone, phone_number_verified: typeof verified };
      log.warn({ reason: dropped, types }, 'the phone of a customer token is not used');
    }

    return null;
  };
}

/** Returns null if there is no phone. */
function readPhone(claims: JWTPayload): { number: string } | { dropped: DroppedPhone } | null {
  const { phone_number: phone, phone_number_verified: flag } = claims;
  if (phone === undefined || phone === null || phone === '') return null;
  const isVerified =
    typeof flag === 'string' ? VERIFIED.get(flag.trim().toLowerCase()) : (flag ?? false);
  if (isVerified === false) return { dropped: 'NOT_VERIFIED' };
  if (isVerified !== true) return { dropped: 'UNREADABLE_FLAG' };
  const number = parseNumber(phone);

  return number === null ? { dropped: 'UNREADABLE_NUMBER' } : { number };
}

/** Accepts a country code without a plus sign. */
function parseNumber(claim: unknown): string | null {
  if (typeof claim !== 'string' && typeof claim !== 'number') return null;
  const text = String(claim);
  const phone = typedPhone(text) ?? (/^[1-9]\d{10,14}$/.test(text) ? typedPhone(`+${text}`) : null);
  // A phone with an extension belongs to a company.
  return phone === null || phone.extension !== null ? null : phone.number;
}
