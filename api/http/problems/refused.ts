import { noteSecurityEvent } from '../../../modules/access/security-events.ts';
import type { Problem } from '../../../kernel/problem.ts';
import type { SecurityEventKind } from '../../../modules/access/schemas/security-events.ts';
import type { ProblemKind } from '../../../kernel/pure/problems.ts';
import type { Deps } from '../../deps.ts';
import { clientAddress } from '../client-address.ts';
import type { HttpContext } from '../context.ts';
import type { Api } from '../route.ts';

/** Use cases record others. */
const NOTED: Readonly<Partial<Record<Api, Partial<Record<ProblemKind, SecurityEventKind>>>>> = {
  admin: { forbidden: 'FORBIDDEN' },
  webhooks: { unauthorized: 'WEBHOOK_REFUSED' },
};

/** Records a rejection as a security event (rule ACC-13). */
export async function noteRefusal(
  deps: RefusalDeps,
  ctx: HttpContext,
  { kind: problem }: Problem,
): Promise<void> {
  const { requestId, refusedKey } = ctx.state;
  const isKey = refusedKey !== null && problem === 'unauthorized';
  const kind = isKey ? refusedKey.refused : NOTED[ctx.state.api]?.[problem];
  if (kind === undefined) return;
  const userId = isKey ? refusedKey.keyId : ctx.state.userId;
  await noteSecurityEvent(deps, {
    kind,
    userId,
    requestId,
    address: clientAddress(ctx.req, deps.env.TRUST_PROXY),
  });
}

export type RefusalDeps = Pick<Deps, 'db' | 'secrets' | 'log' | 'env'>;
