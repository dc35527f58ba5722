import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import type { Account } from './model.ts';

const HOUR = 3600;

/** Tokens are signed JWTs, because clients may read `exp`. */
export type Tokens = {
  issue(account: Account): string;
  accountOf(token: string): Account | undefined;
  /** Returns the number of revoked tokens. */
  revokeAll(): number;
  /** In seconds. */
  setLife(seconds: number): void;
};

/** Creates an issuer with its own key, so tokens of an earlier process are invalid. */
export function createTokens(): Tokens {
  const key = randomBytes(32);
  const issued = new Map<string, { account: Account; expiresAt: number }>();
  let life = HOUR;

  const encode = (value: object): string =>
    Buffer.from(JSON.stringify(value)).toString('base64url');

  return {
    issue(account) {
      const now = Math.floor(Date.now() / 1000);
      for (const [token, { expiresAt }] of issued) if (expiresAt <= now) issued.delete(token);
      const claims = { sub: account.name, jti: randomUUID(), iat: now, exp: now + life };
      const content = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
      const token = `${content}.${createHmac('sha256', key).update(content).digest('base64url')}`;
      issued.set(token, { account, expiresAt: claims.exp });

      return token;
    },
    accountOf(token) {
      const entry = issued.get(token);
      return entry && entry.expiresAt > Date.now() / 1000 ? entry.account : undefined;
    },
    revokeAll() {
      const count = issued.size;
      issued.clear();
      return count;
    },
    setLife(seconds) {
      life = seconds;
    },
  };
}
