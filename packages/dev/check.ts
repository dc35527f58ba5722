import { endOnSignals, report, runStaticChecks } from './stages.ts';

endOnSignals();
report(await runStaticChecks());
