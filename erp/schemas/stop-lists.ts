import { Type } from 'typebox';
import { Uuid, maybe } from './check.ts';

/** Stop-lists wrapped by organization and terminal group: two nested `items`. */
export const StopListsAnswer = Type.Object({
  terminalGroupStopLists: Type.Array(
    Type.Object({
      organizationId: Uuid,
      items: Type.Array(
        Type.Object({
          terminalGroupId: maybe(Uuid),
          items: Type.Array(
            Type.Object({
              productId: Uuid,
              balance: Type.Number(),
              sizeId: maybe(Type.String()),
              sku: maybe(Type.String()),
              dateAdd: maybe(Type.String()),
            }),
          ),
        }),
      ),
    }),
  ),
});

/**
 * One stopped or limited item without its wrappers. `productId` is a dish or a modifier; `sizeId` null means every
 * size; `balance` 0 means none left, a positive one how many are left (may be fractional).
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
