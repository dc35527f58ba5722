import { endOnSignals, report, runStaticChecks } from './stages.ts';

// `npm run check`
endOnSignals();
report(await runStaticChecks());
