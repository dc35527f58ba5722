import { createLog } from '../../platform/log.ts';
import { installRuntime } from '../../workers/temporal-workers.ts';

let isInstalled = false;

export function temporalRuntime(): void {
  if (isInstalled) return;
  isInstalled = true;
  installRuntime(createLog({ service: 'test', level: 'silent' }));
}
