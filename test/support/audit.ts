import { listAudit } from '../../modules/access/audit/list-audit.ts';
import type { AuditEntry } from '../../modules/access/schemas/audit.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import type { Database } from './text-database.ts';

export async function readAudit(
  deps: { db: Database; secrets: SecretBox },
  entityType: AuditEntry['entityType'],
  entityId?: number | string,
): Promise<AuditEntry[]> {
  const id = entityId === undefined ? undefined : String(entityId);
  const { items } = await listAudit(deps, { entityType, entityId: id, page: 1, size: 200 });
  return items.toReversed();
}
