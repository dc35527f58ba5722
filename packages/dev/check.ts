import { endOnSignals, report, runStaticChecks } from './stages.ts';

// `npm run check`: everything that can be said about the sources without running them.
endOnSignals();
report(await runStaticChecks());
