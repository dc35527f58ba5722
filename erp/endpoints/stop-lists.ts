import type { Static } from 'typebox';
import type { Endpoint, EndpointGroup, CallOptions, ErpAnswer } from '../call.ts';
import { readUtc } from '../erp-time.ts';
import { checkThen } from '../schemas/check.ts';
import { checkRows } from '../schemas/read-rows.ts';
import { nestedStopLists, StopListsAnswer, type ErpStopRow } from '../schemas/stop-lists.ts';

/** `named`: organizations with a list, even an empty one. */
type StopLists = { rows: ErpStopRow[]; named: string[] };

const checkLists = checkRows(StopListsAnswer);

const STOP_LISTS: Endpoint<StopLists> = {
  path: '/api/1/stop_lists',
  priority: 'CHANGES',
  check: checkThen(
    (answer) => checkLists(nestedStopLists(answer)),
    (answer) => ({
      rows: unwrap(answer),
      named: answer.terminalGroupStopLists.map(({ organizationId }) =>
        organizationId.toLowerCase(),
      ),
    }),
  ),
};

export type StopListCalls = {
  stopLists(
    connectionId: number,
    organizationIds: string[],
    options?: CallOptions,
  ): Promise<ErpAnswer<StopLists>>;
};

/** Reads complete stop-lists. An organization without rows has nothing stopped. */
export const stopListCalls: EndpointGroup<StopListCalls> = (call) => ({
  stopLists: (connectionId, organizationIds, options) =>
    call(connectionId, STOP_LISTS, { organizationIds, returnSize: true }, options),
});

function unwrap({ terminalGroupStopLists }: Static<typeof StopListsAnswer>): ErpStopRow[] {
  return terminalGroupStopLists.flatMap(({ organizationId, items: groups }) =>
    (groups ?? []).flatMap(({ terminalGroupId, items }) =>
      (items ?? []).map((item) => ({
        organizationId,
        terminalGroupId: terminalGroupId ?? null,
        productId: item.productId,
        sizeId: item.sizeId ?? null,
        sku: item.sku ?? null,
        balance: item.balance,
        addedAt: readUtc(item.dateAdd),
      })),
    ),
  );
}
