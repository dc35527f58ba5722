import type { ErpCommandStatus } from '../../../erp/schemas/command-status.ts';
import type { MirrorDeps } from '../mirror-deps.ts';

/** Asks once how far an asynchronous menu request is. A read, so a second call is harmless. */
export async function asyncMenuStatus(
  deps: MirrorDeps,
  input: { connectionId: number; organizationId: number; correlationId: string },
  options: { signal?: AbortSignal } = {},
): Promise<ErpCommandStatus> {
  const [organization] = await deps.db.query<{ erpId: string }>(
    'select erp_id as "erpId" from mirror_organization where id = $1',
    [input.organizationId],
  );
  if (organization === undefined) throw new Error(`there is no organization ${input.organizationId}`);
  return deps.erp.commandStatus(input.connectionId, organization.erpId, input.correlationId, options);
}
