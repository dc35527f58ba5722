import { buildConsole } from './built-site.ts';

// `npm run carte -- console:build`: builds the console of staff, before an image of the product is
// built from this checkout.

const log = (line: string): void => void process.stderr.write(`${line}\n`);
const isNew = await buildConsole(log);
log(isNew ? 'packages/console/dist is built.' : 'packages/console/dist is up to date.');
