import type { CodeOf } from '../../../kernel/pure/codes.ts';
import type { CartChange } from './cart-facts.ts';
import type { Finding, FindingCode, FindingKind, Judgment } from './findings.ts';
import type { GateFacts, PaymentFact } from './gate-facts.ts';

export const ASAP = 'asap';

/** A checkout rule: selects its input from the facts and returns findings. Pure. */
type GateRule<C extends FindingCode, I> = Pick<Finding<C>, 'kind' | 'code'> & {
  input: (facts: GateFacts) => I;
  judge: (input: I) => readonly Judgment<C>[];
};

export type RuleResult = {
  code: FindingCode;
  kind: FindingKind;
  input: unknown;
  findings: readonly Finding[];
};

type Judged = { code: FindingCode; kind: FindingKind; decide: (facts: GateFacts) => RuleResult };

const rule = <C extends FindingCode, I>({ code, kind, input, judge }: GateRule<C, I>): Judged => ({
  code,
  kind,
  decide(facts) {
    const seen = input(facts);
    // TypeScript cannot narrow a union by a generic code.
    const findings = judge(seen).map(
      (judgment) => ({ kind, code, ...judgment }) as unknown as Finding,
    );

    return { code, kind, input: seen, findings };
  },
});

const when = <J>(holds: boolean, judgment: J): readonly J[] => (holds ? [judgment] : []);
const NO_DETAILS = { details: {} };

const pickAddress = ({ wanted, address }: GateFacts) => ({ type: wanted.type, address });

const unserved = (
  { type, address }: ReturnType<typeof pickAddress>,
  reasons: readonly CodeOf<'ResolveReason'>[],
): readonly Finding<'ZONE_NOT_FOUND'>['details'][] =>
  type === 'DELIVERY' && address?.isResolved === false && reasons.includes(address.reason)
    ? [{ precision: address.precision, missing: address.missing }]
    : [];

/** A blocker that another address resolves. */
const addressRule = (
  code: 'ZONE_NOT_FOUND' | 'ADDRESS_IMPRECISE' | 'ZONES_OVERLAP',
  ...reasons: readonly CodeOf<'ResolveReason'>[]
): Judged =>
  rule<typeof code, ReturnType<typeof pickAddress>>({
    code,
    kind: 'blocker',
    input: pickAddress,
    judge: (input) =>
      unserved(input, reasons).map((details) => ({
        details,
        repair: { action: 'CHOOSE_ADDRESS' },
      })),
  });

const geocoderRule = (code: 'GEOCODER_BUDGET_SPENT' | 'GEOCODER_UNAVAILABLE'): Judged =>
  rule<typeof code, ReturnType<typeof pickAddress>>({
    code,
    kind: 'blocker',
    input: pickAddress,
    judge: (input) =>
      unserved(input, [code]).map((details) => ({ details, repair: { action: 'RETRY' } })),
  });

const organizationRule = (
  code: 'ORGANIZATION_INACTIVE' | 'ERP_DISABLED' | 'TERMINAL_NOT_ALIVE',
  holds: (organization: GateFacts['organization']) => boolean,
): Judged =>
  rule<typeof code, GateFacts['organization']>({
    code,
    kind: 'blocker',
    input: ({ organization }) => organization,
    judge: (organization) => when(holds(organization), NO_DETAILS),
  });

const pickTime = ({ wanted, time }: TimeFacts) => ({
  type: wanted.type,
  slotId: wanted.slotId,
  ...time,
});

type Time = ReturnType<typeof pickTime>;

type TimeFacts = { wanted: Pick<GateFacts['wanted'], 'type' | 'slotId'>; time: GateFacts['time'] };

export const isTimePossible = (facts: TimeFacts): boolean =>
  timeVerdict(pickTime(facts)) === 'FINE';

/** Rule ORD-22. */
function timeVerdict(
  time: Time,
): 'FINE' | 'NOT_ACCEPTING' | 'STOPPED' | 'TIMED_DISABLED' | 'REPLACED' | 'NO_SLOT' {
  const { acceptance, slotId, isSlotOffered, nearestSlotId, timedOrdersEnabled } = time;
  if (acceptance.reason === 'DISABLED') return 'NOT_ACCEPTING';
  if (slotId === ASAP) {
    if (acceptance.accepting) return 'FINE';
    return acceptance.reason === 'INTAKE_STOPPED' ? 'STOPPED' : 'NOT_ACCEPTING';
  }

  if (!timedOrdersEnabled) return 'TIMED_DISABLED';
  if (isSlotOffered) return 'FINE';

  return nearestSlotId !== null || acceptance.accepting ? 'REPLACED' : 'NO_SLOT';
}

type SlotRepair = Pick<Finding<'TIMED_ORDERS_DISABLED'>, 'repair'>;
const chooseAsap = ({ acceptance }: Time): SlotRepair =>
  acceptance.accepting ? { repair: { action: 'CHOOSE_SLOT', slotId: ASAP } } : {};
const chooseNearest = ({ nearestSlotId }: Time): SlotRepair =>
  nearestSlotId === null ? {} : { repair: { action: 'CHOOSE_SLOT', slotId: nearestSlotId } };

const notAccepting = (
  code: 'DELIVERY_NOT_ACCEPTING' | 'PICKUP_NOT_ACCEPTING',
  type: Time['type'],
): Judged =>
  rule<typeof code, Time>({
    code,
    kind: 'blocker',
    input: pickTime,
    judge: (time) =>
      when(time.type === type && timeVerdict(time) === 'NOT_ACCEPTING', {
        details: { reason: time.acceptance.reason, opensAt: time.acceptance.opensAt },
        ...chooseNearest(time),
      }),
  });

const pickPayment = ({ wanted, paymentMethods, cart }: GateFacts) => ({
  ...wanted,
  methods: paymentMethods,
  chosen: paymentMethods.find(({ code }) => code === wanted.paymentMethod) ?? null,
  toPayKopecks: cart.toPayKopecks,
});

type Payment = ReturnType<typeof pickPayment>;

type PaymentCode = 'PAYMENT_METHOD_UNAVAILABLE' | 'LEAVE_AT_DOOR_NOT_ALLOWED' | 'CHANGE_TOO_SMALL';

const paymentRule = <C extends PaymentCode>(
  code: C,
  holds: (payment: Payment) => boolean,
  isAllowed: (method: PaymentFact, payment: Payment) => boolean,
  detailsOf: (allowed: readonly string[], payment: Payment) => Finding<C>['details'],
): Judged =>
  rule<PaymentCode, Payment>({
    code,
    kind: 'blocker',
    input: pickPayment,
    judge(payment) {
      const allowed = payment.methods
        .filter((method) => isAllowed(method, payment))
        .map((method) => method.code);
      return when(holds(payment), {
        details: detailsOf(allowed, payment),
        ...(allowed.length === 0 ? {} : { repair: { action: 'CHOOSE_PAYMENT_METHOD', allowed } }),
      });
    },
  });

const isTooSmall = ({ changeFromKopecks, toPayKopecks, chosen }: Payment): boolean =>
  chosen?.isCash === true && changeFromKopecks !== null && changeFromKopecks < toPayKopecks;

/** Rule ORD-91. */
const CLOSING_SOON_MINUTES = 30;

/** Sorted in the order of reporting (rule ORD-19). */
const RULES: readonly Judged[] = [
  organizationRule('ORGANIZATION_INACTIVE', ({ isServed }) => !isServed),
  organizationRule('ERP_DISABLED', ({ isErpEnabled }) => !isErpEnabled),
  organizationRule('TERMINAL_NOT_ALIVE', ({ isTerminalAlive }) => isTerminalAlive === false),
  rule({
    code: 'CART_EMPTY',
    kind: 'blocker',
    input: ({ cart }) => cart.lineCount,
    judge: (lineCount) => when(lineCount === 0, { details: {}, repair: { action: 'ADD_ITEMS' } }),
  }),
  rule({
    code: 'ITEMS_UNAVAILABLE',
    kind: 'blocker',
    input: ({ cart: { changes, version } }) => ({ changes, version }),
    judge: ({ changes, version }) =>
      when(changes.length > 0, {
        details: { changes },
        repair: { action: 'ACCEPT_CHANGES', cartVersion: version },
      }),
  }),
  rule({
    code: 'MODIFIERS_INVALID',
    kind: 'blocker',
    input: ({ cart }) => cart.brokenLimits,
    judge: (broken) =>
      broken.map(({ lineId, groupId, modifierId, min, max }) => ({
        details: { lineId, groupId, modifierId, min, max },
        repair: { action: 'EDIT_LINE', lineId, groupId },
      })),
  }),
  rule({
    code: 'ITEMS_OUTSIDE_HOURS',
    kind: 'blocker',
    input: ({ cart }) => cart.outsideHours ?? { items: [], availableFrom: null, slotId: null },
    judge: ({ items, availableFrom, slotId }) =>
      when(items.length > 0, {
        details: { items, availableFrom },
        ...(slotId === null ? {} : { repair: { action: 'CHOOSE_SLOT', slotId } }),
      }),
  }),
  rule({
    code: 'ADDRESS_REQUIRED',
    kind: 'blocker',
    input: ({ wanted, address }) => ({ type: wanted.type, hasAddress: address !== null }),
    judge: ({ type, hasAddress }) =>
      when(type === 'DELIVERY' && !hasAddress, {
        details: {},
        repair: { action: 'CHOOSE_ADDRESS' },
      }),
  }),
  rule({
    code: 'PICKUP_POINT_REQUIRED',
    kind: 'blocker',
    input: ({ wanted }) => wanted,
    judge: ({ type, pickupOrganizationId }) =>
      when(type === 'PICKUP' && pickupOrganizationId === null, {
        details: {},
        repair: { action: 'CHOOSE_POINT' },
      }),
  }),
  addressRule('ZONE_NOT_FOUND', 'ZONE_NOT_FOUND'),
  addressRule('ADDRESS_IMPRECISE', 'ADDRESS_IMPRECISE', 'ADDRESS_NOT_FOUND'),
  addressRule('ZONES_OVERLAP', 'ZONES_OVERLAP'),
  geocoderRule('GEOCODER_BUDGET_SPENT'),
  geocoderRule('GEOCODER_UNAVAILABLE'),
  rule({
    code: 'ORGANIZATION_MISMATCH',
    kind: 'blocker',
    input: ({ wanted, address, organization }) => ({
      cartOf: organization.id,
      servedBy:
        wanted.type === 'PICKUP'
          ? wanted.pickupOrganizationId
          : address?.isResolved === true
            ? address.organizationId
            : null,
    }),
    judge: ({ cartOf, servedBy }) =>
      servedBy === null || servedBy === cartOf
        ? []
        : [
            {
              details: { organizationId: servedBy },
              repair: { action: 'MOVE_CART', organizationId: servedBy },
            },
          ],
  }),
  rule({
    code: 'MIN_SUM_NOT_REACHED',
    kind: 'blocker',
    input: ({ wanted, address, cart }) => ({
      minSum:
        wanted.type === 'DELIVERY' && address?.isResolved === true ? address.minSumKopecks : 0,
      sum: cart.subtotalKopecks,
    }),
    judge: ({ minSum, sum }) =>
      when(sum < minSum, {
        details: { minSum, shortfall: minSum - sum },
        repair: { action: 'ADD_ITEMS' },
      }),
  }),
  rule({
    code: 'ORDERS_STOPPED',
    kind: 'blocker',
    input: pickTime,
    judge: (time) =>
      when(timeVerdict(time) === 'STOPPED', { details: { until: time.intakeStoppedUntil } }),
  }),
  notAccepting('DELIVERY_NOT_ACCEPTING', 'DELIVERY'),
  notAccepting('PICKUP_NOT_ACCEPTING', 'PICKUP'),
  rule({
    code: 'TIMED_ORDERS_DISABLED',
    kind: 'blocker',
    input: pickTime,
    judge: (time) =>
      when(timeVerdict(time) === 'TIMED_DISABLED', { details: {}, ...chooseAsap(time) }),
  }),
  rule({
    code: 'NO_SLOT',
    kind: 'blocker',
    input: pickTime,
    judge: (time) => when(timeVerdict(time) === 'NO_SLOT', NO_DETAILS),
  }),
  paymentRule(
    'PAYMENT_METHOD_UNAVAILABLE',
    ({ chosen }) => chosen === null,
    () => true,
    (allowed) => ({ allowed }),
  ),
  paymentRule(
    'LEAVE_AT_DOOR_NOT_ALLOWED',
    ({ chosen, leaveAtDoor, type }) =>
      leaveAtDoor && (type === 'PICKUP' || chosen?.allowsLeaveAtDoor === false),
    ({ allowsLeaveAtDoor }, { type }) => type === 'DELIVERY' && allowsLeaveAtDoor,
    (allowed) => ({ allowed }),
  ),
  paymentRule(
    'CHANGE_TOO_SMALL',
    isTooSmall,
    ({ isCash }) => !isCash,
    (allowed, { toPayKopecks }) => ({ allowed, toPay: toPayKopecks }),
  ),
  rule({
    code: 'GIFT_CHOICE_REQUIRED',
    kind: 'blocker',
    input: ({ gifts }) => gifts.undecided,
    judge: (undecided) =>
      undecided.map((choice) => ({
        details: choice,
        repair: { action: 'CHOOSE_GIFT', ...choice },
      })),
  }),
  rule({
    code: 'SIGN_IN_REQUIRED',
    kind: 'blocker',
    input: ({ buyer, cart }) => ({
      maxSum: buyer === undefined || buyer.isSignedIn ? null : buyer.guestSumKopecks,
      toPay: cart.toPayKopecks,
    }),
    judge: ({ maxSum, toPay }) =>
      maxSum !== null && toPay > maxSum
        ? [{ details: { maxSum }, repair: { action: 'SIGN_IN' } }]
        : [],
  }),
  rule({
    code: 'TOO_MANY_ORDERS',
    kind: 'blocker',
    input: ({ buyer }) => ({
      isSignedIn: buyer?.isSignedIn ?? false,
      reached: buyer?.reachedLimits ?? [],
    }),
    judge: ({ isSignedIn, reached }) =>
      reached.map((limit) => ({
        details: limit,
        ...(isSignedIn ? {} : { repair: { action: 'SIGN_IN' } }),
      })),
  }),

  rule({
    code: 'PROMO_CONDITIONS_UNMET',
    kind: 'warning',
    input: ({ cart }) => cart.promocodes,
    judge: (promocodes) =>
      promocodes.flatMap(({ code, reason }) =>
        reason === null ? [] : [{ details: { promocode: code, reason } }],
      ),
  }),
  rule({
    code: 'CLOSING_SOON',
    kind: 'warning',
    input: pickTime,
    judge: ({ slotId, acceptance, intakeEndsInMinutes }) =>
      when(
        slotId === ASAP &&
          acceptance.accepting &&
          intakeEndsInMinutes !== null &&
          intakeEndsInMinutes <= CLOSING_SOON_MINUTES,
        { details: { closesAt: acceptance.closesAt } },
      ),
  }),
  rule({
    code: 'PRICE_CHANGED',
    kind: 'warning',
    input: ({ cart }) => cart.priceChanges,
    judge: (changes) =>
      changes.map(({ lineId, beforeKopecks, afterKopecks }) => ({
        details: { lineId, before: beforeKopecks, after: afterKopecks },
      })),
  }),
  rule({
    code: 'ETA_INCREASED',
    kind: 'warning',
    input: ({ time }) => time.expectation,
    judge: (expectation) =>
      expectation === null ? [] : when(expectation.minutes > 0, { details: { ...expectation } }),
  }),
  rule({
    code: 'GIFT_UNAVAILABLE',
    kind: 'warning',
    input: ({ gifts }) => gifts.unavailable,
    judge: (ids) => ids.map((compensationId) => ({ details: { compensationId } })),
  }),

  rule({
    code: 'SLOT_EXPIRED',
    kind: 'adjustment',
    input: pickTime,
    judge: (time) =>
      when(timeVerdict(time) === 'REPLACED', {
        details: { newSlotId: time.nearestSlotId ?? ASAP },
      }),
  }),
  rule({
    code: 'PROMO_REMOVED',
    kind: 'adjustment',
    input: ({ cart }) => cart.promocodes,
    judge: (promocodes) =>
      promocodes.flatMap(({ code, reason }) =>
        when(reason !== null, { details: { promocode: code } }),
      ),
  }),
  changeRule('ITEM_REMOVED', ['REMOVED', 'QUANTITY_REDUCED']),
  changeRule('MODIFIERS_REMOVED', ['MODIFIERS_REMOVED']),
  rule({
    code: 'SERVICE_ITEMS_CHANGED',
    kind: 'adjustment',
    input: ({ cart }) => cart.areServiceItemsChanged,
    judge: (isChanged) => when(isChanged, NO_DETAILS),
  }),
];

type ChangeCode = 'ITEM_REMOVED' | 'MODIFIERS_REMOVED';

function changeRule(code: ChangeCode, actions: readonly CartChange['action'][]): Judged {
  return rule<ChangeCode, readonly CartChange[]>({
    code,
    kind: 'adjustment',
    input: ({ cart }) => cart.changes.filter(({ action }) => actions.includes(action)),
    judge: (changes) => changes.map((change) => ({ details: { change } })),
  });
}

export const GATE_CODES: readonly { code: FindingCode; kind: FindingKind }[] = RULES.map(
  ({ code, kind }) => ({
    code,
    kind,
  }),
);

/** Evaluates all rules (rules ORD-19 to ORD-24). Deterministic. */
export function judgeOrder(facts: GateFacts): RuleResult[] {
  return RULES.map(({ decide }) => decide(facts));
}

export function allFindings(results: readonly RuleResult[]): Finding[] {
  return results.flatMap(({ findings }) => findings);
}

export function listFindings<K extends FindingKind>(
  results: readonly RuleResult[],
  kind: K,
): Extract<Finding, { kind: K }>[] {
  return allFindings(results).filter(
    (finding): finding is Extract<Finding, { kind: K }> => finding.kind === kind,
  );
}
