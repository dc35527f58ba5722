import { describeStartFailure } from '../platform/start-failure.ts';
import { resolveTemporal } from './temporal-binary.ts';

// `npm run carte -- temporal`: makes Temporal available. Prints the path of its program, or the
// configured address.
try {
  const found = await resolveTemporal({ log: (line) => console.error(line) });
  console.log(found.kind === 'address' ? found.address : found.path);
} catch (error) {
  console.error(describeStartFailure(error));
  process.exitCode = 1;
}
