import type { ConnectionEdit } from './schemas/connections.ts';
import { invalidField } from '../../kernel/problem.ts';
import { appendOutbox } from '../../kernel/outbox.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import type { Actor } from '../../kernel/actor.ts';
import { recordAudit } from '../access/audit/record-audit.ts';
import type { Database } from '../../platform/db/database.ts';
import { saveEdit } from '../../kernel/edits.ts';
import { requiredTexts } from '../../kernel/required-texts.ts';
import { NAME_LENGTH, repeatsCredential } from './create-connection.ts';
import {
  auditedConnection,
  getConnection,
  holdConnection,
  type ConnectionView,
} from './connection-view.ts';
import { API_LOGIN_PURPOSE } from './erp-calls/erp-token-store.ts';

/**
 * Renames a connection; nothing else can be edited (rule CON-1). Problems: not-found,
 * version-conflict, validation (also if the name contains the credential).
 */
export async function renameConnection(
  { db, secrets }: { db: Database; secrets: SecretBox },
  actor: Actor,
  input: ConnectionEdit & { id: number },
): Promise<ConnectionView> {
  const { name } = requiredTexts({ name: input.name }, { name: NAME_LENGTH });
  return db.transaction(async (tx) => {
    const row = await holdConnection(tx, input.id, input.version);
    const before = await getConnection(tx, input.id);
    if (name === before.name) return before;
    if (repeatsCredential(name, secrets.open(API_LOGIN_PURPOSE, row.id, row.apiLoginEncrypted)))
      throw invalidField('name', 'contains_secret', 'The name must not repeat the credential');
    await saveEdit(tx, row, { name });
    const after = await getConnection(tx, input.id);
    await recordAudit(tx, actor, {
      entityType: 'connection',
      entityId: input.id,
      action: 'update',
      before: auditedConnection(before),
      after: auditedConnection(after),
    });

    await appendOutbox(tx, 'ConnectionChanged', { connectionId: input.id, change: 'UPDATED' });

    return after;
  });
}
