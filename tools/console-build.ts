import { buildConsole } from './built-site.ts';

// `npm run carte -- console:build`: builds the staff console for an image.

const log = (line: string): void => void process.stderr.write(`${line}\n`);
const isNew = await buildConsole(log);
log(isNew ? 'packages/console/dist is built.' : 'packages/console/dist is up to date.');
