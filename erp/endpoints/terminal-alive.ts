import { Type } from 'typebox';
import type { Endpoint, EndpointGroup } from '../call.ts';
import type { CallOptions } from '../client.ts';
import { checkOf, checkThen } from '../schemas/check.ts';
import { Uuid } from '../schemas/read.ts';

const IS_ALIVE: Endpoint<ReadonlySet<string>> = {
  path: '/api/1/terminal_groups/is_alive',
  check: checkThen(
    checkOf(
      Type.Object({ isAliveStatus: Type.Array(Type.Object({ terminalGroupId: Uuid, isAlive: Type.Boolean() })) }),
    ),
    ({ isAliveStatus }) =>
      new Set(
        isAliveStatus.flatMap(({ terminalGroupId, isAlive }) => (isAlive ? [terminalGroupId.toLowerCase()] : [])),
      ),
  ),
};

export type TerminalAliveCalls = {
  aliveTerminalGroups(
    connectionId: number,
    organizationIds: string[],
    terminalGroupIds: string[],
    options?: CallOptions,
  ): Promise<ReadonlySet<string>>;
};

/**
 * Which of the terminal groups can take an order now; one that the ERP does not speak of cannot. An order for a terminal group that is
 * not alive is taken and dies some seconds later. A read: repeating it is harmless.
 */
export const terminalAliveCalls: EndpointGroup<TerminalAliveCalls> = (call) => ({
  aliveTerminalGroups: async (connectionId, organizationIds, terminalGroupIds, options) =>
    (await call(connectionId, IS_ALIVE, { organizationIds, terminalGroupIds }, options)).data,
});
