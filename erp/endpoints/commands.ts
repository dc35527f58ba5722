import type { Endpoint, EndpointGroup, CallOptions } from '../call.ts';
import { wordOnly } from '../personal.ts';
import { checkThen, createCheck, maybe } from '../schemas/check.ts';
import { Type } from 'typebox';

/** An unknown state counts as in progress. */
const CommandStatusAnswer = Type.Object({
  state: Type.String(),
  errorReason: maybe(Type.String()),
});

/** `Success`: repeat the request to read its result. */
export type ErpCommandStatus = { state: 'InProgress' | 'Success' | 'Error'; reason?: string };

const COMMAND_STATUS: Endpoint<ErpCommandStatus> = {
  path: '/api/1/commands/status',
  personal: 'IN_ANSWER',
  check: checkThen(createCheck(CommandStatusAnswer), ({ state, errorReason }) => {
    if (state === 'Success') return { state };
    const reason = wordOnly(errorReason ?? undefined);
    if (state === 'Error') return { state, ...(reason === undefined ? {} : { reason }) };
    return { state: 'InProgress' };
  }),
};

export type CommandCalls = {
  commandStatus(
    connectionId: number,
    organizationId: string,
    correlationId: string,
    options?: CallOptions,
  ): Promise<ErpCommandStatus>;
};

/** Fails with GONE if the ERP no longer has the command. */
export const commandCalls: EndpointGroup<CommandCalls> = (call) => ({
  commandStatus: async (connectionId, organizationId, correlationId, options) =>
    (await call(connectionId, COMMAND_STATUS, { organizationId, correlationId }, options)).data,
});
