import type { ErpCommandStatus } from '../../../erp/schemas/command-status.ts';
import type { MirrorDeps } from '../mirror-deps.ts';

/** Asks once how far an asynchronous menu request is. A read, so a second call is harmless. */
export async function asyncMenuStatus(
  deps: MirrorDeps,
  input: { connectionId: number; organizationId: number; correlationId: string },
  options: { signal?: AbortSignal } = {},
): Promise<ErpCommandStatus> {
  const organization = await deps.db.db
    .selectFrom('mirror_organization')
    .select('erpId')
    .where('id', '=', input.organizationId)
    .executeTakeFirst();
  if (organization === undefined) throw new Error(`there is no organization ${input.organizationId}`);
  return deps.erp.commandStatus(input.connectionId, organization.erpId, input.correlationId, options);
}
