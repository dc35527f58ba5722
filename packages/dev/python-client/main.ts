import { describeStartFailure } from '../../../platform/start-failure.ts';
import { toolFolder } from '../programs/tool-folders.ts';
import { useStorefrontWithPython } from './use-storefront.ts';

// `npm run carte -- client:python http://127.0.0.1:8080`: a client that a foreign generator writes
// in Python reads a menu of the running product. With `--order` behind the URL it also places an
// order for pickup: not where a kitchen would cook it.

const given = process.argv.slice(2);
const [url = 'http://127.0.0.1:8080'] = given.filter((text) => text !== '--order');
try {
  const programs = await toolFolder('openapi-python-client', (line) => console.log(line));
  console.log(await useStorefrontWithPython(programs, url.replace(/\/$/, ''), { order: given.includes('--order') }));
} catch (error) {
  console.error(describeStartFailure(error));
  process.exitCode = 1;
}
