import { openApiDocument } from '../../../api/http/documents/openapi.ts';
import { PREFIXES, type Api } from '../../../api/http/route.ts';
import { routes } from '../../../api/routes.ts';
import { describeStartFailure } from '../../../platform/start-failure.ts';
import { toolFolder } from '../programs/tool-folders.ts';
import { lintDescription } from './redocly.ts';

// `npm run carte -- openapi:lint`: lints all descriptions with redocly's recommended rules. Exits
// with 1 if there are findings.

try {
  const modules = await toolFolder('redocly', (line) => console.log(line));
  for (const api of Object.keys(PREFIXES) as Api[]) {
    const found = await lintDescription(modules, openApiDocument(api, routes));
    console.log(`${api}: ${found.length === 0 ? 'nothing found' : ''}`);
    for (const { rule, place, message } of found) console.log(`  ${rule} ${place}: ${message}`);
    if (found.length > 0) process.exitCode = 1;
  }
} catch (error) {
  console.error(describeStartFailure(error));
  process.exitCode = 1;
}
