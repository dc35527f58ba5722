import { updateIncident } from './binding/wake-bindings.ts';
import { updateClearing } from './gifts/markers/start-clearing.ts';
import { updateOrder } from './ordering/at-erp/accompany-order.ts';
import { Problem } from '../kernel/problem.ts';
import type { TemporalDeps, UpdateRequest } from '../kernel/start-workflow.ts';
import type { Sql } from '../platform/db/database.ts';

type Deps = TemporalDeps & { db: Sql };

/** Executions that accept updates. */
const TARGETS: readonly {
  id: RegExp;
  send: (deps: Deps, key: string, request: UpdateRequest) => Promise<unknown>;
}[] = [
  {
    id: /^incident\/(\d{1,15})$/,
    send: (deps, key, request) => updateIncident(deps, Number(key), request),
  },
  { id: /^order\/([0-9a-f-]{36})$/, send: updateOrder },
  {
    id: /^comment-clear\/([0-9a-f-]{36})$/,
    send: (deps, clientId, request) =>
      updateClearing(deps, { clientId, source: 'ERP_COMMENT' }, request),
  },
  {
    id: /^category-clear\/([0-9a-f-]{36})$/,
    send: (deps, clientId, request) =>
      updateClearing(deps, { clientId, source: 'ERP_CATEGORY' }, request),
  },
];

/**
 * Sends an update to an execution, starting it if it is missing, and returns the result (OPS-186).
 * Problem `not-found` for another id. Throws WorkflowUpdateFailedError if the update is rejected.
 */
export async function updateExecution(
  deps: Deps,
  workflowId: string,
  request: UpdateRequest,
): Promise<unknown> {
  for (const { id, send } of TARGETS) {
    const key = id.exec(workflowId)?.[1];
    if (key !== undefined) return send(deps, key, request);
  }

  throw new Problem('not-found', {
    detail: `No execution with the id ${workflowId} takes updates.`,
  });
}
