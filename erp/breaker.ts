import { CircuitState, CountBreaker } from 'cockatiel';
import type { Log } from '../platform/log.ts';
import { ErpFailure, isErpFailure } from './failure.ts';
import type { Circuits, EnteringRequest } from './ports.ts';

export type BreakerOptions = {
  circuits: Circuits;
  log: Log;
  /** Requests that are looked back on. */
  size: number;
  /** How long the circuit stays open, milliseconds. */
  openMs: number;
};

/** Runs `work` unless the circuit of the connection is open or the ERP has asked to wait. */
export type Breaker = <T>(request: EnteringRequest, work: () => Promise<T>) => Promise<T>;

/** What a request has shown: an answer such as 400 shows that the ERP works, an interrupted one shows nothing. */
type Finding = 'WORKS' | 'FAULT' | 'NOTHING';

/**
 * One circuit per connection, open or closed for all processes at once (rule ERP-9): a process that sees 50 percent
 * failures among the last `size` requests of a connection opens it for `openMs`; afterwards one request of one process tries
 * whether the ERP works again, one whose caller waits for the answer. Only failures that may pass by themselves count. A 429 with `Retry-After` keeps everybody away
 * from that endpoint for that time. Rejects with CIRCUIT_OPEN or RATE_LIMITED and the time that is left, without a request.
 */
export function createBreaker({ circuits, log, size, openMs }: BreakerOptions): Breaker {
  const windows = new Map<number, CountBreaker>();

  function windowOf(connectionId: number): CountBreaker {
    const known = windows.get(connectionId);
    if (known !== undefined) return known;
    // The library opens above its threshold, the rule at 50 percent: half a request less makes them equal.
    const made = new CountBreaker({ threshold: (size / 2 - 0.5) / size, size });
    windows.set(connectionId, made);
    return made;
  }

  async function open(connectionId: number): Promise<void> {
    windows.delete(connectionId);
    await circuits.open(connectionId, openMs);
    log.warn({ connectionId, openMs }, 'the circuit of a connection is open');
  }

  async function settleProbe(connectionId: number, finding: Finding): Promise<void> {
    if (finding !== 'WORKS') return open(connectionId);
    windows.delete(connectionId);
    await circuits.close(connectionId);
    log.info({ connectionId }, 'the circuit of a connection is closed');
  }

  async function settle(connectionId: number, finding: Finding): Promise<void> {
    if (finding === 'WORKS') windowOf(connectionId).success(CircuitState.Closed);
    if (finding === 'FAULT' && windowOf(connectionId).failure(CircuitState.Closed)) await open(connectionId);
  }

  return async (request, work) => {
    const { connectionId, endpoint } = request;
    const passage = await circuits.enter(request);
    if (passage.state === 'OPEN') {
      windows.delete(connectionId);
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
        description: 'the ERP has asked to wait',
      });
    const conclude = passage.state === 'PROBE' ? settleProbe : settle;
    try {
      const result = await work();
      await conclude(connectionId, 'WORKS');
      return result;
    } catch (error) {
      await conclude(connectionId, findingOf(error));
      if (isErpFailure(error) && error.kind === 'RATE_LIMITED' && (error.retryAfterMs ?? 0) > 0)
        await circuits.hold(connectionId, endpoint, error.retryAfterMs ?? 0);
      throw error;
    }
  };
}

function findingOf(error: unknown): Finding {
  if (!isErpFailure(error)) return 'NOTHING';
  return error.retryable ? 'FAULT' : 'WORKS';
}
