import type { CancelInput } from '../messages/ordering.ts';
import type { OrderState } from '../rules/order-states.ts';
import { answerOperator, temporalActor } from '../../../kernel/answer-operator.ts';
import type { Answer } from '../../../kernel/pure/rejection.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import type { Database } from '../../../platform/db/database.ts';
import { holdOrder, type MoveDeps } from '../orders/order-row.ts';
import { requireMadeHere } from '../orders/order-view.ts';
import { cancelByStaff } from './staff-orders.ts';

export type OperatorCancellation = CancelInput & { orderId: string };

/** Cancels an order for an operator in Temporal (rule ORD-163). Idempotent. */
export function cancelForOperator(
  deps: MoveDeps & { db: Database; secrets: SecretBox },
  { orderId, by, note }: OperatorCancellation,
): Promise<Answer<{ state: OrderState }>> {
  return answerOperator(() =>
    deps.db.transaction(async (tx) => {
      await requireMadeHere(tx, orderId, 'order-not-cancellable');
      const { problem } = await holdOrder(tx, orderId);
      if (problem !== 'CANCELLED_BY_STAFF')
        await cancelByStaff(deps, tx, temporalActor(by), { orderId, reason: note.trim() });
      return { state: 'CANCELLED' as const };
    }),
  );
}
