import { CircuitState, CountBreaker, circuitBreaker, handleWhenResult, type CircuitBreakerPolicy } from 'cockatiel';
import { ErpFailure, isErpFailure } from './failure.ts';

export type CircuitName = 'CLOSED' | 'OPEN' | 'HALF_OPEN';

/** One circuit per connection: a credential that fails does not stop the others. */
export type Breakers = {
  /** Runs `work` unless the circuit is open; then rejects with CIRCUIT_OPEN and the time that is left. */
  run<T>(connectionId: number, endpoint: string, work: () => Promise<T>): Promise<T>;
  state(connectionId: number): CircuitName;
};

type Outcome<T> = { value: T } | { failure: ErpFailure } | { interrupted: unknown };
type Circuit = { policy: CircuitBreakerPolicy; openedAt: number };

const NAMES: Readonly<Record<CircuitState, CircuitName>> = {
  [CircuitState.Closed]: 'CLOSED',
  [CircuitState.Open]: 'OPEN',
  [CircuitState.HalfOpen]: 'HALF_OPEN',
  [CircuitState.Isolated]: 'OPEN',
};

/**
 * Opens at 50 percent failures among the last `size` requests of a connection, for `openMs` (spec 2, Limits). Only
 * failures that may pass by themselves count; an answer such as 400 shows that the ERP works.
 */
export function createBreakers({ size, openMs }: { size: number; openMs: number }): Breakers {
  const circuits = new Map<number, Circuit>();

  function circuitOf(connectionId: number): Circuit {
    const known = circuits.get(connectionId);
    if (known !== undefined) return known;
    const policy = circuitBreaker(handleWhenResult(isFault), {
      halfOpenAfter: openMs,
      // The library opens above its threshold, the rule says at 50 percent: half a request less makes them equal.
      breaker: new CountBreaker({ threshold: (size / 2 - 0.5) / size, size }),
    });
    const circuit: Circuit = { policy, openedAt: 0 };
    policy.onBreak(() => (circuit.openedAt = Date.now()));
    circuits.set(connectionId, circuit);
    return circuit;
  }

  return {
    state: (connectionId) => {
      const circuit = circuits.get(connectionId);
      return circuit === undefined ? 'CLOSED' : NAMES[circuit.policy.state];
    },
    async run<T>(connectionId: number, endpoint: string, work: () => Promise<T>): Promise<T> {
      const circuit = circuitOf(connectionId);
      const outcome = await circuit.policy
        .execute(() => attempt(work, circuit.policy))
        .catch((error: Error) => {
          if (!('isBrokenCircuitError' in error)) throw error;
          const retryAfterMs = Math.max(1, circuit.openedAt + openMs - Date.now());
          throw new ErpFailure('CIRCUIT_OPEN', { endpoint, retryAfterMs, description: 'too many requests failed' });
        });
      if ('value' in outcome) return outcome.value;
      throw 'failure' in outcome ? outcome.failure : outcome.interrupted;
    },
  };
}

/** Turns failures into results, because the circuit learns from a refused request that the ERP answers. */
async function attempt<T>(work: () => Promise<T>, policy: CircuitBreakerPolicy): Promise<Outcome<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    if (isErpFailure(error)) return { failure: error };
    // An interrupted call says nothing about the ERP; as the one probe of a half-open circuit it must not close it.
    if (policy.state === CircuitState.HalfOpen) return { interrupted: error };
    throw error;
  }
}

function isFault(outcome: unknown): boolean {
  const { failure } = outcome as { failure?: ErpFailure };
  return failure?.retryable ?? 'interrupted' in (outcome as object);
}
