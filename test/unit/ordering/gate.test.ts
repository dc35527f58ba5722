import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  allFindings,
  ASAP,
  GATE_CODES,
  judgeOrder,
  listFindings,
} from '../../../modules/ordering/rules/gate.ts';
import type { Finding } from '../../../modules/ordering/rules/findings.ts';
import type { AddressFact, GateFacts } from '../../../modules/ordering/rules/gate-facts.ts';
import { repetitions } from '../../support/repetitions.ts';

const CLOSES_AT = Date.parse('2026-11-22T23:00+03:00');
const OPENS_AT = Date.parse('2026-11-23T10:00+03:00');
const NEXT = '2026-11-22T18:30+03:00/PT30M';

const fine: GateFacts = {
  wanted: {
    type: 'DELIVERY',
    slotId: ASAP,
    pickupOrganizationId: null,
    addressId: 'a',
    paymentMethod: 'CASH',
    leaveAtDoor: false,
    changeFromKopecks: 500_000,
  },
  organization: { id: 'here', isServed: true, isErpEnabled: true, isTerminalAlive: true },
  cart: {
    version: 7,
    lineCount: 2,
    changes: [],
    brokenLimits: [],
    priceChanges: [],
    areServiceItemsChanged: false,
    promocodes: [{ code: 'WELCOME', reason: null }],
    subtotalKopecks: 150_000,
    toPayKopecks: 140_000,
  },
  buyer: { isSignedIn: false, guestSumKopecks: 140_000, reachedLimits: [] },
  address: {
    isResolved: true,
    organizationId: 'here',
    precision: 'HOUSE',
    zoneId: 3,
    at: Date.parse('2026-11-22T18:00+03:00'),
    minSumKopecks: 150_000,
    deliveryFeeKopecks: 0,
    durationMinutes: 60,
    terminalGroupErpId: null,
    sources: { minSum: 'ZONE', deliveryFee: 'NOBODY', duration: 'ZONE' },
  },
  time: {
    acceptance: { accepting: true, reason: null, opensAt: OPENS_AT, closesAt: CLOSES_AT },
    intakeStoppedUntil: null,
    timedOrdersEnabled: true,
    isSlotOffered: true,
    nearestSlotId: NEXT,
    intakeEndsInMinutes: 200,
    expectation: null,
  },
  paymentMethods: [
    { code: 'CASH', isCash: true, allowsLeaveAtDoor: false },
    { code: 'CARD_COURIER', isCash: false, allowsLeaveAtDoor: true },
  ],
  gifts: { undecided: [], unavailable: [] },
};

type Part = { [K in keyof GateFacts]?: Partial<GateFacts[K] & object> | null };
const change = (facts: GateFacts, part: Part): GateFacts =>
  Object.fromEntries(
    Object.entries(facts).map(([key, value]) => {
      const changed = part[key as keyof Part];
      if (changed === undefined) return [key, value];
      return [key, changed === null ? null : Object.assign({}, value, changed)];
    }),
  ) as GateFacts;

const unresolved = (reason: string): Partial<AddressFact> =>
  ({ isResolved: false, reason, precision: 'STREET', missing: ['house'] }) as Partial<AddressFact>;
const removed = {
  lineId: 'l',
  variantId: 1,
  itemId: 'i',
  name: 'Борщ',
  action: 'REMOVED' as const,
  removedModifiers: [],
  reason: 'STOP_LIST' as const,
};
const omelet = { lineId: 'l', name: 'Омлет', availableFrom: OPENS_AT };
const acceptance = (reason: 'CLOSED' | 'CLOSING_SOON' | 'INTAKE_STOPPED' | 'DISABLED') => ({
  ...fine.time.acceptance,
  accepting: false,
  reason,
});
const told = (facts: GateFacts) => {
  const results = judgeOrder(facts);
  return (['blocker', 'warning', 'adjustment'] as const).flatMap((kind) =>
    listFindings(results, kind),
  );
};

/** Facts for every code, with details and repair; `with` are accompanying codes. */
const CODES: readonly {
  code: string;
  part: Part;
  details?: object;
  repair?: object;
  with?: string[];
}[] = [
  { code: 'ORGANIZATION_INACTIVE', part: { organization: { isServed: false } } },
  { code: 'ERP_DISABLED', part: { organization: { isErpEnabled: false } } },
  { code: 'TERMINAL_NOT_ALIVE', part: { organization: { isTerminalAlive: false } } },
  { code: 'CART_EMPTY', part: { cart: { lineCount: 0 } }, repair: { action: 'ADD_ITEMS' } },
  {
    code: 'ITEMS_UNAVAILABLE',
    part: { cart: { changes: [removed] } },
    details: { changes: [removed] },
    repair: { action: 'ACCEPT_CHANGES', cartVersion: 7 },
    with: ['ITEM_REMOVED'],
  },
  {
    code: 'MODIFIERS_INVALID',
    part: {
      cart: {
        brokenLimits: [
          {
            code: 'min',
            lineId: 'l',
            groupKey: 'g',
            groupId: 'mg_1',
            modifierId: null,
            min: 1,
            max: 2,
          },
        ],
      },
    },
    details: { lineId: 'l', groupId: 'mg_1', min: 1, max: 2 },
    repair: { action: 'EDIT_LINE', lineId: 'l', groupId: 'mg_1' },
  },
  {
    code: 'ITEMS_OUTSIDE_HOURS',
    part: { cart: { outsideHours: { items: [omelet], availableFrom: OPENS_AT, slotId: NEXT } } },
    details: { items: [omelet], availableFrom: OPENS_AT },
    repair: { action: 'CHOOSE_SLOT', slotId: NEXT },
  },
  {
    code: 'ITEMS_OUTSIDE_HOURS',
    part: { cart: { outsideHours: { items: [omelet], availableFrom: null, slotId: null } } },
    details: { items: [omelet], availableFrom: null },
  },
  { code: 'ADDRESS_REQUIRED', part: { address: null }, repair: { action: 'CHOOSE_ADDRESS' } },
  {
    code: 'PICKUP_POINT_REQUIRED',
    part: { wanted: { type: 'PICKUP' } },
    repair: { action: 'CHOOSE_POINT' },
  },
  {
    code: 'ZONE_NOT_FOUND',
    part: { address: unresolved('ZONE_NOT_FOUND') },
    repair: { action: 'CHOOSE_ADDRESS' },
  },
  {
    code: 'ADDRESS_IMPRECISE',
    part: { address: unresolved('ADDRESS_IMPRECISE') },
    details: { precision: 'STREET', missing: ['house'] },
    repair: { action: 'CHOOSE_ADDRESS' },
  },
  {
    code: 'ADDRESS_IMPRECISE',
    part: { address: unresolved('ADDRESS_NOT_FOUND') },
    repair: { action: 'CHOOSE_ADDRESS' },
  },
  {
    code: 'ZONES_OVERLAP',
    part: { address: unresolved('ZONES_OVERLAP') },
    repair: { action: 'CHOOSE_ADDRESS' },
  },
  {
    code: 'SIGN_IN_REQUIRED',
    part: { buyer: { guestSumKopecks: 139_999 } },
    details: { maxSum: 139_999 },
    repair: { action: 'SIGN_IN' },
  },
  {
    code: 'TOO_MANY_ORDERS',
    part: { buyer: { reachedLimits: [{ scope: 'GUEST', period: 'OPEN' }] } },
    details: { scope: 'GUEST', period: 'OPEN' },
    repair: { action: 'SIGN_IN' },
  },
  {
    code: 'TOO_MANY_ORDERS',
    part: { buyer: { isSignedIn: true, reachedLimits: [{ scope: 'CUSTOMER', period: 'DAY' }] } },
    details: { scope: 'CUSTOMER', period: 'DAY' },
  },
  {
    code: 'GEOCODER_BUDGET_SPENT',
    part: { address: unresolved('GEOCODER_BUDGET_SPENT') },
    repair: { action: 'RETRY' },
  },
  {
    code: 'GEOCODER_UNAVAILABLE',
    part: { address: unresolved('GEOCODER_UNAVAILABLE') },
    repair: { action: 'RETRY' },
  },
  {
    code: 'ORGANIZATION_MISMATCH',
    part: { address: { organizationId: 'there' } },
    details: { organizationId: 'there' },
    repair: { action: 'MOVE_CART', organizationId: 'there' },
  },
  {
    code: 'ORGANIZATION_MISMATCH',
    part: { wanted: { type: 'PICKUP', pickupOrganizationId: 'there' } },
    repair: { action: 'MOVE_CART', organizationId: 'there' },
  },
  {
    code: 'MIN_SUM_NOT_REACHED',
    part: { cart: { subtotalKopecks: 149_999 } },
    details: { minSum: 150_000, shortfall: 1 },
    repair: { action: 'ADD_ITEMS' },
  },
  {
    code: 'ORDERS_STOPPED',
    part: { time: { acceptance: acceptance('INTAKE_STOPPED'), intakeStoppedUntil: OPENS_AT } },
    details: { until: OPENS_AT },
  },
  {
    code: 'DELIVERY_NOT_ACCEPTING',
    part: { time: { acceptance: acceptance('CLOSED') } },
    details: { reason: 'CLOSED', opensAt: OPENS_AT },
    repair: { action: 'CHOOSE_SLOT', slotId: NEXT },
  },
  {
    code: 'DELIVERY_NOT_ACCEPTING',
    part: {
      wanted: { slotId: NEXT },
      time: { acceptance: acceptance('DISABLED'), nearestSlotId: null },
    },
    details: { reason: 'DISABLED' },
  },
  {
    code: 'PICKUP_NOT_ACCEPTING',
    part: {
      wanted: { type: 'PICKUP', pickupOrganizationId: 'here' },
      time: { acceptance: acceptance('CLOSING_SOON'), nearestSlotId: null },
    },
    details: { reason: 'CLOSING_SOON' },
  },
  {
    code: 'TIMED_ORDERS_DISABLED',
    part: { wanted: { slotId: NEXT }, time: { timedOrdersEnabled: false } },
    repair: { action: 'CHOOSE_SLOT', slotId: ASAP },
  },
  {
    code: 'NO_SLOT',
    part: {
      wanted: { slotId: NEXT },
      time: { acceptance: acceptance('CLOSED'), isSlotOffered: false, nearestSlotId: null },
    },
  },
  {
    code: 'PAYMENT_METHOD_UNAVAILABLE',
    part: { wanted: { paymentMethod: 'SBP' } },
    details: { allowed: ['CASH', 'CARD_COURIER'] },
    repair: { action: 'CHOOSE_PAYMENT_METHOD', allowed: ['CASH', 'CARD_COURIER'] },
  },
  {
    code: 'LEAVE_AT_DOOR_NOT_ALLOWED',
    part: { wanted: { leaveAtDoor: true } },
    details: { allowed: ['CARD_COURIER'] },
    repair: { action: 'CHOOSE_PAYMENT_METHOD', allowed: ['CARD_COURIER'] },
  },
  {
    code: 'CHANGE_TOO_SMALL',
    part: { wanted: { changeFromKopecks: 139_999 } },
    details: { allowed: ['CARD_COURIER'], toPay: 140_000 },
    repair: { action: 'CHOOSE_PAYMENT_METHOD', allowed: ['CARD_COURIER'] },
  },
  {
    code: 'GIFT_CHOICE_REQUIRED',
    part: {
      gifts: {
        undecided: [{ compensationId: 'c', choices: ['REPLACE', 'POSTPONE'], replacements: [] }],
      },
    },
    details: { compensationId: 'c', choices: ['REPLACE', 'POSTPONE'], replacements: [] },
    repair: {
      action: 'CHOOSE_GIFT',
      compensationId: 'c',
      choices: ['REPLACE', 'POSTPONE'],
      replacements: [],
    },
  },
  {
    code: 'PROMO_CONDITIONS_UNMET',
    part: { cart: { promocodes: [{ code: 'WELCOME', reason: 'MIN_SUM' }] } },
    details: { promocode: 'WELCOME', reason: 'MIN_SUM' },
    with: ['PROMO_REMOVED'],
  },
  {
    code: 'CLOSING_SOON',
    part: { time: { intakeEndsInMinutes: 30 } },
    details: { closesAt: CLOSES_AT },
  },
  {
    code: 'PRICE_CHANGED',
    part: { cart: { priceChanges: [{ lineId: 'l', beforeKopecks: 1, afterKopecks: 2 }] } },
    details: { lineId: 'l', before: 1, after: 2 },
  },
  {
    code: 'ETA_INCREASED',
    part: { time: { expectation: { minutes: 15, scope: 'CATEGORY' } } },
    details: { minutes: 15, scope: 'CATEGORY' },
  },
  {
    code: 'GIFT_UNAVAILABLE',
    part: { gifts: { unavailable: ['c'] } },
    details: { compensationId: 'c' },
  },
  {
    code: 'SLOT_EXPIRED',
    part: { wanted: { slotId: '2026-11-22T12:00+03:00/PT30M' }, time: { isSlotOffered: false } },
    details: { newSlotId: NEXT },
  },
  {
    code: 'SLOT_EXPIRED',
    part: {
      wanted: { slotId: '2026-11-22T12:00+03:00/PT30M' },
      time: { isSlotOffered: false, nearestSlotId: null },
    },
    details: { newSlotId: ASAP },
  },
  {
    code: 'PROMO_REMOVED',
    part: { cart: { promocodes: [{ code: 'WRONG', reason: 'UNKNOWN' }] } },
    details: { promocode: 'WRONG' },
    with: ['PROMO_CONDITIONS_UNMET'],
  },
  {
    code: 'ITEM_REMOVED',
    part: { cart: { changes: [removed] } },
    details: { change: removed },
    with: ['ITEMS_UNAVAILABLE'],
  },
  {
    code: 'MODIFIERS_REMOVED',
    part: { cart: { changes: [{ ...removed, action: 'MODIFIERS_REMOVED' }] } },
    with: ['ITEMS_UNAVAILABLE'],
  },
  { code: 'SERVICE_ITEMS_CHANGED', part: { cart: { areServiceItemsChanged: true } } },
];

describe('the checkout gate', () => {
  test('finds nothing for an order without blockers', () => {
    expect(told(fine)).toEqual([]);
  });

  test.each(CODES)(
    '[ORD-20] reports $code with its details and repair, and nothing else',
    ({ code, part, details, repair, ...rest }) => {
      const found = told(change(fine, part));
      const own = found.filter((entry) => entry.code === code);

      expect(found.map((entry) => entry.code).toSorted()).toEqual(
        [code, ...(rest.with ?? [])].toSorted(),
      );
      expect(own).toHaveLength(1);
      expect(own[0]!.details).toMatchObject(details ?? {});
      expect(own[0]!.repair).toEqual(repair);
    },
  );

  test('[ORD-19] covers all its codes in the test facts', () => {
    expect([...new Set(CODES.map(({ code }) => code))].toSorted()).toEqual(
      GATE_CODES.map(({ code }) => code).toSorted(),
    );
  });

  test.each<[string, Part]>([
    ['an unknown state of the terminal', { organization: { isTerminalAlive: null } }],
    ['a sum at the minimum', { cart: { subtotalKopecks: 150_000 } }],
    [
      'a small sum at a pickup',
      { wanted: { type: 'PICKUP', pickupOrganizationId: 'here' }, cart: { subtotalKopecks: 1 } },
    ],
    [
      'an address that nobody serves at a pickup',
      { wanted: { type: 'PICKUP', pickupOrganizationId: 'here' }, address: null },
    ],
    [
      'a slot while nothing is accepted now',
      { wanted: { slotId: NEXT }, time: { acceptance: acceptance('CLOSED') } },
    ],
    [
      'a slot behind a stop of intake',
      { wanted: { slotId: NEXT }, time: { acceptance: acceptance('INTAKE_STOPPED') } },
    ],
    ['change for a card', { wanted: { paymentMethod: 'CARD_COURIER', changeFromKopecks: 1 } }],
    ['a card at the door', { wanted: { paymentMethod: 'CARD_COURIER', leaveAtDoor: true } }],
    ['exact change', { wanted: { changeFromKopecks: 140_000 } }],
    ['no wish for change', { wanted: { changeFromKopecks: null } }],
    ['half an hour and a minute before the end of intake', { time: { intakeEndsInMinutes: 31 } }],
    ['no promocode', { cart: { promocodes: [] } }],
    [
      'a slot shortly before closing',
      { wanted: { slotId: NEXT }, time: { intakeEndsInMinutes: 5 } },
    ],
    ['an order of a place that never closes', { time: { intakeEndsInMinutes: null } }],
    [
      'a kitchen that is as quick as ever',
      { time: { expectation: { minutes: 0, scope: 'GLOBAL' } } },
    ],
    [
      'a precise pickup, whatever the address of a delivery would be',
      {
        wanted: { type: 'PICKUP', pickupOrganizationId: 'here' },
        address: unresolved('ZONE_NOT_FOUND'),
      },
    ],
  ])('[ORD-21, ORD-22, ORD-23, ORD-24] allows %s', (_, part) => {
    expect(told(change(fine, part))).toEqual([]);
  });

  test.each<[string, Part, object[]]>([
    [
      'another slot while nothing is accepted now',
      {
        wanted: { slotId: 'gone' },
        time: { isSlotOffered: false, acceptance: acceptance('CLOSED') },
      },
      [{ code: 'SLOT_EXPIRED', details: { newSlotId: NEXT } }],
    ],
    [
      'as soon as possible where no slot is left and orders are accepted',
      { wanted: { slotId: 'gone' }, time: { isSlotOffered: false, nearestSlotId: null } },
      [{ code: 'SLOT_EXPIRED', details: { newSlotId: ASAP } }],
    ],
    [
      'nothing of the door where the way to pay is unknown',
      { wanted: { paymentMethod: 'SBP', leaveAtDoor: true } },
      [{ code: 'PAYMENT_METHOD_UNAVAILABLE' }],
    ],
    [
      'nothing of closing soon where nothing is accepted',
      { time: { acceptance: acceptance('CLOSED'), intakeEndsInMinutes: 5 } },
      [{ code: 'DELIVERY_NOT_ACCEPTING' }],
    ],
  ])('reports %s', (_, part, findings) => {
    expect(told(change(fine, part))).toMatchObject(findings);
  });

  test('[ORD-23] rejects leaving at the door for pickup, with any payment', () => {
    const part: Part = {
      wanted: {
        type: 'PICKUP',
        pickupOrganizationId: 'here',
        paymentMethod: 'CARD_COURIER',
        leaveAtDoor: true,
      },
    };
    expect(told(change(fine, part))).toMatchObject([
      { code: 'LEAVE_AT_DOOR_NOT_ALLOWED', details: { allowed: [] } },
    ]);
  });

  test.each<[string, Part]>([
    [
      'is left at the door at a pickup',
      { wanted: { type: 'PICKUP', pickupOrganizationId: 'here', leaveAtDoor: true } },
    ],
    ['is paid for where nothing can be paid with', { paymentMethods: [] }],
  ])(
    '[ORD-20] offers no payment method as a repair that does not help: an order that %s',
    (_, part) => {
      const facts = {
        ...change(fine, part),
        ...(part.paymentMethods === undefined ? {} : { paymentMethods: [] }),
      };

      for (const finding of told(facts)) expect(finding.repair).toBeUndefined();
    },
  );

  test('[ORD-19] reports all blockers of an order together, in the order of the rules', () => {
    // The parts are different facts, so that no part hides another.
    const parts = (['organization', 'cart', 'address', 'time', 'gifts'] as const).map((key) =>
      CODES.filter(({ part }) => Object.keys(part).join() === key),
    );
    const anyOf = parts.map((ofPart) => fc.option(fc.constantFrom(...ofPart)));
    const place = (code: string) => GATE_CODES.findIndex((entry) => entry.code === code);
    fc.assert(
      fc.property(fc.tuple(...anyOf), fc.boolean(), (drawn, isTurned) => {
        const chosen = drawn.filter((entry) => entry !== null);
        const facts = (isTurned ? chosen.toReversed() : chosen).reduce(
          (all, { part }) => change(all, part),
          fine,
        );
        const found = told(facts).map(({ code }) => code);
        const expected = [
          ...new Set(chosen.flatMap((entry) => [entry.code, ...(entry.with ?? [])])),
        ]
          // An unserved address has no minimum.
          .filter((code) => code !== 'MIN_SUM_NOT_REACHED' || facts.address?.isResolved === true)
          .filter((code) => code !== 'CLOSING_SOON' || facts.time.acceptance.accepting);

        expect(found).toEqual(expected.toSorted((a, b) => place(a) - place(b)));
        expect(judgeOrder(structuredClone(facts))).toEqual(judgeOrder(facts));
      }),
      { numRuns: repetitions(200) },
    );
  });
});

const closing = (closesAt: number): Finding<'CLOSING_SOON'> => ({
  code: 'CLOSING_SOON',
  kind: 'warning',
  details: { closesAt },
});
const noSlot: Finding<'NO_SLOT'> = { code: 'NO_SLOT', kind: 'blocker', details: {} };

test('an order keeps every finding with its code and kind, in the order of the rules', () => {
  const results = [
    {
      code: 'CLOSING_SOON' as const,
      kind: 'warning' as const,
      input: null,
      findings: [closing(1), closing(2)],
    },
    { code: 'NO_SLOT' as const, kind: 'blocker' as const, input: null, findings: [noSlot] },
  ];

  expect(allFindings(results)).toEqual([closing(1), closing(2), noSlot]);
});

test('[ORD-96] the code of a finding determines its details and its repair', () => {
  const shortfallOf = (finding: Finding): number =>
    finding.code === 'MIN_SUM_NOT_REACHED' ? finding.details.shortfall : 0;
  const tooSmall: Finding = {
    code: 'MIN_SUM_NOT_REACHED',
    kind: 'blocker',
    details: { minSum: 500, shortfall: 100 },
    repair: { action: 'ADD_ITEMS' },
  };
  // @ts-expect-error A finding with this code has both sums and a repair.
  const _withoutSums: Finding = { code: 'MIN_SUM_NOT_REACHED', kind: 'blocker', details: {} };
  // @ts-expect-error Only a minimum sum has a shortfall.
  const _ofAnother: Finding = {
    ...noSlot,
    details: { shortfall: 100 },
    repair: { action: 'ADD_ITEMS' },
  };

  expect([shortfallOf(tooSmall), shortfallOf(noSlot)]).toEqual([100, 0]);
});
