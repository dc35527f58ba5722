import { recordAudit } from '../audit/record-audit.ts';
import { verifyAccessToken } from './access-token.ts';
import { readRefreshToken } from './refresh-token.ts';
import type { AccessDeps } from './session.ts';

/**
 * Ends the session that one of the tokens belongs to; its access tokens stop working at once. Without a valid token, or
 * a second time, nothing happens: signing out never fails.
 */
export async function logout(
  { db, keyring }: AccessDeps,
  tokens: { refreshToken: string | undefined; accessToken: string | undefined },
  requestId: string,
): Promise<void> {
  const byRefresh = tokens.refreshToken === undefined ? null : await readRefreshToken(keyring, tokens.refreshToken);
  const byAccess = tokens.accessToken === undefined ? null : await verifyAccessToken(keyring, tokens.accessToken);
  const sessionIds = [byRefresh?.sessionId, byAccess?.sessionId].filter((id) => id !== undefined);
  await db.transaction(async (tx) => {
    const ended = await tx.query<{ userId: number }>(
      `update access_session set ended_at = now(), end_reason = 'LOGOUT'
        where id = any ($1::uuid[]) and ended_at is null returning user_id as "userId"`,
      [sessionIds],
    );
    for (const { userId } of ended) {
      const actor = { type: 'USER', userId, requestId } as const;
      await recordAudit(tx, actor, { entityType: 'user', entityId: userId, action: 'sign-out' });
    }
  });
}
