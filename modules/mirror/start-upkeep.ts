import { searchAttributes } from '../../platform/pure/search-attributes.ts';
import { startWorkflow, type TemporalDeps } from '../../kernel/start-workflow.ts';
import { upkeepWorkflow } from './messages/upkeep.ts';

/** Starts the upkeep loop unless it runs (OPS-102). */
export function startUpkeep(deps: TemporalDeps): Promise<void> {
  const attributes = searchAttributes({ CarteCapability: 'upkeep' });
  const summary = 'Upkeep: resumes lost work and deletes outdated rows each minute';
  return startWorkflow(deps, upkeepWorkflow, { input: {}, attributes, summary }, 'USE_EXISTING');
}
