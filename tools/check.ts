import { report, runStaticChecks, stopPrograms } from './stages.ts';

// `npm run check`: everything that can be said about the sources without running them.
process.once('SIGINT', () => void stopPrograms());
report(await runStaticChecks());
