import type { ConflictResolution, ResolvedConflict } from '../messages/gifts.ts';
import { answerOperator, temporalActor } from '../../../kernel/answer-operator.ts';
import { isProblem, Problem } from '../../../kernel/problem.ts';
import type { Answer } from '../../../kernel/pure/rejection.ts';
import type { Database, Sql } from '../../../platform/db/database.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import { resolveConflict, STATUS_OF_DECISION } from '../cards/conflicts.ts';
import type { ClientMarkers } from '../markers/clear-markers.ts';

export type OperatorResolution = ConflictResolution & ClientMarkers;

/**
 * Resolves a conflict for an operator in Temporal. The operator may also cancel rights (rule
 * CMP-120). Idempotent.
 */
export function resolveForOperator(
  deps: { db: Database; secrets: SecretBox },
  { clientId, source, conflictId, decision, by, note }: OperatorResolution,
): Promise<Answer<ResolvedConflict>> {
  return answerOperator(async () => {
    const resolved = await readConflict(deps.db, { clientId, source }, conflictId);
    if (resolved.status === STATUS_OF_DECISION[decision]) return resolved;

    try {
      await resolveConflict(deps, temporalActor(by), conflictId, {
        decision,
        reason: note,
        mayCancel: true,
      });
    } catch (error) {
      const now = await readConflict(deps.db, { clientId, source }, conflictId);
      if (!isProblem(error) || now.status !== STATUS_OF_DECISION[decision]) throw error;
    }

    return readConflict(deps.db, { clientId, source }, conflictId);
  });
}

function readConflict(
  { db }: Sql,
  { clientId, source }: ClientMarkers,
  id: number,
): Promise<ResolvedConflict> {
  return db
    .selectFrom('compensation_conflict')
    .select(['status', 'compensationId'])
    .where('id', '=', id)
    .where('clientId', '=', clientId)
    .where('source', '=', source)
    .executeTakeFirstOrThrow(() => new Problem('not-found'));
}
