import type { PaymentCode } from './payment-methods.ts';

/** A way to pay in the dictionary of the ERP, and the organizations that take it. */
export type ErpPaymentChoice = {
  id: string;
  code: string | null;
  name: string | null;
  kind: string | null;
  organizationIds: readonly string[];
};

/** A discount in the dictionary of the ERP. */
export type ErpDiscountChoice = {
  id: string;
  name: string | null;
  mode: string;
  isManual: boolean;
  minOrderSum: number | null;
  organizationIds: readonly string[];
};

/** The names that an order may use besides dishes, as the ERP listed them last. */
export type ErpChoices = {
  paymentTypes: readonly ErpPaymentChoice[];
  discountTypes: readonly ErpDiscountChoice[];
};

/** The types that staff have chosen; absent ones are found in the dictionary. */
export type ChosenTypes = {
  paymentTypes: Readonly<Partial<Record<PaymentCode, string>>>;
  discountTypeId: string | null;
};

/**
 * Kinds of the ERP's ways to pay for ours. Those that are paid online need a payment port, which
 * does not exist yet.
 */
const KINDS = { CASH: 'Cash', CARD_COURIER: 'Card' } as const satisfies Partial<Record<PaymentCode, string>>;

/** Ways to pay that an order can name at an ERP. */
export const SENT_PAYMENT_CODES = ['CASH', 'CARD_COURIER'] as const satisfies readonly PaymentCode[];

/** The names for orders of an organization at the ERP. */
export type ErpNames = {
  /** The ERP's way to pay for each of ours; one that is absent cannot be sent. */
  payments: Readonly<Partial<Record<PaymentCode, { id: string; kind: 'Cash' | 'Card' }>>>;
  /** The ERP's discount that takes any sum off an order; null when no order can have a discount. */
  discountTypeId: string | null;
};

/**
 * Returns the names for orders of an organization at the ERP (rule ORD-54): both the offers to
 * guests and sent orders use this. Staff's choice for the connection decides; an open choice is the
 * only entry of its kind there, of several ways to pay the one whose code is that of its kind, and
 * of discounts the only one with a free amount.
 */
export function erpNamesOf(organizationErpId: string, choices: ErpChoices, chosen: ChosenTypes): ErpNames {
  const isHere = ({ organizationIds }: { organizationIds: readonly string[] }) =>
    organizationIds.includes(organizationErpId);
  const payments = SENT_PAYMENT_CODES.flatMap((code) => {
    const kind = KINDS[code];
    const id = chosen.paymentTypes[code] ?? onlyOfKind(choices.paymentTypes.filter(isHere), kind);
    return id === undefined ? [] : [[code, { id, kind }] as const];
  });
  const free = choices.discountTypes.filter(
    (type) => isHere(type) && type.mode === 'FlexibleSum' && type.isManual && type.minOrderSum === null,
  );
  return {
    payments: Object.fromEntries(payments),
    discountTypeId: chosen.discountTypeId ?? onlyOne(free)?.id ?? null,
  };
}

function onlyOfKind(types: readonly ErpPaymentChoice[], kind: string): string | undefined {
  const fitting = types.filter((type) => type.kind === kind);
  return (onlyOne(fitting) ?? onlyOne(fitting.filter((type) => type.code?.toUpperCase() === kind.toUpperCase())))?.id;
}

/**
 * Returns the lists of the dictionary with an entry that an order of one of these organizations
 * could name (rule MIR-57).
 */
export function nameableLists(
  organizationErpIds: ReadonlySet<string>,
  { paymentTypes, discountTypes }: ErpChoices,
): Record<keyof ErpChoices, boolean> {
  const isHere = ({ organizationIds }: { organizationIds: readonly string[] }) =>
    organizationIds.some((id) => organizationErpIds.has(id));
  const kinds: readonly (string | null)[] = Object.values(KINDS);
  return {
    paymentTypes: paymentTypes.some((type) => isHere(type) && kinds.includes(type.kind)),
    discountTypes: discountTypes.some(isHere),
  };
}

const onlyOne = <T>(found: readonly T[]): T | undefined => (found.length === 1 ? found[0] : undefined);
