import { decodeProtectedHeader, jwtVerify, SignJWT } from 'jose';
import type { Keyring } from './keyring.ts';

/** In seconds (rule ACC-2). */
export const ACCESS_TOKEN_SECONDS = 900;

const ISSUER = 'carte';
const AUDIENCE = 'carte-admin';

/** Contains no permissions, because they are read for every request. */
export type TokenClaims = { userId: number; sessionId: string };

export async function issueAccessToken(keyring: Keyring, claims: TokenClaims): Promise<string> {
  const { kid, key } = await keyring.signingKey();
  return new SignJWT({ sid: claims.sessionId })
    .setProtectedHeader({ alg: 'EdDSA', kid, typ: 'JWT' })
    .setSubject(String(claims.userId))
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setIssuedAt()
    .setExpirationTime(`${ACCESS_TOKEN_SECONDS}s`)
    .sign(key);
}

/** Returns null for an invalid token. Throws only if the keys cannot be read. */
export async function verifyAccessToken(
  keyring: Keyring,
  token: string,
): Promise<TokenClaims | null> {
  const kid = readKeyId(token);
  const key = kid === null ? null : await keyring.verificationKey(kid);
  if (key === null) return null;
  const verified = await jwtVerify(token, key, {
    algorithms: ['EdDSA'],
    issuer: ISSUER,
    audience: AUDIENCE,
    requiredClaims: ['sub', 'sid', 'exp'],
  }).catch(() => null);
  if (verified === null) return null;

  const { sub, sid } = verified.payload;

  return typeof sid === 'string' ? { userId: Number(sub), sessionId: sid } : null;
}

function readKeyId(token: string): string | null {
  try {
    return decodeProtectedHeader(token).kid ?? null;
  } catch {
    return null;
  }
}
