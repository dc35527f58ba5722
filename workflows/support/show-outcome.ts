import { upsertSearchAttributes } from '@temporalio/workflow';
import { searchAttributes } from '../../kernel/pure/search-attributes.ts';

/**
 * Has operators find the execution by how its work has ended (rule OPS-35). Does nothing without an outcome: it is not over, or a worker of
 * an earlier release has looked, whose executions go on as they began.
 */
export function showOutcome(outcome: string | undefined): void {
  if (outcome !== undefined) upsertSearchAttributes(searchAttributes({ CarteOutcome: outcome }));
}
