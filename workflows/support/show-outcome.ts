import { upsertSearchAttributes } from '@temporalio/workflow';
import { searchAttributes } from '../../kernel/pure/search-attributes.ts';

/** Lets operators find the execution by its outcome (rule OPS-35). Does nothing while there is none. */
export function showOutcome(outcome: string | null): void {
  if (outcome !== null) upsertSearchAttributes(searchAttributes({ CarteOutcome: outcome }));
}
