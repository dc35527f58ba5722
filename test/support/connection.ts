import { createConnection } from '../../modules/connections/create-connection.ts';
import type { ConnectionView } from '../../modules/connections/connection-view.ts';
import { createFranchisee } from '../../modules/connections/franchise/franchisees.ts';
import { createLegalEntity } from '../../modules/connections/franchise/legal-entities.ts';
import { systemActor } from '../../kernel/actor.ts';
import type { Database } from './text-database.ts';
import { createSecretBox } from '../../platform/secrets.ts';

/** Fixed, so that all tests can decrypt each other's secrets. */
export const testSecrets = createSecretBox([{ id: 'test@row', key: Buffer.alloc(32, 7) }]);

export const testActor = systemActor('test');

let named = 0;

export async function anOwner(
  db: Database,
): Promise<{ franchiseeId: number; legalEntityId: number }> {
  named += 1;
  const franchisee = await createFranchisee({ db }, testActor, { name: `Franchisee ${named}` });
  const entity = await createLegalEntity({ db }, testActor, {
    franchiseeId: franchisee.id,
    name: `Entity ${named}`,
  });
  return { franchiseeId: franchisee.id, legalEntityId: entity.id };
}

/** The events of the connection stay in the outbox. */
export async function aConnection(db: Database, apiLogin: string): Promise<ConnectionView> {
  const { legalEntityId } = await anOwner(db);
  const deps = { db, secrets: testSecrets };
  return createConnection(deps, testActor, { legalEntityId, name: `Account ${named}`, apiLogin });
}
