import { ApplicationFailure, Context } from '@temporalio/activity';
import { importFailure } from '../app/mirror/import-failure.ts';

/**
 * Makes a use case an activity: a fault that the use case understands becomes an ApplicationFailure whose type is its code,
 * permanent faults are not tried again, and a `Retry-After` becomes the delay of the next try. Everything else goes through.
 */
export function door<Output, Input = void>(
  work: (input: Input, signal: AbortSignal) => Promise<Output>,
): (input: Input) => Promise<Output> {
  return async (input) => {
    const signal = Context.current().cancellationSignal;
    try {
      return await work(input, signal);
    } catch (error) {
      // A cancelled activity ends with the reason of its signal, or Temporal would count a failure.
      if (signal.aborted) throw signal.reason;
      const failure = importFailure(error);
      if (failure === null) throw error;
      throw ApplicationFailure.create({
        type: failure.type,
        message: failure.message,
        nonRetryable: !failure.retryable,
        ...(failure.retryAfterMs === null ? {} : { nextRetryDelay: failure.retryAfterMs }),
      });
    }
  };
}

/** Like {@link door}, and tells the server several times per heartbeat time-out that the work goes on. */
export function beatingDoor<Output, Input = void>(
  work: (input: Input, signal: AbortSignal) => Promise<Output>,
): (input: Input) => Promise<Output> {
  return door(async (input, signal) => {
    const { info } = Context.current();
    const context = Context.current();
    const beat = setInterval(() => context.heartbeat(), Math.max(100, (info.heartbeatTimeoutMs ?? 15_000) / 4));
    try {
      return await work(input, signal);
    } finally {
      clearInterval(beat);
    }
  });
}
