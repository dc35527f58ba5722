export type ReadinessFacts = {
  isConnected: boolean;
  /** Number of windows in the regular week. */
  windows: number;
  deliveryEnabled: boolean;
  pickupEnabled: boolean;
  paymentMethods: number;
  menuRevision: number | null;
  terminals: number;
  zones: number;
  hasOrders: boolean;
};

/** Items in the order of setup. */
export const READINESS_ITEMS = [
  'CONNECTION',
  'TERMINALS',
  'MENU',
  'HOURS',
  'PAYMENT_METHODS',
  'ZONES',
  'SWITCHES',
  'TEST_ORDER',
] as const;

export type ReadinessItem = (typeof READINESS_ITEMS)[number];

type Item = { isDone: (facts: ReadinessFacts) => boolean; next: string };

/** Zones count only for delivery. A missing test order does not keep guests from ordering. */
const ITEMS: Readonly<Record<ReadinessItem, Item>> = {
  CONNECTION: { isDone: (facts) => facts.isConnected, next: 'POST /connections/{id}/enable' },
  TERMINALS: { isDone: (facts) => facts.terminals > 0, next: 'POST /sync/run' },
  MENU: { isDone: (facts) => facts.menuRevision !== null, next: 'POST /sync/run' },
  HOURS: { isDone: (facts) => facts.windows > 0, next: 'PUT /organizations/{id}/schedule' },
  PAYMENT_METHODS: {
    isDone: (facts) => facts.paymentMethods > 0,
    next: 'PUT /organizations/{id}/payment-methods',
  },
  ZONES: { isDone: (facts) => !facts.deliveryEnabled || facts.zones > 0, next: 'POST /sync/run' },
  SWITCHES: {
    isDone: (facts) => facts.deliveryEnabled || facts.pickupEnabled,
    next: 'PATCH /organizations/{id}/ordering',
  },
  TEST_ORDER: { isDone: (facts) => facts.hasOrders, next: 'POST /orders' },
};

/** Returns the checklist of a restaurant (FUL-93). `next`: operation for a missing item. */
export function checklist(
  facts: ReadinessFacts,
): { code: ReadinessItem; isDone: boolean; next: string | null }[] {
  return READINESS_ITEMS.map((code) => {
    const { isDone, next } = ITEMS[code];
    return isDone(facts) ? { code, isDone: true, next: null } : { code, isDone: false, next };
  });
}

/** Returns missing items that keep guests from ordering. */
export const missingItems = (facts: ReadinessFacts): ReadinessItem[] =>
  READINESS_ITEMS.filter((code) => code !== 'TEST_ORDER' && !ITEMS[code].isDone(facts));
