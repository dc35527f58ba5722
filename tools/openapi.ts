import { readFile, writeFile } from 'node:fs/promises';
import { openApiDocument } from '../api/http/openapi.ts';
import { routes } from '../api/routes.ts';
import { breakingChanges, type ApiDescription } from './openapi-breaking.ts';

/**
 * `npm run openapi`: writes the description of the public contour that is committed as the baseline of its contract.
 * Refuses a breaking change: within /api/v1 only additions are allowed (spec 1, Versioning).
 */
const file = new URL('../contracts/openapi/public.json', import.meta.url);
const baseline = JSON.parse(await readFile(file, 'utf8')) as ApiDescription;
const document = openApiDocument('public', routes);
const breaks = breakingChanges(baseline, document as unknown as ApiDescription);
if (breaks.length > 0) {
  process.stderr.write(`The public API would break its clients:\n${breaks.map((each) => `  - ${each}`).join('\n')}\n`);
  process.exitCode = 1;
} else {
  await writeFile(file, `${JSON.stringify(document, null, 2)}\n`);
}
