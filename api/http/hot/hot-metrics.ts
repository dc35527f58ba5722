import type { Metrics } from '../../../platform/metrics.ts';

export type HotMetrics = { count(route: string, status: number): void; stop(): void };

const FLUSH_EVERY_MS = 1_000;

/**
 * Adds to the metrics once a second: a labeled counter costs more than a 304. Durations are not
 * observed.
 */
export function createHotMetrics(metrics: Pick<Metrics, 'httpRequests'>): HotMetrics {
  const routes = new Map<string, Map<number, number>>();
  const flush = () => {
    for (const [route, statuses] of routes) {
      for (const [status, count] of statuses)
        metrics.httpRequests.inc({ api: 'public', route, status }, count);
      statuses.clear();
    }
  };

  const timer = setInterval(flush, FLUSH_EVERY_MS);
  timer.unref();

  return {
    count(route, status) {
      let statuses = routes.get(route);
      if (statuses === undefined) routes.set(route, (statuses = new Map()));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    },
    stop() {
      clearInterval(timer);
      flush();
    },
  };
}
