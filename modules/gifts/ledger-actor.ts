import type { Actor } from '../../kernel/actor.ts';

/** How the ledger names who has moved a right. */
export function ledgerActor(actor: Actor): { type: 'USER' | 'SYSTEM'; id: number | null; name: string | null } {
  return actor.type === 'USER'
    ? { type: 'USER', id: actor.userId, name: null }
    : { type: 'SYSTEM', id: null, name: actor.name };
}
