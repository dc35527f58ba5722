import type { Client } from '@temporalio/client';
import type { Queues } from '../../kernel/pure/queues.ts';
import { sql } from 'kysely';
import type { Sql } from '../../platform/db/database.ts';

export type Backlog = {
  queue: string;
  type: 'workflow' | 'activity';
  backlog: number;
  oldestSeconds: number;
};

const DEADLINE_MS = 2_500;

/** Temporal's numbers of task types. */
const TYPES = [
  ['workflow', 1],
  ['activity', 2],
] as const;

/** Reads the approximate number and age of waiting tasks. Rethrows errors of Temporal. */
export async function readBacklogs(temporal: Client, queues: Queues): Promise<Backlog[]> {
  const targets = Object.entries(queues).flatMap(([queue, name]) =>
    TYPES.map(([type, code]) => ({ queue, name, type, code })),
  );
  return temporal.withDeadline(Date.now() + DEADLINE_MS, () =>
    Promise.all(
      targets.map(async ({ queue, name, type, code }) => {
        const { stats } = await temporal.workflowService.describeTaskQueue({
          namespace: temporal.options.namespace,
          taskQueue: { name },
          taskQueueType: code,
          reportStats: true,
        });

        return {
          queue,
          type,
          backlog: Number(stats?.approximateBacklogCount ?? 0),
          oldestSeconds: Number(stats?.approximateBacklogAge?.seconds ?? 0),
        };
      }),
    ),
  );
}

/** Counts events that are still tried; `oldestAgeSeconds` is null if there are none. */
export function readOutboxQueue({
  db,
}: Sql): Promise<{ pending: number; oldestAgeSeconds: number | null }> {
  return db
    .selectFrom('outbox')
    .select((eb) => [
      eb.fn.countAll<number>().as('pending'),
      sql<number | null>`extract(epoch from now() - min(created_at))::double precision`.as(
        'oldestAgeSeconds',
      ),
    ])
    .where('deliveredAt', 'is', null)
    .where('parkedAt', 'is', null)
    .executeTakeFirstOrThrow();
}
