import { ReadableStream } from 'node:stream/web';
import type { Client } from '@temporalio/client';

/** Wraps a client so that no schedule exists or is created: schedules would start work. */
export function withoutSchedules(temporal: Client, onList: () => void = () => undefined): Client {
  const schedule = {
    list() {
      onList();
      return ReadableStream.from([]);
    },
    create: async () => undefined,
    getHandle: () => ({
      describe: async () => {
        throw Object.assign(new Error('There is no such schedule'), {
          name: 'ScheduleNotFoundError',
        });
      },
    }),
  };
  return Object.create(temporal, { schedule: { value: schedule } }) as Client;
}
