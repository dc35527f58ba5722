import { Secret, TOTP } from 'otpauth';

export const SECOND_FACTOR_PURPOSE = 'access_second_factor.secret';

/** Defaults of authenticator apps. */
const SETTINGS = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** Steps earlier or later, because clocks differ and typing takes time. */
const TOLERANCE = 1;
const ISSUER = 'Carte';

/** Creates a base32 secret of 160 random bits. */
export function newSecret(): string {
  return new Secret({ size: 20 }).base32;
}

export function otpauthUri(secret: string, account: string): string {
  return new TOTP({
    ...SETTINGS,
    issuer: ISSUER,
    label: account,
    secret: Secret.fromBase32(secret),
  }).toString();
}

/**
 * Returns a code's 30-second step, or null if it is too far from `atSeconds`. Compares in constant
 * time.
 */
export function stepOfCode(secret: string, code: string, atSeconds: number): number | null {
  const timestamp = atSeconds * 1000;
  const options = {
    ...SETTINGS,
    secret: Secret.fromBase32(secret),
    token: code,
    timestamp,
    window: TOLERANCE,
  };

  const distance = TOTP.validate(options);

  return distance === null ? null : TOTP.counter({ period: SETTINGS.period, timestamp }) + distance;
}
