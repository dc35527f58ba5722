import { describeStartFailure } from '../../../platform/start-failure.ts';
import { toolFolder } from '../programs/tool-folders.ts';
import { useStorefrontWithPython } from './use-storefront.ts';

// `npm run carte -- client:python http://127.0.0.1:8080 [--order]`: a generated Python client reads
// a menu of the running product. `--order` also places a pickup order, so never use it where a
// kitchen would cook it.

const given = process.argv.slice(2);
const [url = 'http://127.0.0.1:8080'] = given.filter((text) => text !== '--order');

try {
  const programs = await toolFolder('openapi-python-client', (line) => console.log(line));
  console.log(
    await useStorefrontWithPython(programs, url.replace(/\/$/, ''), {
      order: given.includes('--order'),
    }),
  );
} catch (error) {
  console.error(describeStartFailure(error));
  process.exitCode = 1;
}
