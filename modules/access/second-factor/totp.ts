import { Secret, TOTP } from 'otpauth';

export const SECOND_FACTOR_PURPOSE = 'access_second_factor.secret';

/** Defaults of authenticator apps. */
const SETTINGS = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** Clocks differ, and typing takes time. */
const TOLERANCE = 1;
const ISSUER = 'Carte';

/** Creates a base32 secret of 160 random bits. */
export function newSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** Returns the URI for the QR code. */
export function otpauthUri(secret: string, account: string): string {
  return new TOTP({
    ...SETTINGS,
    issuer: ISSUER,
    label: account,
    secret: Secret.fromBase32(secret),
  }).toString();
}

/** Returns a code's 30-second step, compared in constant time; null if too far from `atSeconds`. */
export function stepOfCode(secret: string, code: string, atSeconds: number): number | null {
  const timestamp = atSeconds * 1000;
  const given = {
    ...SETTINGS,
    secret: Secret.fromBase32(secret),
    token: code,
    timestamp,
    window: TOLERANCE,
  };
  const distance = TOTP.validate(given);
  return distance === null ? null : TOTP.counter({ period: SETTINGS.period, timestamp }) + distance;
}
