import { randomBytes } from 'node:crypto';
import { Connection, ScheduleClient } from '@temporalio/client';
import { prepareTemporal } from '../../platform/prepare-temporal.ts';
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
 * A namespace of its own, with the product's search attributes, on the Temporal server of the test
 * run (`TEST_TEMPORAL_ADDRESS`) or on one started for this test file when it runs alone. Workflow
 * ids come from row ids, which repeat from database to database: without a namespace per suite they
 * would meet. A bare one is only a name: the caller prepares it. `stop` ends the schedules of the
 * namespace, and a server only when it was started for this file.
 */
export async function testTemporal({ isBare = false } = {}): Promise<{
  address: string;
  namespace: string;
  stop: () => Promise<void>;
}> {
  const { server, release } = await borrow();
  const namespace = `test-${process.pid}-${randomBytes(5).toString('hex')}`;
  if (!isBare) await registerNamespace(server, namespace);
  return {
    address: server,
    namespace,
    async stop() {
      await deleteSchedules(server, namespace);
      await release();
    },
  };
}

/**
 * Schedules outlive the workers that act on them, and each of their moments costs the server a
 * task, to the end of the run.
 */
async function deleteSchedules(address: string, namespace: string): Promise<void> {
  const connection = await Connection.connect({ address });
  try {
    const schedules = new ScheduleClient({ connection, namespace });
    for await (const { scheduleId } of schedules.list()) await schedules.getHandle(scheduleId).delete();
  } finally {
    await connection.close();
  }
}

/** Creates a namespace with the product's search attributes on a running server. */
async function registerNamespace(address: string, namespace: string): Promise<void> {
  const connection = await Connection.connect({ address });
  try {
    await prepareTemporal(connection, { namespace, retentionMs: 86_400_000 });
  } finally {
    await connection.close();
  }
}
