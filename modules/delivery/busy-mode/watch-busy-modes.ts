import { searchAttributes } from '../../../platform/pure/search-attributes.ts';
import { startOrSignal, type TemporalDeps } from '../../../kernel/start-workflow.ts';
import { busyModeChanged, busyModeWorkflow } from '../messages/busy-mode.ts';

/** Starts or signals the workflow that ends busy modes. */
export function watchBusyModes(deps: TemporalDeps): Promise<void> {
  const attributes = searchAttributes({ CarteCapability: 'delivery' });
  return startOrSignal(deps, busyModeWorkflow, { input: {}, attributes }, busyModeChanged);
}
