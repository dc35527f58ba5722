import { Secret, TOTP } from 'otpauth';

/** The encryption purpose of second-factor secrets. */
export const SECOND_FACTOR_PURPOSE = 'access_second_factor.secret';

/** Defaults of authenticator apps: six digits of SHA-1, a new code every 30 seconds. */
const SETTINGS = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/**
 * Steps before and after the current one with accepted codes: clocks of phones differ, and typing
 * takes time.
 */
const TOLERANCE = 1;
const ISSUER = 'Carte';

/** A new secret of 160 random bits, in base32 as apps take it. */
export function newSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** Returns the URI of a QR code from which an app makes the codes of an account. */
export function otpauthUri(secret: string, account: string): string {
  return new TOTP({ ...SETTINGS, issuer: ISSUER, label: account, secret: Secret.fromBase32(secret) }).toString();
}

/**
 * The step of 30 seconds whose code this is, compared in constant time; null when it is none of the
 * steps around `atSeconds`.
 */
export function stepOfCode(secret: string, code: string, atSeconds: number): number | null {
  const timestamp = atSeconds * 1000;
  const given = { ...SETTINGS, secret: Secret.fromBase32(secret), token: code, timestamp, window: TOLERANCE };
  const distance = TOTP.validate(given);
  return distance === null ? null : TOTP.counter({ period: SETTINGS.period, timestamp }) + distance;
}
