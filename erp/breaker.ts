import { CircuitState, CountBreaker } from 'cockatiel';
import type { Log } from '../platform/log.ts';
import { ErpFailure, isErpFailure } from './failure.ts';
import { groupOfEndpoint, type CircuitKey, type Circuits, type EnteringRequest } from './ports.ts';

export type BreakerOptions = {
  circuits: Circuits;
  log: Log;
  /** Size of the window in requests. */
  size: number;
  openMs: number;
};

/** `isSplit`: part of a rejected request, whose 5xx is ignored. */
type GuardedRequest = EnteringRequest & { isSplit?: boolean };

/** Rejects if the circuit is open or the ERP requested a pause. */
export type Breaker = <T>(request: GuardedRequest, work: () => Promise<T>) => Promise<T>;

/** A 400 or 429 shows that the ERP works. An aborted request shows nothing. */
type Finding = 'WORKS' | 'FAULT' | 'NOTHING';

/**
 * Creates one circuit per connection and group of endpoints (ERP-9, ERP-26): If half of the last
 * `size` requests of a process fail, the circuit opens for all processes for `openMs`. Then one
 * request probes the ERP. Only retryable failures count, never 429. `Retry-After` of a 429 pauses
 * that endpoint for all processes. Rejects with CIRCUIT_OPEN or RATE_LIMITED and the remaining
 * time.
 */
export function createBreaker({ circuits, log, size, openMs }: BreakerOptions): Breaker {
  const windows = new Map<string, CountBreaker>();
  const nameOf = ({ connectionId, group }: CircuitKey): string => `${connectionId}/${group}`;

  function getWindow(circuit: CircuitKey): CountBreaker {
    const cached = windows.get(nameOf(circuit));
    if (cached !== undefined) return cached;
    // The library opens above its threshold, the rule at 50 %.
    const made = new CountBreaker({ threshold: (size / 2 - 0.5) / size, size });
    windows.set(nameOf(circuit), made);

    return made;
  }

  async function open(circuit: CircuitKey): Promise<void> {
    windows.delete(nameOf(circuit));
    await circuits.open(circuit, openMs);
    log.warn({ ...circuit, openMs }, 'the circuit of a connection is open');
  }

  async function settleProbe(circuit: CircuitKey, finding: Finding): Promise<void> {
    if (finding !== 'WORKS') return open(circuit);
    windows.delete(nameOf(circuit));
    await circuits.close(circuit);
    log.info(circuit, 'the circuit of a connection is closed');
  }

  async function settle(circuit: CircuitKey, finding: Finding): Promise<void> {
    if (finding === 'WORKS') getWindow(circuit).success(CircuitState.Closed);
    if (finding === 'FAULT' && getWindow(circuit).failure(CircuitState.Closed)) await open(circuit);
  }

  return async (request, work) => {
    const { connectionId, endpoint } = request;
    const circuit = { connectionId, group: groupOfEndpoint(endpoint) };
    const passage = await circuits.enter(request);
    if (passage.state === 'OPEN') {
      windows.delete(nameOf(circuit));
      throw new ErpFailure('CIRCUIT_OPEN', {
        endpoint,
        retryAfterMs: passage.leftMs,
        description: 'too many requests failed',
      });
    }

    if (passage.state === 'HELD')
      throw new ErpFailure('RATE_LIMITED', {
        endpoint,
        retryAfterMs: passage.leftMs,
        description: 'the ERP requested a pause',
      });

    const conclude = passage.state === 'PROBE' ? settleProbe : settle;

    try {
      const result = await work();
      await conclude(circuit, 'WORKS');
      return result;
    } catch (error) {
      await conclude(circuit, classifyError(error, request));
      if (isErpFailure(error) && error.kind === 'RATE_LIMITED' && (error.retryAfterMs ?? 0) > 0)
        await circuits.hold(connectionId, endpoint, error.retryAfterMs ?? 0);
      throw error;
    }
  };
}

function classifyError(error: unknown, { isSplit = false }: GuardedRequest): Finding {
  if (!isErpFailure(error)) return 'NOTHING';
  // The failure may concern only one organization (ERP-27).
  if (isSplit && error.kind === 'SERVER') return 'NOTHING';
  return error.retryable && error.kind !== 'RATE_LIMITED' ? 'FAULT' : 'WORKS';
}
