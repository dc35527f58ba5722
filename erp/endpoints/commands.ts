import type { Endpoint, EndpointGroup } from '../call.ts';
import { checkOf, checkThen } from '../schemas/check.ts';
import { CommandStatusAnswer, type ErpCommandStatus } from '../schemas/command-status.ts';

const COMMAND_STATUS: Endpoint<ErpCommandStatus> = {
  path: '/api/1/commands/status',
  check: checkThen(checkOf(CommandStatusAnswer), ({ state, errorReason }) => {
    if (state === 'Success') return { state };
    if (state === 'Error') return { state, ...(errorReason == null ? {} : { reason: errorReason }) };
    return { state: 'InProgress' };
  }),
};

/** State of an asynchronous command; fails with GONE when the ERP no longer keeps it. */
export const commandCalls: EndpointGroup<'commandStatus'> = (call) => ({
  commandStatus: async (connectionId, organizationId, correlationId, options) =>
    (await call(connectionId, COMMAND_STATUS, { organizationId, correlationId }, options)).data,
});
