import { describeStartFailure } from '../platform/start-failure.ts';
import { pythonGenerator, readMenuWithPythonClient } from './python-client/read-menu.ts';

// `npm run client:python -- http://127.0.0.1:8080`: a client that a foreign generator writes in Python reads a menu of the running product.

const [url = 'http://127.0.0.1:8080'] = process.argv.slice(2);
try {
  const programs = await pythonGenerator((line) => console.log(line));
  console.log(await readMenuWithPythonClient(programs, url.replace(/\/$/, '')));
} catch (error) {
  console.error(describeStartFailure(error));
  process.exitCode = 1;
}
