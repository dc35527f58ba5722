import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Log } from './log.ts';

/** Exported metrics of Temporal's SDK. Others are dropped. */
export const TEMPORAL_METRICS: Readonly<
  Record<string, { type: 'counter' | 'gauge'; labels: readonly string[]; help: string }>
> = {
  temporal_workflow_task_execution_failed: {
    type: 'counter',
    labels: ['workflow_type', 'failure_reason'],
    help: 'Failed workflow tasks, which are retried: NonDeterminismError if the release cannot replay a history',
  },
  temporal_activity_execution_failed: {
    type: 'counter',
    labels: ['activity_type'],
    help: 'Attempts of activities that failed, without answers that no retry can change',
  },
  temporal_request_failure: {
    type: 'counter',
    labels: ['operation', 'status_code'],
    help: 'Requests to Temporal that failed',
  },
  temporal_worker_task_slots_available: {
    type: 'gauge',
    labels: ['task_queue', 'worker_type'],
    help: 'Free task slots of a queue in this worker',
  },
  temporal_sticky_cache_size: {
    type: 'gauge',
    labels: [],
    help: 'Workflows that this worker keeps in memory',
  },
};

/** Labels that are constant in a process. */
const NEEDLESS = /,?(?:service_name|namespace|otel_scope_name|activity_task_queue)="[^"]*"/g;

export type TemporalMetrics = {
  bindAddress: string;
  /** Returns an empty text and logs if the SDK does not answer. */
  read: () => Promise<string>;
};

/** Chooses a free local port for the SDK's metrics, and returns a reader of them. */
export async function temporalMetrics(log: Log): Promise<TemporalMetrics> {
  const bindAddress = `127.0.0.1:${await freePort()}`;
  return {
    bindAddress,
    async read() {
      try {
        const response = await fetch(`http://${bindAddress}/metrics`, {
          signal: AbortSignal.timeout(1_000),
        });
        return namedIn(await response.text());
      } catch (error) {
        log.warn({ err: error }, 'the metrics of the Temporal SDK cannot be read');
        return '';
      }
    },
  };
}

function namedIn(text: string): string {
  const lines = text.split('\n').filter((line) => {
    const [, name = ''] = /^(?:# (?:HELP|TYPE) )?(\w+)/.exec(line) ?? [];
    return name in TEMPORAL_METRICS;
  });

  return lines
    .map((line) => `${line.replaceAll(NEEDLESS, '').replace('{,', '{').replace('{}', '')}\n`)
    .join('');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');

  return port;
}
