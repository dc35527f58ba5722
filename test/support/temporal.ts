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
 * Creates a namespace on the server of the test run (`TEST_TEMPORAL_ADDRESS`), or on a server of
 * this file. Each suite needs a namespace, because workflow ids contain row ids, which repeat
 * between databases. `isBare` only reserves a name.
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

/** Schedules outlive their workers, and each occurrence costs the server a task. */
async function deleteSchedules(address: string, namespace: string): Promise<void> {
  const connection = await Connection.connect({ address });
  try {
    const schedules = new ScheduleClient({ connection, namespace });
    for await (const { scheduleId } of schedules.list())
      await schedules.getHandle(scheduleId).delete();
  } finally {
    await connection.close();
  }
}

async function registerNamespace(address: string, namespace: string): Promise<void> {
  const connection = await Connection.connect({ address });
  try {
    await prepareTemporal(connection, { namespace, retentionMs: 86_400_000 });
  } finally {
    await connection.close();
  }
}
