import type { CodeOf } from '../../../kernel/pure/codes.ts';
import type { CartChange } from './cart-facts.ts';
import type { GateFacts, PaymentFact } from './gate-facts.ts';

/** The slot of an order that is wanted as soon as possible. */
export const ASAP = 'asap';

/** Code of a blocker, a warning or an adjustment. */
export type FindingCode = CodeOf<'BlockerCode' | 'WarningCode' | 'AdjustmentCode'>;

/** What a program can do about a blocker. */
export type Repair =
  | { action: 'ADD_ITEMS' | 'CHOOSE_ADDRESS' | 'CHOOSE_POINT' | 'RETRY' | 'SIGN_IN' }
  | { action: 'ACCEPT_CHANGES'; cartVersion: number }
  | { action: 'EDIT_LINE'; lineId: string; groupId: string }
  | { action: 'MOVE_CART'; organizationId: string }
  | { action: 'CHOOSE_SLOT'; slotId: string }
  | { action: 'CHOOSE_PAYMENT_METHOD'; allowed: readonly string[] }
  | {
      action: 'CHOOSE_GIFT';
      compensationId: string;
      choices: readonly string[];
      replacements: readonly { rewardCode: string; name: string }[];
    };

/** One thing that a rule says about an order: its details, and what can be done about it. */
export type Finding = { details: Readonly<Record<string, unknown>>; repair?: Repair };

export type FindingKind = 'blocker' | 'warning' | 'adjustment';

type CodeAndKind =
  | { kind: 'blocker'; code: CodeOf<'BlockerCode'> }
  | { kind: 'warning'; code: CodeOf<'WarningCode'> }
  | { kind: 'adjustment'; code: CodeOf<'AdjustmentCode'> };

/** One rule: what of the facts it looks at, and what it says of that. Both are pure. */
type GateRule<I> = CodeAndKind & {
  input: (facts: GateFacts) => I;
  judge: (input: I) => readonly Finding[];
};

/** What a rule has said of the facts. */
export type RuleResult = { code: FindingCode; kind: FindingKind; input: unknown; findings: readonly Finding[] };

type Judged = { code: FindingCode; kind: FindingKind; decide: (facts: GateFacts) => RuleResult };

const rule = <I>({ code, kind, input, judge }: GateRule<I>): Judged => ({
  code,
  kind,
  decide(facts) {
    const seen = input(facts);
    return { code, kind, input: seen, findings: judge(seen) };
  },
});

const nothing: readonly Finding[] = [];
const when = (holds: boolean, details: Finding['details'] = {}, repair?: Repair): readonly Finding[] =>
  holds ? [repair === undefined ? { details } : { details, repair }] : nothing;

/** A blocker by one reason for which an address is not served. */
const addressRule = (
  code: CodeOf<'BlockerCode'>,
  reasons: readonly CodeOf<'ResolveReason'>[],
  repair: Repair,
): Judged =>
  rule({
    code,
    kind: 'blocker',
    input: ({ wanted, address }) => ({ type: wanted.type, address }),
    judge: ({ type, address }) =>
      type === 'DELIVERY' && address?.isResolved === false && reasons.includes(address.reason)
        ? when(true, { precision: address.precision, missing: address.missing }, repair)
        : nothing,
  });

/** A blocker of the organization as a whole. */
const organizationRule = (
  code: CodeOf<'BlockerCode'>,
  holds: (organization: GateFacts['organization']) => boolean,
): Judged =>
  rule({
    code,
    kind: 'blocker',
    input: ({ organization }) => organization,
    judge: (organization) => when(holds(organization)),
  });

const timeOf = ({ wanted, time }: GateFacts) => ({ type: wanted.type, slotId: wanted.slotId, ...time });
type Time = ReturnType<typeof timeOf>;

/** What becomes of the time that is asked for (rule ORD-22). */
function timeVerdict(time: Time): 'FINE' | 'NOT_ACCEPTING' | 'STOPPED' | 'TIMED_DISABLED' | 'REPLACED' | 'NO_SLOT' {
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

const chooseAsap = ({ acceptance }: Time): Repair | undefined =>
  acceptance.accepting ? { action: 'CHOOSE_SLOT', slotId: ASAP } : undefined;
const chooseNearest = ({ nearestSlotId }: Time): Repair | undefined =>
  nearestSlotId === null ? undefined : { action: 'CHOOSE_SLOT', slotId: nearestSlotId };

const notAccepting = (code: CodeOf<'BlockerCode'>, type: Time['type']): Judged =>
  rule({
    code,
    kind: 'blocker',
    input: timeOf,
    judge: (time) =>
      when(
        time.type === type && timeVerdict(time) === 'NOT_ACCEPTING',
        { reason: time.acceptance.reason, opensAt: time.acceptance.opensAt },
        chooseNearest(time),
      ),
  });

const paymentOf = ({ wanted, paymentMethods, cart }: GateFacts) => ({
  ...wanted,
  methods: paymentMethods,
  chosen: paymentMethods.find(({ code }) => code === wanted.paymentMethod) ?? null,
  toPayKopecks: cart.toPayKopecks,
});
type Payment = ReturnType<typeof paymentOf>;

const paymentRule = (
  code: CodeOf<'BlockerCode'>,
  holds: (payment: Payment) => boolean,
  isAllowed: (method: PaymentFact, payment: Payment) => boolean,
  more: (payment: Payment) => Finding['details'] = () => ({}),
): Judged =>
  rule({
    code,
    kind: 'blocker',
    input: paymentOf,
    judge(payment) {
      const allowed = payment.methods.filter((method) => isAllowed(method, payment)).map((method) => method.code);
      // Where no way to pay helps there is nothing that a program could choose.
      const repair: Repair | undefined =
        allowed.length === 0 ? undefined : { action: 'CHOOSE_PAYMENT_METHOD', allowed };
      return when(holds(payment), { allowed, ...more(payment) }, repair);
    },
  });

const isTooSmall = ({ changeFromKopecks, toPayKopecks, chosen }: Payment): boolean =>
  chosen?.isCash === true && changeFromKopecks !== null && changeFromKopecks < toPayKopecks;

/** Minutes before the end of intake in which a guest is warned (rule ORD-91). */
const CLOSING_SOON_MINUTES = 30;

/** Every rule in the order in which its findings are told, which no request changes (rule ORD-19). */
const RULES: readonly Judged[] = [
  organizationRule('ORGANIZATION_INACTIVE', ({ isServed }) => !isServed),
  organizationRule('ERP_DISABLED', ({ isErpEnabled }) => !isErpEnabled),
  organizationRule('TERMINAL_NOT_ALIVE', ({ isTerminalAlive }) => isTerminalAlive === false),
  rule({
    code: 'CART_EMPTY',
    kind: 'blocker',
    input: ({ cart }) => cart.lineCount,
    judge: (lineCount) => when(lineCount === 0, {}, { action: 'ADD_ITEMS' }),
  }),
  rule({
    code: 'ITEMS_UNAVAILABLE',
    kind: 'blocker',
    input: ({ cart: { changes, version } }) => ({ changes, version }),
    judge: ({ changes, version }) =>
      when(changes.length > 0, { changes }, { action: 'ACCEPT_CHANGES', cartVersion: version }),
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
    code: 'ADDRESS_REQUIRED',
    kind: 'blocker',
    input: ({ wanted, address }) => ({ type: wanted.type, hasAddress: address !== null }),
    judge: ({ type, hasAddress }) => when(type === 'DELIVERY' && !hasAddress, {}, { action: 'CHOOSE_ADDRESS' }),
  }),
  rule({
    code: 'PICKUP_POINT_REQUIRED',
    kind: 'blocker',
    input: ({ wanted }) => wanted,
    judge: ({ type, pickupOrganizationId }) =>
      when(type === 'PICKUP' && pickupOrganizationId === null, {}, { action: 'CHOOSE_POINT' }),
  }),
  addressRule('ZONE_NOT_FOUND', ['ZONE_NOT_FOUND'], { action: 'CHOOSE_ADDRESS' }),
  addressRule('ADDRESS_IMPRECISE', ['ADDRESS_IMPRECISE', 'ADDRESS_NOT_FOUND'], { action: 'CHOOSE_ADDRESS' }),
  addressRule('ZONES_OVERLAP', ['ZONES_OVERLAP'], { action: 'CHOOSE_ADDRESS' }),
  addressRule('GEOCODER_BUDGET_SPENT', ['GEOCODER_BUDGET_SPENT'], { action: 'RETRY' }),
  addressRule('GEOCODER_UNAVAILABLE', ['GEOCODER_UNAVAILABLE'], { action: 'RETRY' }),
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
        ? nothing
        : when(true, { organizationId: servedBy }, { action: 'MOVE_CART', organizationId: servedBy }),
  }),
  rule({
    code: 'MIN_SUM_NOT_REACHED',
    kind: 'blocker',
    input: ({ wanted, address, cart }) => ({
      minSum: wanted.type === 'DELIVERY' && address?.isResolved === true ? address.minSumKopecks : 0,
      sum: cart.subtotalKopecks,
    }),
    judge: ({ minSum, sum }) => when(sum < minSum, { minSum, shortfall: minSum - sum }, { action: 'ADD_ITEMS' }),
  }),
  rule({
    code: 'ORDERS_STOPPED',
    kind: 'blocker',
    input: timeOf,
    judge: (time) => when(timeVerdict(time) === 'STOPPED', { until: time.intakeStoppedUntil }),
  }),
  notAccepting('DELIVERY_NOT_ACCEPTING', 'DELIVERY'),
  notAccepting('PICKUP_NOT_ACCEPTING', 'PICKUP'),
  rule({
    code: 'TIMED_ORDERS_DISABLED',
    kind: 'blocker',
    input: timeOf,
    judge: (time) => when(timeVerdict(time) === 'TIMED_DISABLED', {}, chooseAsap(time)),
  }),
  rule({
    code: 'NO_SLOT',
    kind: 'blocker',
    input: timeOf,
    judge: (time) => when(timeVerdict(time) === 'NO_SLOT'),
  }),
  paymentRule(
    'PAYMENT_METHOD_UNAVAILABLE',
    ({ chosen }) => chosen === null,
    () => true,
  ),
  paymentRule(
    'LEAVE_AT_DOOR_NOT_ALLOWED',
    ({ chosen, leaveAtDoor, type }) => leaveAtDoor && (type === 'PICKUP' || chosen?.allowsLeaveAtDoor === false),
    ({ allowsLeaveAtDoor }, { type }) => type === 'DELIVERY' && allowsLeaveAtDoor,
  ),
  paymentRule(
    'CHANGE_TOO_SMALL',
    isTooSmall,
    ({ isCash }) => !isCash,
    ({ toPayKopecks }) => ({ toPay: toPayKopecks }),
  ),
  rule({
    code: 'GIFT_CHOICE_REQUIRED',
    kind: 'blocker',
    input: ({ gifts }) => gifts.undecided,
    judge: (undecided) =>
      undecided.map((choice) => ({ details: choice, repair: { action: 'CHOOSE_GIFT', ...choice } })),
  }),
  rule({
    code: 'SIGN_IN_REQUIRED',
    kind: 'blocker',
    input: ({ buyer, cart }) => ({
      maxSum: buyer === undefined || buyer.isSignedIn ? null : buyer.guestSumKopecks,
      toPay: cart.toPayKopecks,
    }),
    judge: ({ maxSum, toPay }) => when(maxSum !== null && toPay > maxSum, { maxSum }, { action: 'SIGN_IN' }),
  }),
  rule({
    code: 'TOO_MANY_ORDERS',
    kind: 'blocker',
    input: ({ buyer }) => ({ isSignedIn: buyer?.isSignedIn ?? false, reached: buyer?.reachedLimits ?? [] }),
    judge: ({ isSignedIn, reached }) =>
      reached.flatMap((limit) => when(true, { ...limit }, isSignedIn ? undefined : { action: 'SIGN_IN' })),
  }),

  rule({
    code: 'PROMO_CONDITIONS_UNMET',
    kind: 'warning',
    input: ({ cart }) => cart.promocodes,
    judge: (promocodes) => promocodes.flatMap(({ code, reason }) => when(reason !== null, { promocode: code, reason })),
  }),
  rule({
    code: 'CLOSING_SOON',
    kind: 'warning',
    input: timeOf,
    judge: ({ slotId, acceptance, intakeEndsInMinutes }) =>
      when(
        slotId === ASAP &&
          acceptance.accepting &&
          intakeEndsInMinutes !== null &&
          intakeEndsInMinutes <= CLOSING_SOON_MINUTES,
        { closesAt: acceptance.closesAt },
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
    judge: (expectation) => (expectation === null ? nothing : when(expectation.minutes > 0, { ...expectation })),
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
    input: timeOf,
    judge: (time) => when(timeVerdict(time) === 'REPLACED', { newSlotId: time.nearestSlotId ?? ASAP }),
  }),
  rule({
    code: 'PROMO_REMOVED',
    kind: 'adjustment',
    input: ({ cart }) => cart.promocodes,
    judge: (promocodes) => promocodes.flatMap(({ code, reason }) => when(reason !== null, { promocode: code })),
  }),
  changeRule('ITEM_REMOVED', ['REMOVED', 'QUANTITY_REDUCED']),
  changeRule('MODIFIERS_REMOVED', ['MODIFIERS_REMOVED']),
  rule({
    code: 'SERVICE_ITEMS_CHANGED',
    kind: 'adjustment',
    input: ({ cart }) => cart.areServiceItemsChanged,
    judge: (isChanged) => when(isChanged),
  }),
];

function changeRule(code: CodeOf<'AdjustmentCode'>, actions: readonly CartChange['action'][]): Judged {
  return rule({
    code,
    kind: 'adjustment',
    input: ({ cart }) => cart.changes.filter(({ action }) => actions.includes(action)),
    judge: (changes) => changes.map((change) => ({ details: { change } })),
  });
}

/** Every code of the gate with its kind, in the order of the rules. */
export const GATE_CODES: readonly { code: FindingCode; kind: FindingKind }[] = RULES.map(({ code, kind }) => ({
  code,
  kind,
}));

/** What every rule says of the facts: the decision with its reasons, equal for equal facts (rules ORD-19 to ORD-24). */
export function judgeOrder(facts: GateFacts): RuleResult[] {
  return RULES.map(({ decide }) => decide(facts));
}

/** One finding as it is told. */
export type Told = Finding & { code: FindingCode };

/** One finding as an order keeps it. */
export type DecidedFinding = Told & { kind: FindingKind };

/** Everything that was found, in the order of the rules. */
export function allFindings(results: readonly RuleResult[]): DecidedFinding[] {
  return results.flatMap(({ code, kind, findings }) => findings.map((finding) => ({ code, kind, ...finding })));
}

/** All findings of one kind, in the order of the rules. An order may be placed when there are no blockers. */
export function findingsOf(results: readonly RuleResult[], kind: FindingKind): Told[] {
  return results
    .filter((result) => result.kind === kind)
    .flatMap(({ code, findings }) => findings.map((finding) => ({ code, ...finding })));
}
