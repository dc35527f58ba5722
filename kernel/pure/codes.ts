/**
 * An action that repairs the cause, present under the condition `when`. Lists without actions have
 * a text instead.
 */
export type CodeRepair = string | { action: string; when?: string };

type CodeEntry = {
  meaning: string;
  /** Fields in addition to those of all codes of the list. */
  fields?: readonly string[];
  repair?: CodeRepair;
  /** Why no answer contains the code (ORD-97). */
  notEmitted?: string;
};

/** `todo`: advice for codes without a repair. */
type CodeList = { meaning: string; todo: string; codes: Readonly<Record<string, CodeEntry>> };

const ADDRESS = { fields: ['precision', 'missing'], repair: { action: 'CHOOSE_ADDRESS' } } as const;

const INTAKE = {
  fields: ['reason', 'opensAt'],
  repair: { action: 'CHOOSE_SLOT', when: 'a later slot is offered' },
} as const;

const NO_PROVIDER = { notEmitted: 'No payment provider is supported yet.' } as const;

const PAYMENT = {
  fields: ['allowed'],
  repair: { action: 'CHOOSE_PAYMENT_METHOD', when: '`allowed` is not empty' },
} as const;

/**
 * All codes of storefront answers (HTTP-27). Names of lists are schemas and types of the clients.
 * Never remove or rename a released code.
 */
export const CODES = {
  BlockerCode: {
    meaning: 'A reason why the order cannot be placed now.',
    todo: 'Show the reason, and let the guest order later or in another organization.',
    codes: {
      ORGANIZATION_INACTIVE: { meaning: 'The organization of the cart is no longer served.' },
      ERP_DISABLED: {
        meaning: 'Staff have disabled the connection to the ERP of the organization.',
      },
      TERMINAL_NOT_ALIVE: {
        meaning: 'The terminals of the organization do not respond, so an order would not arrive.',
      },
      CART_EMPTY: { meaning: 'The cart has no lines.', repair: { action: 'ADD_ITEMS' } },
      ITEMS_UNAVAILABLE: {
        meaning:
          'Lines or modifiers were removed or reduced because they cannot be sold. `changes` lists them.',
        fields: ['changes'],
        repair: { action: 'ACCEPT_CHANGES' },
      },
      MODIFIERS_INVALID: {
        meaning:
          'The number of modifiers of a line is outside the limits of the group `groupId`, or of its modifier `modifierId` if it is not null. `max` is null without an upper limit.',
        fields: ['lineId', 'groupId', 'modifierId', 'min', 'max'],
        repair: { action: 'EDIT_LINE' },
      },
      ITEMS_OUTSIDE_HOURS: {
        meaning:
          'Dishes of the cart are not sold at the requested time. `items` lists their lines and, for each, the next moment for which it can be ordered. `availableFrom` is the first moment for which all lines can be ordered, or null if there is none within a week.',
        fields: ['items', 'availableFrom'],
        repair: { action: 'CHOOSE_SLOT', when: 'a slot inside the hours of all lines is offered' },
      },
      ADDRESS_REQUIRED: {
        meaning: 'A delivery without an address, or with one that cannot be used.',
        repair: { action: 'CHOOSE_ADDRESS' },
      },
      PICKUP_POINT_REQUIRED: {
        meaning: 'A pickup without `fulfillment.organizationId`.',
        repair: { action: 'CHOOSE_POINT' },
      },
      ZONE_NOT_FOUND: { meaning: 'No delivery zone contains the address.', ...ADDRESS },
      ADDRESS_IMPRECISE: {
        meaning:
          'The geocoder does not find the address exactly enough. `missing` lists the parts that the address lacks.',
        ...ADDRESS,
      },
      ZONES_OVERLAP: {
        meaning: 'Several delivery zones contain the address, and no rule selects one.',
        ...ADDRESS,
      },
      GEOCODER_UNAVAILABLE: {
        meaning: 'The geocoder does not respond, so the address cannot be checked.',
        fields: ADDRESS.fields,
        repair: { action: 'RETRY' },
      },
      ORGANIZATION_MISMATCH: {
        meaning:
          'Another organization than the one of the cart serves the address or the pickup: `organizationId`.',
        fields: ['organizationId'],
        repair: { action: 'MOVE_CART' },
      },
      MIN_SUM_NOT_REACHED: {
        meaning:
          'The subtotal is below the minimum of the delivery zone. `shortfall` is the difference.',
        fields: ['minSum', 'shortfall'],
        repair: { action: 'ADD_ITEMS' },
      },
      ORDERS_STOPPED: {
        meaning: 'Staff have stopped order intake until `until`, or without an end if it is null.',
        fields: ['until'],
      },
      DELIVERY_NOT_ACCEPTING: {
        meaning:
          'Delivery does not accept orders for as soon as possible. `opensAt` is null if no opening is scheduled.',
        ...INTAKE,
      },
      PICKUP_NOT_ACCEPTING: {
        meaning:
          'Pickup does not accept orders for as soon as possible. `opensAt` is null if no opening is scheduled.',
        ...INTAKE,
      },
      TIMED_ORDERS_DISABLED: {
        meaning: 'The organization does not accept orders for a later time.',
        repair: { action: 'CHOOSE_SLOT', when: 'orders for as soon as possible are accepted' },
      },
      NO_SLOT: { meaning: 'The slot is not offered, and no other one is.' },
      PAYMENT_METHOD_UNAVAILABLE: {
        meaning: 'The organization does not offer the payment method for this type of fulfillment.',
        ...PAYMENT,
      },
      LEAVE_AT_DOOR_NOT_ALLOWED: {
        meaning:
          'The order cannot be left at the door with this payment method, or it is a pickup.',
        ...PAYMENT,
      },
      CHANGE_TOO_SMALL: {
        meaning: 'The banknote in `changeFrom` is smaller than the total in `toPay`.',
        fields: ['allowed', 'toPay'],
        repair: PAYMENT.repair,
      },
      GIFT_CHOICE_REQUIRED: {
        meaning:
          'A gift cannot be given now: the client selects one of `replacements` or postpones it.',
        fields: ['compensationId', 'choices', 'replacements'],
        repair: { action: 'CHOOSE_GIFT' },
      },
      GEOCODER_BUDGET_SPENT: {
        meaning: 'The daily calls to the geocoder are used up, so a new address cannot be checked.',
        fields: ADDRESS.fields,
        repair: { action: 'RETRY' },
      },
      SIGN_IN_REQUIRED: {
        meaning: 'A guest must sign in to place an order above `maxSum`.',
        fields: ['maxSum'],
        repair: { action: 'SIGN_IN' },
      },
      TOO_MANY_ORDERS: {
        meaning: 'The limit of orders of the given scope and period is reached.',
        fields: ['scope', 'period'],
        repair: { action: 'SIGN_IN', when: 'the caller is not signed in' },
      },
    },
  },
  WarningCode: {
    meaning: 'A hint for the guest that does not prevent the order.',
    todo: 'Show the hint. The order can be placed.',
    codes: {
      PROMO_CONDITIONS_UNMET: {
        meaning: 'The promo code is not applied for the given reason.',
        fields: ['promocode', 'reason'],
        repair:
          'Meet the condition that `reason` names, and post the cart with the promo code again.',
      },
      CLOSING_SOON: {
        meaning: 'Intake of orders for as soon as possible ends within 30 minutes.',
        fields: ['closesAt'],
      },
      PRICE_CHANGED: {
        meaning:
          'The unit price of a line differs from the one in the version that the client posted.',
        fields: ['lineId', 'before', 'after'],
      },
      ETA_INCREASED: {
        meaning: 'Staff have announced that orders take this many minutes longer.',
        fields: ['minutes', 'scope'],
      },
      GIFT_UNAVAILABLE: {
        meaning: 'A gift cannot be given now. It remains granted for a later order.',
        fields: ['compensationId'],
      },
    },
  },
  AdjustmentCode: {
    meaning: 'A change that the server has made to the cart or proposes for the order.',
    todo: 'Show the change to the guest.',
    codes: {
      SLOT_EXPIRED: {
        meaning:
          'The slot is no longer offered. `newSlotId` is the nearest one: send it with the order.',
        fields: ['newSlotId'],
        repair: 'Order with `newSlotId`, or let the guest select another slot.',
      },
      PROMO_REMOVED: {
        meaning: 'The promo code was removed from the cart because its conditions are not met.',
        fields: ['promocode'],
        repair: 'Show the change, and send the request again with the `cartVersion` of the answer.',
      },
      ITEM_REMOVED: {
        meaning:
          'A line was removed or its quantity was reduced. `change` is the record of the cart.',
        fields: ['change'],
        repair: 'Accept the change with the repair of `ITEMS_UNAVAILABLE`.',
      },
      MODIFIERS_REMOVED: {
        meaning: 'Modifiers were removed from a line. `change` is the record of the cart.',
        fields: ['change'],
        repair: 'Accept the change with the repair of `ITEMS_UNAVAILABLE`.',
      },
      SERVICE_ITEMS_CHANGED: {
        meaning: 'Cutlery, sauces or other service items of the order have changed.',
        repair: 'Show the change, and send the request again with the `cartVersion` of the answer.',
      },
    },
  },
  RepairAction: {
    meaning: 'An action by which a program removes a blocker.',
    todo: 'Perform the action, and send the request again.',
    codes: {
      ADD_ITEMS: { meaning: 'Add dishes to the cart.' },
      ACCEPT_CHANGES: {
        meaning:
          'Send the request again with this `cartVersion`, after the guest has seen the changes.',
        fields: ['cartVersion'],
      },
      EDIT_LINE: {
        meaning: 'Post the line with other modifiers of this group.',
        fields: ['lineId', 'groupId'],
      },
      CHOOSE_ADDRESS: { meaning: 'Send an address with `POST /addresses` and use its id.' },
      CHOOSE_POINT: { meaning: 'Send `fulfillment.organizationId`.' },
      RETRY: { meaning: 'Send the same request again later.' },
      MOVE_CART: {
        meaning: 'Post the cart with this `organizationId`.',
        fields: ['organizationId'],
      },
      CHOOSE_SLOT: { meaning: 'Send the request again with this `slotId`.', fields: ['slotId'] },
      CHOOSE_PAYMENT_METHOD: {
        meaning: 'Send one of the `allowed` payment methods.',
        fields: ['allowed'],
      },
      CHOOSE_GIFT: {
        meaning: 'Post the cart with one of `choices` for this gift in `giftChoices`.',
        fields: ['compensationId', 'choices', 'replacements'],
      },
      SIGN_IN: { meaning: 'Send the request with the access token of a customer.' },
    },
  },
  OrderLimitScope: {
    meaning: 'A scope in which orders are counted.',
    todo: 'Show that the limit is reached, or let the guest sign in.',
    codes: {
      GUEST: { meaning: 'Orders of guests with the same phone.' },
      CUSTOMER: { meaning: 'Orders of the signed-in customer.' },
      ADDRESS: { meaning: 'Orders of guests to the same delivery address.' },
      NETWORK: { meaning: 'Orders of guests from the same network.' },
      POINT: { meaning: 'Orders of guests at the same organization.' },
    },
  },
  OrderLimitPeriod: {
    meaning: 'The period in which orders are counted.',
    todo: 'Let the guest order again when an order has ended or the period is over.',
    codes: {
      OPEN: { meaning: 'Orders that are not yet delivered, closed or canceled.' },
      DAY: { meaning: 'Orders of the last 24 hours.' },
    },
  },
  DiscountReason: {
    meaning: 'A reason why a discount or a promo code is not applied.',
    todo: 'Show the reason. The order can be placed without the discount.',
    codes: {
      EXPIRED: { meaning: 'The discount has ended.' },
      NOT_STARTED: {
        meaning: 'The discount has not started, or does not apply on this day or at this hour.',
      },
      MIN_SUM: {
        meaning: 'The subtotal is below the minimum of the discount.',
        repair: 'Add dishes to the cart.',
      },
      ORGANIZATION: { meaning: 'The organization does not give the discount.' },
      FULFILLMENT: {
        meaning: 'The discount applies to another type of fulfillment.',
        repair: 'Select another type of fulfillment.',
      },
      ALREADY_USED: {
        meaning:
          'The customer has used the discount, or has ordered before if it is for first orders.',
      },
      LIMIT_REACHED: { meaning: 'The discount has reached its total number of uses.' },
      NOT_COMBINABLE: { meaning: 'A better discount is applied, and both cannot be combined.' },
      CUSTOMER_REQUIRED: {
        meaning: 'Only signed-in customers get the discount.',
        repair: 'Let the guest sign in.',
      },
      UNKNOWN: {
        meaning: 'The promo code does not exist or belongs to another customer.',
        repair: 'Correct the promo code.',
      },
    },
  },
  CartChangeAction: {
    meaning: 'A change that the server has made to a line of the cart.',
    todo: 'Show the change before the order.',
    codes: {
      REMOVED: { meaning: 'The line was removed.' },
      QUANTITY_REDUCED: { meaning: 'The line has fewer units. `quantity` has both numbers.' },
      MODIFIERS_REMOVED: {
        meaning: 'Modifiers were removed from the line. `removedModifiers` lists them.',
      },
    },
  },
  CartChangeReason: {
    meaning: 'A reason for a change of the cart.',
    todo: 'Show the change, and let the guest select another dish or modifier.',
    codes: {
      STOP_LIST: { meaning: 'The dish or the modifier is sold out.' },
      NOT_IN_MENU: { meaning: 'The organization no longer sells the dish or the modifier.' },
    },
  },
  NotAcceptingReason: {
    meaning: 'A reason why orders for as soon as possible are not accepted.',
    todo: 'Select a slot of `GET /delivery/slots`.',
    codes: {
      DISABLED: {
        meaning: 'Staff have switched off this type of fulfillment.',
        repair: 'Select another type of fulfillment.',
      },
      INTAKE_STOPPED: {
        meaning: 'Staff have stopped order intake for a time.',
        repair: 'Select a slot of `GET /delivery/slots`.',
      },
      CLOSED: {
        meaning: 'The present time is outside the opening hours.',
        repair: 'Select a slot of `GET /delivery/slots`.',
      },
      CLOSING_SOON: {
        meaning: 'The opening hours have not ended, but order intake has.',
        repair: 'Select a slot of `GET /delivery/slots`.',
      },
    },
  },
  ZoneNotAcceptingReason: {
    meaning: 'A reason why an order cannot be delivered to this address now.',
    todo: 'Select a slot of `GET /delivery/slots`.',
    codes: {
      ZONE_CLOSED: {
        meaning: 'Only the delivery zone of the address is not served at this hour.',
        repair: 'Select a slot of `GET /delivery/slots`.',
      },
    },
  },
  ResolveReason: {
    meaning: 'A reason why no delivery zone serves an address.',
    todo: 'Send another address.',
    codes: {
      ZONE_NOT_FOUND: {
        meaning: 'No delivery zone contains the address.',
        repair: 'Send another address.',
      },
      ADDRESS_NOT_FOUND: {
        meaning: 'The geocoder does not find the address.',
        repair: 'Correct the address, for example with `GET /addresses/suggest`.',
      },
      ADDRESS_IMPRECISE: {
        meaning:
          'The geocoder does not find the house, or several places fit. `candidates` lists those.',
        repair: 'Send one of `candidates`, or an address with a house.',
      },
      ZONES_OVERLAP: {
        meaning: 'Several delivery zones contain the address, and no rule selects one.',
        repair: 'Send another address.',
      },
      GEOCODER_UNAVAILABLE: {
        meaning: 'The geocoder does not respond.',
        repair: 'Send the same request again later.',
      },
      GEOCODER_BUDGET_SPENT: {
        meaning:
          'The daily calls to the geocoder are used up. Coordinates and known addresses still resolve.',
        repair: 'Send a known address or coordinates, or the same request on the next day.',
      },
    },
  },
  AddressPrecision: {
    meaning: 'The precision of the coordinates of an address.',
    todo: 'Let the guest complete an address that is less precise than `HOUSE`.',
    codes: {
      HOUSE: { meaning: 'The coordinates are those of the house.' },
      STREET: { meaning: 'The coordinates are those of the street.' },
      CITY: { meaning: 'The coordinates are those of the city.' },
    },
  },
  NoticeSeverity: {
    meaning: 'The severity of a notice to guests. Codes of notices are written by staff.',
    todo: 'Show the notice, a higher severity more prominently.',
    codes: {
      INFO: { meaning: 'Information for the guest.' },
      WARNING: { meaning: 'A restriction that the guest should read before ordering.' },
      CRITICAL: { meaning: 'A restriction that prevents orders or changes them substantially.' },
    },
  },
  PaymentMethodCode: {
    meaning: 'A payment method.',
    todo: 'Offer only the methods that `GET /context` lists.',
    codes: {
      CASH: { meaning: 'Cash on receipt.' },
      CARD_COURIER: { meaning: 'Card on receipt.' },
      CARD_ONLINE: {
        meaning: 'Card in advance. Offered only with a payment provider.',
        ...NO_PROVIDER,
      },
      SBP: {
        meaning: 'Fast Payment System in advance. Offered only with a payment provider.',
        ...NO_PROVIDER,
      },
      SBERPAY: {
        meaning: 'SberPay in advance. Offered only with a payment provider.',
        ...NO_PROVIDER,
      },
    },
  },
  FulfillmentType: {
    meaning: 'The type of fulfillment.',
    todo: 'Send the type that the guest has selected.',
    codes: {
      DELIVERY: { meaning: 'The order is delivered to the address.' },
      PICKUP: { meaning: 'The guest fetches the order.' },
    },
  },
  EtaScope: {
    meaning: 'The orders that take longer.',
    todo: 'Show the longer time before the order.',
    codes: {
      GLOBAL: { meaning: 'All orders.' },
      CATEGORY: { meaning: 'Orders with dishes of certain categories.' },
    },
  },
  OrderRefusalReason: {
    meaning: 'A reason of `checkout-blocked` besides blockers and adjustments.',
    todo: 'Show `preflight`, and order again.',
    codes: {
      CART_VERSION: {
        meaning: 'The cart has another version than the one in the request. `preflight` is fresh.',
        repair: 'Show `preflight`, and order again with its `cartVersion`.',
      },
      QUOTE: {
        meaning:
          'The total differs from the quote or from the last answer. `differences` lists the fields.',
        repair: 'Show `preflight`, and order again with the id of its `quote`.',
      },
    },
  },
  OrderStatus: {
    meaning: 'The status of an order.',
    todo: 'Show the status, and read the order again until the status is final.',
    codes: {
      ACCEPTED: { meaning: 'The order is stored and waits to be sent to the restaurant.' },
      SENT: { meaning: 'The order was sent, and the restaurant has not confirmed it.' },
      CONFIRMED: { meaning: 'The restaurant has the order.' },
      COOKING: { meaning: 'The kitchen is preparing the order.' },
      READY: { meaning: 'The order is ready.' },
      ON_THE_WAY: { meaning: 'The courier has the order.' },
      DELIVERED: { meaning: 'The guest has the order.' },
      CLOSED: { meaning: 'The order is complete. Final.' },
      CANCELLED: { meaning: 'The order was canceled. Final.' },
      FAILED: { meaning: 'The restaurant did not accept the order. Final.' },
    },
  },
  OrderProblem: {
    meaning: 'A reason why an order is delayed or has ended.',
    todo: 'Show the status of the order. While it is not final, the guest does not order again.',
    codes: {
      ERP_UNAVAILABLE: {
        meaning: 'The ERP does not respond. The order is sent again until its deadline.',
      },
      OUTCOME_UNKNOWN: {
        meaning: 'The ERP did not answer the order. Its orders are queried for it.',
      },
      STUCK_IN_PROGRESS: {
        meaning: 'The ERP has the order, and the restaurant has not confirmed it for a long time.',
      },
      NOT_CONFIGURED: {
        meaning:
          'Staff have not selected the payment type or the discount of the ERP for the order.',
      },
      REJECTED_BY_ERP: { meaning: 'The ERP rejected the order. It has failed.' },
      DEADLINE_PASSED: {
        meaning: 'The deadline passed before the ERP had the order. It has failed.',
      },
      WITHDRAWN: { meaning: 'The guest canceled the order before it was sent.' },
      CANCELLED_BY_RESTAURANT: { meaning: 'The restaurant canceled the order.' },
      NEVER_ENDED: {
        meaning: 'The ERP has not completed the order for days, so it is no longer tracked.',
      },
      CANCELLED_BY_STAFF: { meaning: 'Staff canceled the order.' },
    },
  },
  OrderChannel: {
    meaning: 'Where the order was placed.',
    todo: 'Show orders of both channels. Only orders of `CARTE` can be canceled here.',
    codes: {
      CARTE: { meaning: 'The order was placed through this API.' },
      ERP: {
        meaning: 'The order was placed elsewhere, for example by phone, and reported by the ERP.',
      },
    },
  },
  OrderLineType: {
    meaning: 'The type of an order line.',
    todo: 'Show the line. Only lines of the type `ITEM` can be ordered again.',
    codes: {
      ITEM: { meaning: 'A dish that the guest ordered.' },
      SERVICE: { meaning: 'An item that the server added, for example cutlery.' },
      COMPENSATION: { meaning: 'A gift.' },
    },
  },
  NotOrderableReason: {
    meaning: 'A reason why a line cannot be ordered again.',
    todo: 'Leave the line out of the repeated order.',
    codes: { NOT_SOLD: { meaning: 'The item is a gift and is not sold.' } },
  },
  GiftChoice: {
    meaning: 'A choice that the guest has for a gift.',
    todo: 'Send the choice in `giftChoices` of the cart.',
    codes: {
      INCLUDE: {
        meaning: 'The gift is added to the order.',
        notEmitted: 'It is the default: requests can send it, but responses do not offer it.',
      },
      REPLACE: { meaning: 'One of `replacements` is added instead.' },
      POSTPONE: { meaning: 'The gift remains granted for a later order.' },
    },
  },
} as const satisfies Readonly<Record<string, CodeList>>;

export type CodeListName = keyof typeof CODES;
export type CodeOf<L extends CodeListName> = {
  [N in L]: Extract<keyof (typeof CODES)[N]['codes'], string>;
}[L];

type Entry<L extends CodeListName, C extends CodeOf<L>> = (typeof CODES)[L]['codes'][C &
  keyof (typeof CODES)[L]['codes']];

/** The fields of a code, without `repair`. */
export type DetailOf<L extends CodeListName, C extends CodeOf<L>> =
  Entry<L, C> extends { fields: readonly (infer F extends string)[] } ? F : never;

/** Fields in addition to those of all codes of the list. */
export type FieldOf<L extends CodeListName, C extends CodeOf<L>> =
  | DetailOf<L, C>
  | (Entry<L, C> extends { repair: object } ? 'repair' : never);

/** `isConditional`: the repair is not always present. */
export type RepairOf<L extends CodeListName, C extends CodeOf<L>> =
  Entry<L, C> extends { repair: { action: infer A extends CodeOf<'RepairAction'> } }
    ? { action: A; isConditional: Entry<L, C> extends { repair: { when: string } } ? true : false }
    : never;

/** The same table without literal types. */
const LISTS: Readonly<Record<CodeListName, CodeList>> = CODES;

export const CODE_LISTS = Object.keys(CODES) as CodeListName[];
export const listMeaning = (list: CodeListName): string => LISTS[list].meaning;
export const listTodo = (list: CodeListName): string => LISTS[list].todo;
export const listCodes = <L extends CodeListName>(...lists: L[]): CodeOf<L>[] =>
  lists.flatMap((list) => Object.keys(LISTS[list].codes)) as CodeOf<L>[];
export const codeEntry = (list: CodeListName, code: string): CodeEntry | undefined =>
  LISTS[list].codes[code];

/** HTTP-28. */
export const codeUrl = (code: string): string => `/codes/${code}`;
