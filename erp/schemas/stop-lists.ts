import { Type } from 'typebox';
import { Uuid, maybe, orNull } from './check.ts';

const StopRow = Type.Object({
  productId: Uuid,
  // An unreadable limit stops the item (MIR-69).
  balance: Type.Number({ default: 0 }),
  sizeId: maybe(Type.String()),
  sku: maybe(Type.String()),
  dateAdd: maybe(Type.String()),
});

/** A null list has nothing stopped. */
export const StopListsAnswer = Type.Object({
  terminalGroupStopLists: Type.Array(
    Type.Object({
      organizationId: Uuid,
      items: orNull(
        Type.Array(
          Type.Object({ terminalGroupId: maybe(Uuid), items: orNull(Type.Array(StopRow)) }),
        ),
      ),
    }),
  ),
});

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
const isStop = (entry: unknown): boolean => isObject(entry) && 'productId' in entry;

/** Some deployments put the terminal group next to the organization, with rows directly below. */
export function nestedStopLists(answer: unknown): unknown {
  if (!isObject(answer) || !Array.isArray(answer['terminalGroupStopLists'])) return answer;
  const lists = answer['terminalGroupStopLists'].map((list: unknown) => {
    if (!isObject(list) || !Array.isArray(list['items']) || !list['items'].some(isStop))
      return list;
    const { terminalGroupId } = list;
    const items = list['items'].map((entry: unknown) =>
      isStop(entry) ? { terminalGroupId, items: [entry] } : entry,
    );

    return { ...list, items };
  });

  return { ...answer, terminalGroupStopLists: lists };
}

/**
 * `productId`: dish or modifier. `sizeId` null: all sizes. `balance`: remaining units, may be
 * fractional.
 */
export type ErpStopRow = {
  organizationId: string;
  terminalGroupId: string | null;
  productId: string;
  sizeId: string | null;
  sku: string | null;
  balance: number;
  addedAt: Date | null;
};
