import type { Database } from '../../db/database.ts';
import { issueAccessToken } from './access-token.ts';
import type { Keyring } from './keyring.ts';
import { writeRefreshToken } from './refresh-token.ts';

export type AccessDeps = { db: Database; keyring: Keyring };

/** Both tokens of a session, as texts. */
export type Tokens = { accessToken: string; refreshToken: string };

/** The tokens of a session at one count of its rotation; the same count always gives the same refresh token. */
export async function tokensOf(
  keyring: Keyring,
  session: { sessionId: string; userId: number; counter: number },
): Promise<Tokens> {
  return {
    accessToken: await issueAccessToken(keyring, session),
    refreshToken: await writeRefreshToken(keyring, session),
  };
}
