import { endOnSignals, report, runStaticChecks } from './stages.ts';

// `npm run check`: all static checks of the sources.
endOnSignals();
report(await runStaticChecks());
