import { resolveTemporal } from '../../tools/temporal-binary.ts';
import { startTemporal } from '../../tools/temporal-server.ts';
import { sharedServer } from './shared-server.ts';

const borrow = sharedServer<string>(
  () => process.env['TEST_TEMPORAL_ADDRESS'],
  async () => {
    const log = (line: string): void => void process.stderr.write(`${line}\n`);
    const { TEMPORAL_ADDRESS: _own, ...env } = process.env;
    const found = await resolveTemporal({ env, log });
    if (found.kind === 'address') throw new Error('without TEMPORAL_ADDRESS a binary is resolved');
    const temporal = await startTemporal({ binary: found.path, log: () => undefined });
    return { server: temporal.address, stop: temporal.stop };
  },
);

/**
 * A Temporal server with the product's search attributes in namespace `default`: that of the test run
 * (`TEST_TEMPORAL_ADDRESS`), or one started for this test file when it runs by hand. It is shared, so tests use
 * unique workflow ids and task queues. `stop` ends only a server started for this file.
 */
export async function testTemporal(): Promise<{ address: string; stop: () => Promise<void> }> {
  const { server, release } = await borrow();
  return { address: server, stop: release };
}
