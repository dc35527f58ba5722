import { sql } from 'kysely';
import type { Sql } from '../../db/database.ts';

/** A cart lives so long after its last change (rule ORD-16); what is older does not exist, whether it is deleted already or not. */
export const CART_LIFE = '30 days';

/** A condition of statements: the cart still lives. */
export const isAlive = sql<boolean>`cart.updated_at > now() - ${sql.lit(CART_LIFE)}::interval`;

/** True when there is such a cart and the caller may use it: anybody one without a customer, a customer only their own. */
export async function mayUseCart({ db }: Sql, cartId: string, customerId: string | null): Promise<boolean> {
  const found = await db
    .selectFrom('cart')
    .select('customerId')
    .where('id', '=', cartId)
    .where(isAlive)
    .executeTakeFirst();
  return found !== undefined && (found.customerId === null || found.customerId === customerId);
}
