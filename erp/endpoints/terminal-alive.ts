import { Type } from 'typebox';
import type { Endpoint, EndpointGroup, CallOptions } from '../call.ts';
import { checkThen, Uuid } from '../schemas/check.ts';
import { checkRows } from '../schemas/read-rows.ts';

const IS_ALIVE: Endpoint<ReadonlyMap<string, boolean>> = {
  path: '/api/1/terminal_groups/is_alive',
  check: checkThen(
    checkRows(
      Type.Object({
        isAliveStatus: Type.Array(Type.Object({ terminalGroupId: Uuid, isAlive: Type.Boolean() })),
      }),
    ),
    ({ isAliveStatus }) =>
      new Map(
        isAliveStatus.map(({ terminalGroupId, isAlive }) => [
          terminalGroupId.toLowerCase(),
          isAlive,
        ]),
      ),
  ),
};

export type TerminalAliveCalls = {
  terminalGroupsAlive(
    connectionId: number,
    organizationIds: string[],
    terminalGroupIds: string[],
    options?: CallOptions,
  ): Promise<ReadonlyMap<string, boolean>>;
};

/** The ERP accepts an order for a dead terminal group, but it fails seconds later. */
export const terminalAliveCalls: EndpointGroup<TerminalAliveCalls> = (call) => ({
  terminalGroupsAlive: async (connectionId, organizationIds, terminalGroupIds, options) =>
    (await call(connectionId, IS_ALIVE, { organizationIds, terminalGroupIds }, options)).data,
});
