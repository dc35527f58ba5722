import { sql } from 'kysely';
import { recordAudit } from './audit/record-audit.ts';
import { verifyAccessToken } from './access-token.ts';
import { readRefreshToken } from './refresh-token.ts';
import type { AccessDeps } from './session.ts';

/** Ends the session of the access token or refresh token at once. Never fails. */
export async function logout(
  { db, keyring }: AccessDeps,
  tokens: { refreshToken: string | undefined; accessToken: string | undefined },
  requestId: string,
): Promise<void> {
  const byRefresh =
    tokens.refreshToken === undefined ? null : await readRefreshToken(keyring, tokens.refreshToken);
  const byAccess =
    tokens.accessToken === undefined ? null : await verifyAccessToken(keyring, tokens.accessToken);
  const sessionIds = [byRefresh?.sessionId, byAccess?.sessionId].filter((id) => id !== undefined);
  await db.transaction(async (tx) => {
    if (sessionIds.length === 0) return;
    const ended = await tx.db
      .updateTable('access_session')
      .set({ endedAt: sql<Date>`now()`, endReason: 'LOGOUT' })
      .where('id', 'in', sessionIds)
      .where('endedAt', 'is', null)
      .returning('userId')
      .execute();

    for (const { userId } of ended) {
      const actor = { type: 'USER', userId, requestId } as const;
      await recordAudit(tx, actor, { entityType: 'user', entityId: userId, action: 'sign-out' });
    }
  });
}
