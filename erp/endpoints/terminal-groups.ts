import type { Static } from 'typebox';
import type { Endpoint, EndpointGroup, CallOptions, ErpAnswer } from '../call.ts';
import { checkThen } from '../schemas/check.ts';
import { checkRows } from '../schemas/read-rows.ts';
import { TerminalGroupsAnswer, type ErpTerminalGroup } from '../schemas/terminal-groups.ts';

type Wrappers = Static<typeof TerminalGroupsAnswer>['terminalGroups'];

const TERMINAL_GROUPS: Endpoint<{ terminalGroups: ErpTerminalGroup[] }> = {
  path: '/api/1/terminal_groups',
  check: checkThen(checkRows(TerminalGroupsAnswer), (answer) => ({
    terminalGroups: [
      ...unwrap(answer.terminalGroups, false),
      ...unwrap(answer.terminalGroupsInSleep ?? [], true),
    ],
  })),
};

export type TerminalGroupCalls = {
  terminalGroups(
    connectionId: number,
    organizationIds: string[],
    options?: CallOptions,
  ): Promise<ErpAnswer<{ terminalGroups: ErpTerminalGroup[] }>>;
};

/** Includes sleeping groups. */
export const terminalGroupCalls: EndpointGroup<TerminalGroupCalls> = (call) => ({
  terminalGroups: (connectionId, organizationIds, options) =>
    call(connectionId, TERMINAL_GROUPS, { organizationIds, includeDisabled: true }, options),
});

function unwrap(wrappers: Wrappers, isAsleep: boolean): ErpTerminalGroup[] {
  return wrappers.flatMap(({ organizationId, items }) =>
    items.map(({ id, name, timeZone }) => ({
      id,
      organizationId,
      name: name ?? '',
      timeZone: timeZone ?? null,
      isAsleep,
    })),
  );
}
