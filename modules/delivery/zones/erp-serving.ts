import type { Position } from '../../mirror/rules/zone-polygon.ts';
import type { ErpClient } from '../../../erp/client.ts';
import type { ErpServer } from '../../../erp/endpoints/delivery-allowed.ts';
import type { Log } from '../../../platform/log.ts';
import { sharedRun } from '../../../platform/shared-run.ts';

/** By connection. */
export type Candidates = ReadonlyMap<number, readonly string[]>;

export type ErpServing = {
  /** Preferred organization first; null if the ERP does not respond. */
  at(point: Position, candidates: Candidates): Promise<readonly ErpServer[] | null>;
};

/** After this time, our own zones decide. */
const WAIT_MS = 2_000;
/** Covers a checkout, which resolves its address several times. */
const KEPT_MS = 60_000;
const MOST_KEPT = 1_000;

/**
 * Caches the organizations that serve a point in the ERP (FUL-46). Equal requests share one call
 * (FUL-59).
 */
export function createErpServing(
  { erp, log }: { erp: Pick<ErpClient, 'deliveryServers'>; log: Log },
  now: () => number = () => performance.now(),
): ErpServing {
  const shared = sharedRun<string, readonly ErpServer[] | null>();
  const cache = new Map<string, { servers: readonly ErpServer[]; until: number }>();

  async function ask(
    point: Position,
    candidates: Candidates,
  ): Promise<readonly ErpServer[] | null> {
    const signal = AbortSignal.timeout(WAIT_MS);
    const coords = [point[0], point[1]] as const;

    try {
      const answers = await Promise.all(
        [...candidates].map(([connectionId, organizationIds]) =>
          erp.deliveryServers(
            connectionId,
            { organizationIds: [...organizationIds], coords },
            { signal, isHurried: true },
          ),
        ),
      );

      return answers.flat();
    } catch (error) {
      log.warn(
        { err: error },
        'the ERP returned no restaurant for the place; using our delivery zones',
      );

      return null;
    }
  }

  return {
    async at(point, candidates) {
      const key = JSON.stringify([point, [...candidates]]);
      const cached = cache.get(key);
      if (cached !== undefined && cached.until > now()) return cached.servers;
      const servers = await shared(key, () => ask(point, candidates));
      if (servers === null) return null;
      cache.delete(key);
      cache.set(key, { servers, until: now() + KEPT_MS });
      if (cache.size > MOST_KEPT) cache.delete(cache.keys().next().value!);

      return servers;
    },
  };
}
