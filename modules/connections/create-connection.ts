import { sql } from 'kysely';
import type { NewConnection } from './schemas/connections.ts';
import { invalidField, Problem } from '../../kernel/problem.ts';
import { Connection } from './tables/connections.ts';
import { appendOutbox } from '../../kernel/outbox.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import type { Actor } from '../../kernel/actor.ts';
import { recordAudit } from '../access/audit/record-audit.ts';
import type { Database, Sql } from '../../platform/db/database.ts';
import { ownerState } from './franchise/operationally-active.ts';
import { once, type Idempotency } from '../../kernel/idempotency.ts';
import { requiredTexts } from '../../kernel/required-texts.ts';
import { insertRow } from '../../kernel/edits.ts';
import { auditedConnection, getConnection, type ConnectionView } from './connection-view.ts';
import { API_LOGIN_PURPOSE } from './erp-calls/erp-token-store.ts';

/**
 * Creates an ACTIVE connection. Its credential is encrypted and never shown again. The event
 * ConnectionChanged starts the first import (rule CON-9). Problems: validation (texts, unknown
 * owner, a name that contains the credential), owner-inactive.
 */
export async function createConnection(
  deps: { db: Database; secrets: SecretBox },
  actor: Actor,
  input: NewConnection,
  idempotency: Idempotency | null = null,
): Promise<ConnectionView> {
  const { name, apiLogin } = requiredTexts(
    { name: input.name, apiLogin: input.apiLogin },
    { name: NAME_LENGTH, apiLogin: API_LOGIN_LENGTH },
  );
  if (repeatsCredential(name, apiLogin))
    throw invalidField('name', 'contains_secret', 'The name must not repeat the credential');

  return deps.db.transaction((tx) =>
    once(tx, idempotency, async () => {
      await requireActiveOwner(tx, input.legalEntityId);
      // The id is needed first, because encrypted values are bound to it.
      const id = await nextConnectionId(tx);
      await insertRow(tx, Connection, {
        id,
        legalEntityId: input.legalEntityId,
        name,
        apiLoginEncrypted: deps.secrets.seal(API_LOGIN_PURPOSE, id, apiLogin),
      });

      const view = await getConnection(tx, id);
      await recordAudit(tx, actor, {
        entityType: 'connection',
        entityId: view.id,
        action: 'create',
        after: auditedConnection(view),
      });

      await appendOutbox(tx, 'ConnectionChanged', { connectionId: view.id, change: 'CREATED' });

      return view;
    }),
  );
}

async function nextConnectionId({ db }: Sql): Promise<number> {
  const next = sql<number>`nextval(pg_get_serial_sequence('connection', 'id'))`;
  return (await db.selectNoFrom(next.as('id')).executeTakeFirstOrThrow()).id;
}

async function requireActiveOwner(tx: Sql, legalEntityId: number): Promise<void> {
  const state = await ownerState(tx, legalEntityId, { hold: true });
  if (state === 'UNKNOWN') throw invalidField('legalEntityId', 'not_found', 'No such legal entity');
  if (state === 'INACTIVE') throw new Problem('owner-inactive');
}

/** Characters after trimming (rule CON-2). */
export const NAME_LENGTH = 200;
export const API_LOGIN_LENGTH = 500;

/** Ignores case. Names are shown, but credentials never are. */
export function repeatsCredential(name: string, apiLogin: string): boolean {
  return name.toLowerCase().includes(apiLogin.toLowerCase());
}
