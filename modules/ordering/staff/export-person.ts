import { invalidField } from '../../../kernel/problem.ts';
import type { Actor } from '../../../kernel/actor.ts';
import { requiredTexts } from '../../../kernel/required-texts.ts';
import { requireInWindow } from '../../../kernel/window-count.ts';
import { anyOf, type Database, type Sql } from '../../../platform/db/database.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import { recordAudit } from '../../access/audit/record-audit.ts';
import { keepReason, readReasons } from '../../access/customers/staff-reasons.ts';
import { normalPhone } from '../../access/rules/phone.ts';
import { findCart } from '../cart/cart-row.ts';
import { recordsOfClients, withTexts, type Records } from '../../gifts/clients/client-copy.ts';
import { phoneDigests } from '../../gifts/clients/clients.ts';
import type { PersonExport, PersonRequest } from '../../gifts/schemas/clients.ts';
import { orderReasonIds } from './erase-order-reasons.ts';
import { ordersOfPhone } from '../orders/orders-of-phone.ts';

type Deps = { db: Database; secrets: SecretBox };
type User = Extract<Actor, { type: 'USER' }>;

/** Limits per user (rule CLI-9). */
const [MOST_EXPORTS, WINDOW_SECONDS] = [20, 3_600];

/**
 * Exports everything stored about a phone and, with `customerId`, about this account (rules CLI-8,
 * CLI-11). Recorded in the audit without the phone (rule CLI-9).
 *
 * @throws Problem `validation`, also if no order of the account has the phone; `rate-limited` after
 * 20 exports an hour.
 */
export async function exportPerson(
  deps: Deps,
  actor: User,
  input: PersonRequest,
): Promise<PersonExport> {
  const { reason } = requiredTexts({ reason: input.reason }, { reason: 500 }, 'words');
  const phone = normalPhone(input.phone);
  if (phone === null)
    throw invalidField('phone', 'format', 'must be a phone with its country: +7 999 000 11 22');
  await countExport(deps.db, actor);
  const digests = phoneDigests(deps, phone);

  return deps.db.transaction(
    async (tx) => {
      const orders = await recordsOfOrders(tx, deps, digests);
      requireOwnAccount(input.customerId, orders['customer_order']!);
      const records = {
        ...(await recordsOfClients(tx, deps, digests)),
        ...orders,
        ...(await recordsOfAccount(tx, deps, input.customerId ?? null)),
      };

      await recordAudit(tx, actor, {
        entityType: 'export',
        entityId: 'person',
        action: 'export-person',
        after: {
          records: Object.fromEntries(
            Object.entries(records).map(([table, rows]) => [table, rows.length]),
          ),
        },
        reasonId: await keepReason(tx, deps, reason),
      });

      return { phone, exportedAt: new Date(), records };
    },
    { oneState: true },
  );
}

function countExport(db: Sql, { userId }: User): Promise<void> {
  const limit = { kind: 'export-person', of: String(userId), most: MOST_EXPORTS };
  return requireInWindow(
    db,
    WINDOW_SECONDS,
    [limit],
    `A user exports at most ${MOST_EXPORTS} persons in an hour.`,
  );
}

/** Only orders link a phone to an account (rule CLI-2). */
function requireOwnAccount(customerId: string | undefined, orders: Records[string]): void {
  if (customerId !== undefined && !orders.some((order) => order['customerId'] === customerId))
    throw invalidField('customerId', 'not_found', 'No order of this account names the phone.');
}

/** Rule CLI-11. */
async function recordsOfAccount(
  from: Sql,
  deps: Deps,
  customerId: string | null,
): Promise<Records> {
  if (customerId === null) return { cart: [], delivery_address: [], promocode: [] };
  const cart = await findCart(from, deps, { customerId });
  const { db } = from;
  const addresses = await db
    .selectFrom('delivery_address')
    .selectAll()
    .where('customerId', '=', customerId)
    .execute();

  return {
    cart: cart === undefined ? [] : [{ ...cart }],
    delivery_address: await withTexts(from, deps, addresses, {
      reasons: [],
      pieces: ['personal_data_id'],
    }),
    promocode: await db
      .selectFrom('promocode')
      .selectAll()
      .where('customerId', '=', customerId)
      .execute(),
  };
}

/** These columns contain no personal data. */
const HIDDEN = new Set(['phoneDigest', 'decision']);

async function recordsOfOrders(
  from: Sql,
  deps: Deps,
  digests: readonly string[],
): Promise<Records> {
  const { db } = from;
  const made = await db
    .selectFrom('customer_order')
    .innerJoin('personal_data as person', 'person.id', 'customer_order.personalDataId')
    .selectAll('customer_order')
    .where('person.phoneDigest', '=', anyOf(digests, 'text'))
    .orderBy('acceptedAt')
    .execute();

  const ids = anyOf(
    made.map(({ id }) => id),
    'uuid',
  );

  const reported = await db
    .selectFrom('erp_order')
    .selectAll()
    .where('id', 'in', ordersOfPhone(from, digests))
    .execute();

  const words = await readReasons(
    from,
    deps,
    await orderReasonIds(
      from,
      made.map(({ id }) => id),
    ),
  );

  const shown = (rows: readonly object[]) =>
    rows.map((row) =>
      Object.fromEntries(Object.entries(row).filter(([name]) => !HIDDEN.has(name))),
    );

  return {
    customer_order: shown(
      await withTexts(from, deps, made, { reasons: [], pieces: ['personal_data_id'] }),
    ),
    order_line: await db.selectFrom('order_line').selectAll().where('orderId', '=', ids).execute(),
    order_move: await db
      .selectFrom('order_move')
      .selectAll()
      .where('orderId', '=', ids)
      .orderBy('id')
      .execute(),
    discount_use: await db
      .selectFrom('discount_use')
      .selectAll()
      .where('orderId', '=', ids)
      .execute(),
    order_reason: [...words.values()].map((text) => ({ text })),
    erp_order: shown(reported),
  };
}
