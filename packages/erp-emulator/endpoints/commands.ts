import type { Command, Context } from '../state.ts';
import { failure, ok } from '../wire.ts';
import type { Answer, Body } from '../wire.ts';

const FINISHED: Readonly<Record<Command['mode'], object>> = {
  success: { state: 'Success' },
  error: {
    state: 'Error',
    errorReason: 'MenuNotReady',
    exception: { message: 'The menu could not be prepared.' },
  },
  hang: { state: 'InProgress' },
};

/**
 * Returns the state of a new order, or of an asynchronous menu request, where each call counts as
 * a poll. Unknown ids answer 410.
 */
export function commandStatus({ state }: Context, body: Body): Answer {
  if (typeof body.organizationId !== 'string' || typeof body.correlationId !== 'string') {
    return failure(400, 'organizationId and correlationId are required.');
  }
  const delivery = state.deliveries.ofCommand(body.correlationId);
  if (delivery) {
    const { creation, error } = delivery;
    return ok(
      error === null
        ? { state: creation }
        : { state: creation, errorReason: error.code, exception: error },
    );
  }

  const command = state.commands.get(body.correlationId);
  if (!command) return failure(410, 'The command is no longer kept.');
  if (command.pollsLeft > 0) {
    command.pollsLeft -= 1;
    return ok({ state: 'InProgress' });
  }

  return ok(FINISHED[command.mode]);
}
