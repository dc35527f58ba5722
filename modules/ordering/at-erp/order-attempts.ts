import type { ErpCreation } from '../../../erp/endpoints/deliveries-create.ts';
import { staffTexts } from '../../../kernel/staff-text.ts';
import { readPage, type Page, type Paging } from '../../../kernel/pages.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { readChannel } from '../orders/order-view.ts';
import { attemptMessages } from '../rules/attempt-answers.ts';
import type { OrderAttempt } from '../schemas/orders.ts';

/** Returns the attempt id. Requires the transaction that marks the call. */
export async function beginAttempt({ db }: Sql, orderId: string, begunAt: Date): Promise<number> {
  const { id } = await db
    .insertInto('order_attempt')
    .values({ orderId, begunAt })
    .returning('id')
    .executeTakeFirstOrThrow();

  return id;
}

/** Requires the transaction that applies the response. */
export async function endAttempt({ db }: Sql, id: number, answer: ErpCreation): Promise<void> {
  await db
    .updateTable('order_attempt')
    .set({
      endedAt: new Date(),
      outcome: answer.outcome,
      kind: 'kind' in answer ? answer.kind : null,
      code: 'code' in answer ? answer.code : null,
      httpStatus: 'status' in answer ? answer.status : null,
    })
    .where('id', '=', id)
    .execute();
}

/** Lists calls to the ERP, none for other channels. Problem `not-found`. */
export async function listAttempts(
  from: Sql,
  orderId: string,
  paging: Paging,
): Promise<Page<OrderAttempt>> {
  await readChannel(from, orderId);
  const attempts = from.db
    .selectFrom('order_attempt')
    .select(['id', 'begunAt', 'endedAt', 'outcome', 'kind', 'code', 'httpStatus'])
    .where('orderId', '=', orderId)
    .orderBy('id');

  const page = await readPage(attempts, paging);

  return {
    ...page,
    items: page.items.map((attempt) => ({
      ...attempt,
      answer: staffTexts(attemptMessages(attempt)),
    })),
  };
}
