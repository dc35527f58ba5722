import type { ApiLoginEdit } from './schemas/connections.ts';
import { invalidField } from '../../kernel/problem.ts';
import { appendOutbox } from '../../kernel/outbox.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import type { Actor } from '../../kernel/actor.ts';
import { recordAudit } from '../access/audit/record-audit.ts';
import type { Database } from '../../platform/db/database.ts';
import { saveEdit } from '../../kernel/edits.ts';
import { requiredTexts } from '../../kernel/required-texts.ts';
import { API_LOGIN_LENGTH, repeatsCredential } from './create-connection.ts';
import {
  auditedConnection,
  getConnection,
  holdConnection,
  type ConnectionView,
} from './connection-view.ts';
import { API_LOGIN_PURPOSE } from './erp-calls/erp-token-store.ts';
import { forgetAllRefusals } from './erp-calls/refusals.ts';

/**
 * Replaces the credential, deletes its token and recorded rejections, and starts imports. The audit
 * does not contain the credential. Problems: not-found, version-conflict, validation (also if the
 * name contains the credential).
 */
export async function replaceApiLogin(
  { db, secrets }: { db: Database; secrets: SecretBox },
  actor: Actor,
  input: ApiLoginEdit & { id: number },
): Promise<ConnectionView> {
  const { apiLogin } = requiredTexts({ apiLogin: input.apiLogin }, { apiLogin: API_LOGIN_LENGTH });
  return db.transaction(async (tx) => {
    const row = await holdConnection(tx, input.id, input.version);
    const before = await getConnection(tx, input.id);
    if (repeatsCredential(before.name, apiLogin))
      throw invalidField(
        'apiLogin',
        'contains_secret',
        'The name of the connection repeats this credential',
      );

    await saveEdit(tx, row, {
      apiLoginEncrypted: secrets.seal(API_LOGIN_PURPOSE, input.id, apiLogin),
    });
    await forgetAllRefusals(tx, input.id);
    const after = await getConnection(tx, input.id);
    await recordAudit(tx, actor, {
      entityType: 'connection',
      entityId: input.id,
      action: 'replace-api-login',
      before: auditedConnection(before),
      after: auditedConnection(after),
    });

    await appendOutbox(tx, 'ConnectionChanged', {
      connectionId: input.id,
      change: 'CREDENTIAL_REPLACED',
    });

    return after;
  });
}
