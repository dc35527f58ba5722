import { createLog } from '../../platform/log.ts';
import { installRuntime } from '../../workers/temporal-workers.ts';

let isInstalled = false;

/**
 * Installs Temporal's runtime, which a process has once, with a silent log, for the first test file
 * that needs it.
 */
export function temporalRuntime(): void {
  if (isInstalled) return;
  isInstalled = true;
  installRuntime(createLog({ service: 'test', level: 'silent' }));
}
