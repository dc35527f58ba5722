import { endOnSignals, report, runStaticChecks } from './stages.ts';

// `npm run check`: all static checks.
endOnSignals();
report(await runStaticChecks());
