import type { CodeOf, DetailOf, RepairOf } from '../../../kernel/pure/codes.ts';
import type { CartChange } from './cart-facts.ts';
import type { DiscountReason } from './discounts.ts';
import type { GateFacts, Precision } from './gate-facts.ts';
import type { LineOutsideHours } from './line-hours.ts';
import type { ReachedLimit } from './order-limits.ts';

type Lists = { blocker: 'BlockerCode'; warning: 'WarningCode'; adjustment: 'AdjustmentCode' };
export type FindingKind = keyof Lists;

export type FindingCode = CodeOf<Lists[FindingKind]>;

type GiftDecision = GateFacts['gifts']['undecided'][number];

/** Times in ms, money in kopecks. */
type Values = {
  blocker: GiftDecision & {
    changes: readonly CartChange[];
    items: readonly LineOutsideHours[];
    availableFrom: number | null;
    lineId: string;
    groupId: string;
    modifierId: string | null;
    min: number;
    max: number | null;
    precision: Precision | null;
    missing: readonly string[];
    organizationId: string;
    minSum: number;
    shortfall: number;
    until: number | null;
    reason: GateFacts['time']['acceptance']['reason'];
    opensAt: number | null;
    allowed: readonly string[];
    toPay: number;
    maxSum: number;
    scope: ReachedLimit['scope'];
    period: ReachedLimit['period'];
  };
  warning: {
    promocode: string;
    reason: DiscountReason;
    closesAt: number | null;
    lineId: string;
    before: number;
    after: number;
    minutes: number;
    scope: CodeOf<'EtaScope'>;
    compensationId: string;
  };
  adjustment: { newSlotId: string; promocode: string; change: CartChange };
};

type RepairValues = GiftDecision & {
  cartVersion: number;
  lineId: string;
  groupId: string;
  organizationId: string;
  slotId: string;
  allowed: readonly string[];
};

type Repairs = {
  [A in CodeOf<'RepairAction'>]: { action: A } & {
    readonly [F in DetailOf<'RepairAction', A>]: RepairValues[F & keyof RepairValues];
  };
};

type WithRepair<R extends { action: CodeOf<'RepairAction'>; isConditional: boolean }> = [
  R,
] extends [never]
  ? { repair?: never }
  : R['isConditional'] extends true
    ? { repair?: Repairs[R['action']] }
    : { repair: Repairs[R['action']] };

type FindingsOf<K extends FindingKind> = {
  [C in CodeOf<Lists[K]>]: {
    kind: K;
    code: C;
    details: { readonly [F in DetailOf<Lists[K], C>]: Values[K][F & keyof Values[K]] };
  } & WithRepair<RepairOf<Lists[K], C>>;
};

type Findings = FindingsOf<'blocker'> & FindingsOf<'warning'> & FindingsOf<'adjustment'>;

/** The table of codes defines the details and the repair (rule ORD-96). */
export type Finding<C extends FindingCode = FindingCode> = Findings[C];

export type Judgment<C extends FindingCode> = { [K in C]: Omit<Finding<K>, 'kind' | 'code'> }[C];
