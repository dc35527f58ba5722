import { Type, type Static } from 'typebox';
import { FieldError, Violation } from '../../../kernel/pure/field-errors.ts';
import { CheckoutVerdict } from '../../../modules/ordering/schemas/cart.ts';
import { Codes, Count, Id, Named } from '../../../kernel/pure/schemas.ts';

const QuoteDifferenceValue = Named(
  'QuoteDifferenceValue',
  Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]),
);

/** Amounts are in rubles. */
const QuoteDifference = Named(
  'QuoteDifference',
  Type.Object({ field: Type.String(), quoted: QuoteDifferenceValue, now: QuoteDifferenceValue }),
);

export const ProblemBody = Named(
  'Problem',
  Type.Object(
    {
      type: Type.String({ format: 'uri-reference', examples: ['/problems/validation'] }),
      title: Type.String(),
      status: Type.Integer(),
      detail: Type.String(),
      instance: Type.String(),
      requestId: Type.String({ description: 'Id of the request, to quote to support.' }),
      traceId: Type.Optional(
        Type.String({ description: 'Id of the trace, where requests are traced.' }),
      ),
      errors: Type.Optional(Type.Array(FieldError, { maxItems: 50 })),
      errorsOmitted: Type.Optional(
        Type.Integer({
          minimum: 1,
          description:
            'Number of field errors that are not in `errors`. Absent if `errors` lists all. A list with too many elements is one error: its elements are not checked.',
        }),
      ),
      violations: Type.Optional(Type.Array(Violation)),
      currentVersion: Type.Optional(
        Type.Integer({ description: 'Stored version, for `version-conflict`.' }),
      ),
      permission: Type.Optional(
        Type.String({ description: 'Missing permission, for `forbidden`.' }),
      ),
      orderId: Type.Optional(
        Type.String({
          description:
            'Order that the cart became, for `cart-already-ordered`, or that has the right, for `compensation-taken`.',
        }),
      ),
      orderStatus: Type.Optional(Codes('OrderStatus')),
      reasons: Type.Optional(
        Type.Array(Codes('OrderRefusalReason', 'BlockerCode', 'AdjustmentCode'), {
          description: 'Reasons why the order is rejected, for `checkout-blocked`.',
        }),
      ),
      preflight: Type.Optional(CheckoutVerdict),
      differences: Type.Optional(
        Type.Array(QuoteDifference, {
          description: 'Differences from the quote, for `checkout-blocked`.',
        }),
      ),
      productCount: Type.Optional(Count),
      archivedProductCount: Type.Optional(Count),
      categoryCount: Type.Optional(
        Type.Integer({
          minimum: 0,
          description:
            'Number of child categories, for `category-not-empty`, like the other counts.',
        }),
      ),
      code: Type.Optional(
        Type.String({ description: 'ITEM_ALREADY_BOUND, for `item-already-bound`.' }),
      ),
      boundProduct: Type.Optional(
        Named(
          'ProblemProduct',
          Type.Object(
            { id: Id, name: Type.String() },
            { description: 'Product that has the item, for `item-already-bound`.' },
          ),
        ),
      ),
    },
    { description: 'Problem as in RFC 9457. The last segment of `type` is its kind.' },
  ),
);

export type ProblemBody = Static<typeof ProblemBody>;
