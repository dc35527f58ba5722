import type { Actor } from '../../../kernel/actor.ts';
import { Problem } from '../../../kernel/problem.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { revokeKey, takeOverKey } from './api-keys.ts';
import type { KeysOfUser } from '../schemas/api-keys.ts';

/**
 * Revokes the keys of a user, or makes the actor their owner (rule ACC-53). Problem `forbidden`,
 * also for taking over the actor's own keys.
 */
export async function endKeysOfUser(
  tx: Tx,
  actor: Actor,
  userId: number,
  keys: KeysOfUser = 'REVOKE',
): Promise<void> {
  if (keys === 'TAKE_OVER' && actor.type === 'USER' && actor.userId === userId)
    throw new Problem('forbidden', {
      detail: 'You cannot take over your own API keys. Another user can.',
    });

  const owned = await tx.db
    .selectFrom('access_api_key')
    .select('id')
    .where('ownerId', '=', userId)
    .where('revokedAt', 'is', null)
    .orderBy('id')
    .execute();

  const end = { REVOKE: revokeKey, TAKE_OVER: takeOverKey }[keys];
  for (const { id } of owned) await end(tx, actor, id);
}
