import { Type, type Static } from 'typebox';
import { GIFT_WISHES, type GiftChoice } from '../../gifts/rules/choose-gifts.ts';
import { Image } from '../../media/schemas/media.ts';
import {
  ByCode,
  Codes,
  Count,
  Id,
  Money,
  Named,
  Nullable,
  NullableText,
  Strict,
  Timestamp,
  Uuid,
  Words,
} from '../../../kernel/pure/schemas.ts';

/** Version 1 of the API may add fields, but not remove them. */

export const MAX_LINES = 100;
const MAX_UNITS = 99;

const Units = (minimum: 0 | 1) => Type.Integer({ minimum, maximum: MAX_UNITS });

/** Response fields that requests may contain. */
const ignored = <Name extends string>(...names: Name[]) =>
  Object.fromEntries(
    names.map((name) => [
      name,
      Type.Optional(Type.Unknown({ description: 'Ignored: the server decides it.' })),
    ]),
  ) as Record<Name, ReturnType<typeof anything>>;

const anything = () => Type.Optional(Type.Unknown());

const PostedModifier = Named(
  'PostedCartModifier',
  Strict({
    groupId: Type.String({
      minLength: 1,
      maxLength: 40,
      description: 'Id of a modifier group of the variant.',
    }),
    modifierId: Uuid,
    quantity: Type.Integer({
      minimum: 0,
      maximum: MAX_UNITS,
      description: '0 declines the default units of the group.',
    }),
    ...ignored('name', 'freeQuantity', 'unitPrice'),
  }),
);

const PostedLine = Named(
  'PostedCartLine',
  Strict({
    lineId: Type.Optional(Uuid),
    variantId: Id,
    quantity: Units(1),
    modifiers: Type.Array(PostedModifier, {
      maxItems: 100,
      description: 'Groups that are left out get their default units.',
    }),
    comment: Type.Optional(Nullable(Type.String({ maxLength: 200 }))),
    ...ignored(
      'productId',
      'name',
      'variantName',
      'image',
      'unitPrice',
      'lineTotal',
      'priceChanged',
      'available',
      'availableFrom',
    ),
  }),
);

export type PostedLine = Static<typeof PostedLine>;

const PostedOptions = Named(
  'PostedCartOptions',
  Strict({
    leaveAtDoor: Type.Optional(Type.Boolean()),
    cutlery: Type.Optional(Units(0)),
    sugar: Type.Optional(Units(0)),
  }),
);

const PostedGiftChoice = Named(
  'PostedGiftChoice',
  Strict({
    compensationId: Uuid,
    choice: Type.Unsafe<GiftChoice['choice']>({
      ...Words(GIFT_WISHES),
      description:
        'INCLUDE: the gift is added, which is the default. REPLACE: while the gift is stopped, the gift with `rewardCode` is added instead. ' +
        'POSTPONE: it waits for a later order.',
    }),
    rewardCode: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 50,
        description: 'For REPLACE: one of the `replacements` that were offered.',
      }),
    ),
  }),
);

export const PostedCart = Named(
  'PostedCart',
  Strict({
    cartId: Type.Optional(Uuid),
    version: Type.Optional(
      Type.Integer({
        minimum: 1,
        description: 'Version that the client has seen. An existing cart needs it.',
      }),
    ),
    organizationId: Uuid,
    lines: Type.Array(PostedLine, { maxItems: MAX_LINES }),
    promocode: Type.Optional(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: 50,
          description: 'Absent: as it was. `null` takes it away.',
        }),
      ),
    ),
    options: Type.Optional(PostedOptions),
    giftChoices: Type.Optional(
      Type.Array(PostedGiftChoice, { maxItems: 20, description: 'Absent: as it was.' }),
    ),
  }),
);

export type PostedCart = Static<typeof PostedCart>;

const CartModifier = Named(
  'CartModifier',
  Type.Object({
    groupId: Type.String(),
    modifierId: Uuid,
    name: Type.String(),
    quantity: Count,
    freeQuantity: Type.Integer({ minimum: 0, description: 'Units that cost nothing.' }),
    unitPrice: Money,
  }),
);

const CartLine = Named(
  'CartLine',
  Type.Object({
    lineId: Uuid,
    productId: Id,
    variantId: Id,
    name: Type.String(),
    variantName: NullableText,
    image: Nullable(Image),
    quantity: Type.Integer({ minimum: 1 }),
    modifiers: Type.Array(CartModifier),
    comment: NullableText,
    unitPrice: Type.Unsafe<number>({
      ...Money,
      description: 'Price of one unit with its modifiers.',
    }),
    lineTotal: Type.Unsafe<number>({ ...Money, description: '`unitPrice` times `quantity`.' }),
    priceChanged: Type.Boolean({
      description: 'The price is another one than in the version that was posted last.',
    }),
    available: Type.Boolean({
      description:
        'False while the restaurant is not served, or the dish is outside its hours (`availableFrom`).',
    }),
    availableFrom: Nullable(
      Type.Unsafe<string>({
        ...Timestamp,
        description:
          'Set while the dish is outside its hours: the next moment for which it can be ordered. A slot from then on can be ' +
          'ordered now.',
      }),
    ),
  }),
);

const CartDiscount = Named(
  'CartDiscount',
  Type.Object({
    code: Type.String({ description: 'Code of the discount, or the promo code.' }),
    name: Type.String(),
    applied: Type.Boolean(),
    amount: Money,
    reason: Nullable(Codes('DiscountReason')),
    message: NullableText,
  }),
);

const CartGift = Named(
  'CartGift',
  Type.Object({
    id: Uuid,
    rewardCode: Type.String(),
    name: Type.String(),
    quantity: Type.Integer({ minimum: 1 }),
    price: Money,
    image: Nullable(Image),
    expiresAt: Nullable(Timestamp),
    available: Type.Boolean({ description: 'False while the restaurant cannot provide it.' }),
    included: Type.Boolean({ description: 'It is part of the order.' }),
    replaces: Nullable(
      Type.Object(
        { rewardCode: Type.String(), name: Type.String() },
        { description: 'The gift that was promised, when the client has chosen this one instead.' },
      ),
    ),
  }),
);

const OwnGift = Named('OwnGift', Type.Omit(CartGift, ['included', 'replaces']));

const giftsReadAt = Type.Optional(
  Nullable(
    Type.Unsafe<string>({
      ...Timestamp,
      description:
        'Present only if the ERP did not respond in time. Moment at which the gifts of the customer were last read; null for never.',
    }),
  ),
);

export const OwnGifts = Named('OwnGifts', Type.Object({ gifts: Type.Array(OwnGift), giftsReadAt }));
export type OwnGifts = Static<typeof OwnGifts>;

const GiftReplacement = Named(
  'GiftReplacement',
  Type.Object({ rewardCode: Type.String(), name: Type.String(), image: Nullable(Image) }),
);

const CartServiceItem = Named(
  'CartServiceItem',
  Type.Object({
    role: Type.String(),
    name: Type.String(),
    quantity: Type.Integer({ minimum: 1 }),
    unitPrice: Money,
    lineTotal: Money,
    hidden: Type.Boolean({ description: 'The client does not show it.' }),
  }),
);

const CartChange = Named(
  'CartChange',
  Type.Object({
    lineId: Uuid,
    variantId: Id,
    itemId: Uuid,
    name: Type.String(),
    action: Codes('CartChangeAction'),
    quantity: Nullable(
      Type.Object(
        { before: Type.Integer({ minimum: 1 }), after: Type.Integer({ minimum: 1 }) },
        {
          description:
            'Units of the line, where fewer are left than it had; null for other actions.',
        },
      ),
    ),
    removedModifiers: Type.Array(
      Type.Object({ modifierId: Uuid, name: Type.String(), quantity: Count }),
      {
        description: 'Units for one of the line.',
      },
    ),
    reason: Codes('CartChangeReason'),
    message: Type.String(),
  }),
);

export const Cart = Named(
  'Cart',
  Type.Object({
    cartId: Uuid,
    version: Type.Integer({
      minimum: 1,
      description: 'Changes with composition, prices and discounts.',
    }),
    organizationId: Uuid,
    menuRevision: Nullable(Type.Integer({ minimum: 1 })),
    updatedAt: Timestamp,
    lines: Type.Array(CartLine),
    promocode: NullableText,
    options: Named(
      'CartOptions',
      Type.Object({ leaveAtDoor: Type.Boolean(), cutlery: Count, sugar: Count }),
    ),
    subtotal: Money,
    discounts: Type.Array(CartDiscount),
    gifts: Type.Array(CartGift),
    giftsReadAt,
    serviceItems: Type.Array(CartServiceItem),
    deliveryFee: Money,
    total: Money,
    changes: Type.Array(CartChange, {
      description: 'They are kept until a newer version is posted.',
    }),
    persons: Type.Integer({ minimum: 1 }),
  }),
);

export type Cart = Static<typeof Cart>;

const FULFILLMENT = ['DELIVERY', 'PICKUP'] as const;

export const CheckoutQuestion = Named(
  'CheckoutQuestion',
  Strict({
    cartId: Uuid,
    cartVersion: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'Version that the guest has seen. The guest accepts what the server changed up to it, and answers no longer list it.',
      }),
    ),
    fulfillment: Named(
      'CheckoutFulfillment',
      Strict({
        type: Words(FULFILLMENT),
        organizationId: Type.Optional(
          Nullable(
            Type.Unsafe<string>({
              ...Uuid,
              description: 'The point that the guest fetches the order from.',
            }),
          ),
        ),
        addressId: Type.Optional(
          Nullable(
            Type.Unsafe<string>({
              ...Uuid,
              description: 'The address of a delivery, from `POST /addresses`.',
            }),
          ),
        ),
        slotId: Type.String({
          pattern: '^(asap|\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(Z|[+-]\\d\\d:\\d\\d)/PT\\d{1,4}M)$',
          description: '`asap`, or the id of a slot.',
        }),
      }),
    ),
    paymentMethod: Type.String({ minLength: 1, maxLength: 50 }),
    options: Type.Optional(
      Named('CheckoutOptions', Strict({ leaveAtDoor: Type.Optional(Type.Boolean()) })),
    ),
    changeFrom: Type.Optional(
      Nullable(
        Type.Number({
          minimum: 0,
          maximum: 1_000_000,
          description: 'The note in rubles that the guest pays with.',
        }),
      ),
    ),
  }),
);

export type CheckoutQuestion = Static<typeof CheckoutQuestion>;

const replacements = Type.Array(GiftReplacement);
const choices = Type.Array(Codes('GiftChoice'));
const allowed = Type.Array(Codes('PaymentMethodCode'));
const ofGift = { compensationId: Uuid, choices, replacements };

const Repair = ByCode({
  name: 'CheckoutRepair',
  list: 'RepairAction',
  key: 'action',
  all: {},
  alternatives: {
    ADD_ITEMS: {},
    ACCEPT_CHANGES: { cartVersion: Type.Integer() },
    EDIT_LINE: { lineId: Uuid, groupId: Type.String() },
    CHOOSE_ADDRESS: {},
    CHOOSE_POINT: {},
    RETRY: {},
    MOVE_CART: { organizationId: Uuid },
    CHOOSE_SLOT: { slotId: Type.String() },
    CHOOSE_PAYMENT_METHOD: { allowed },
    CHOOSE_GIFT: ofGift,
    SIGN_IN: {},
  },
});

const message = { message: Type.String() };
const repair = { repair: Repair };
const maybeRepair = { repair: Type.Optional(Repair) };
const MaybeMoment = Nullable(Timestamp);

const ofAddress = {
  precision: Nullable(Codes('AddressPrecision')),
  missing: Type.Array(Type.String()),
  ...repair,
};

const ofIntake = {
  reason: Codes('NotAcceptingReason', 'ZoneNotAcceptingReason'),
  opensAt: MaybeMoment,
  ...maybeRepair,
};

const ofPromocode = { promocode: Type.String() };
const ofChange = { change: CartChange };

const LineOutsideHours = Named(
  'CheckoutLineOutsideHours',
  Type.Object({ lineId: Uuid, name: Type.String(), availableFrom: MaybeMoment }),
);

/** Version 1 declares these fields for all findings. */
const released = {
  changes: Type.Array(CartChange),
  change: CartChange,
  lineId: Uuid,
  groupId: Type.String(),
  modifierId: Nullable(Uuid),
  min: Type.Integer(),
  max: Nullable(Type.Integer()),
  precision: NullableText,
  missing: Type.Array(Type.String()),
  organizationId: Uuid,
  minSum: Money,
  shortfall: Money,
  reason: NullableText,
  opensAt: MaybeMoment,
  closesAt: MaybeMoment,
  until: MaybeMoment,
  allowed,
  toPay: Money,
  compensationId: Uuid,
  choices,
  replacements,
  promocode: Type.String(),
  before: Money,
  after: Money,
  minutes: Type.Integer(),
  scope: Type.String(),
  newSlotId: Type.String(),
  repair: Repair,
};

/** The code defines the fields (rule ORD-96). */
const Blocker = ByCode({
  name: 'CheckoutBlocker',
  released,
  list: 'BlockerCode',
  key: 'code',
  all: message,
  alternatives: {
    ORGANIZATION_INACTIVE: {},
    ERP_DISABLED: {},
    TERMINAL_NOT_ALIVE: {},
    CART_EMPTY: repair,
    ITEMS_UNAVAILABLE: { changes: Type.Array(CartChange), ...repair },
    MODIFIERS_INVALID: {
      lineId: Uuid,
      groupId: Type.String(),
      modifierId: Nullable(Uuid),
      min: Type.Integer(),
      max: Nullable(Type.Integer()),
      ...repair,
    },
    ITEMS_OUTSIDE_HOURS: {
      items: Type.Array(LineOutsideHours),
      availableFrom: MaybeMoment,
      ...maybeRepair,
    },
    ADDRESS_REQUIRED: repair,
    PICKUP_POINT_REQUIRED: repair,
    ZONE_NOT_FOUND: ofAddress,
    ADDRESS_IMPRECISE: ofAddress,
    ZONES_OVERLAP: ofAddress,
    GEOCODER_UNAVAILABLE: ofAddress,
    ORGANIZATION_MISMATCH: { organizationId: Uuid, ...repair },
    MIN_SUM_NOT_REACHED: { minSum: Money, shortfall: Money, ...repair },
    ORDERS_STOPPED: { until: MaybeMoment },
    DELIVERY_NOT_ACCEPTING: ofIntake,
    PICKUP_NOT_ACCEPTING: ofIntake,
    TIMED_ORDERS_DISABLED: maybeRepair,
    NO_SLOT: {},
    PAYMENT_METHOD_UNAVAILABLE: { allowed, ...maybeRepair },
    LEAVE_AT_DOOR_NOT_ALLOWED: { allowed, ...maybeRepair },
    CHANGE_TOO_SMALL: { allowed, toPay: Money, ...maybeRepair },
    GIFT_CHOICE_REQUIRED: { ...ofGift, ...repair },
    GEOCODER_BUDGET_SPENT: ofAddress,
    SIGN_IN_REQUIRED: { maxSum: Money, ...repair },
    TOO_MANY_ORDERS: {
      scope: Codes('OrderLimitScope'),
      period: Codes('OrderLimitPeriod'),
      ...maybeRepair,
    },
  },
});

const Warning = ByCode({
  name: 'CheckoutWarning',
  released,
  list: 'WarningCode',
  key: 'code',
  all: message,
  alternatives: {
    PROMO_CONDITIONS_UNMET: { ...ofPromocode, reason: Codes('DiscountReason') },
    CLOSING_SOON: { closesAt: MaybeMoment },
    PRICE_CHANGED: { lineId: Uuid, before: Money, after: Money },
    ETA_INCREASED: { minutes: Type.Integer(), scope: Codes('EtaScope') },
    GIFT_UNAVAILABLE: { compensationId: Uuid },
  },
});

const Adjustment = ByCode({
  name: 'CheckoutAdjustment',
  released,
  list: 'AdjustmentCode',
  key: 'code',
  all: message,
  alternatives: {
    SLOT_EXPIRED: { newSlotId: Type.String() },
    PROMO_REMOVED: ofPromocode,
    ITEM_REMOVED: ofChange,
    MODIFIERS_REMOVED: ofChange,
    SERVICE_ITEMS_CHANGED: {},
  },
});

const CheckoutTotal = Named(
  'CheckoutTotal',
  Type.Object({ items: Money, discount: Money, delivery: Money, toPay: Money }),
);

export const CheckoutEta = Named('CheckoutEta', Type.Object({ minutes: Count, at: Timestamp }));

const Quote = Named(
  'CheckoutQuote',
  Type.Object(
    {
      id: Uuid,
      validUntil: Timestamp,
      binding: Type.Boolean({
        description: 'False while the address is less precise than a house.',
      }),
      menuRevision: Nullable(Type.Integer({ minimum: 1 })),
    },
    { description: 'Orders with this quote are charged exactly these totals until this moment.' },
  ),
);

export const CheckoutVerdict = Named(
  'CheckoutVerdict',
  Type.Object({
    canSubmit: Type.Boolean({ description: 'True when there are no blockers.' }),
    cartVersion: Type.Integer({ minimum: 1 }),
    total: CheckoutTotal,
    eta: CheckoutEta,
    blockers: Type.Array(Blocker),
    warnings: Type.Array(Warning),
    adjustments: Type.Array(Adjustment, {
      description: 'Changes that were made for the guest. The cart already contains them.',
    }),
    compensations: Type.Array(CartGift),
    giftsReadAt,
    quote: Nullable(Quote),
  }),
);

export type CheckoutVerdict = Static<typeof CheckoutVerdict>;
