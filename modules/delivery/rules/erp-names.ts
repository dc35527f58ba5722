import type { PaymentCode } from './payment-methods.ts';

export type ErpPaymentChoice = {
  id: string;
  code: string | null;
  name: string | null;
  kind: string | null;
  organizationIds: readonly string[];
};

export type ErpDiscountChoice = {
  id: string;
  name: string | null;
  mode: string;
  isManual: boolean;
  minOrderSum: number | null;
  organizationIds: readonly string[];
};

export type ErpChoices = {
  paymentTypes: readonly ErpPaymentChoice[];
  discountTypes: readonly ErpDiscountChoice[];
};

/** Absent types are selected from the dictionary. */
export type ChosenTypes = {
  paymentTypes: Readonly<Partial<Record<PaymentCode, string>>>;
  discountTypeId: string | null;
};

/** Excludes online payments, which need a payment port. */
const KINDS = { CASH: 'Cash', CARD_COURIER: 'Card' } as const satisfies Partial<
  Record<PaymentCode, string>
>;

export const SENT_PAYMENT_CODES = [
  'CASH',
  'CARD_COURIER',
] as const satisfies readonly PaymentCode[];

export type ErpNames = {
  /** Payment methods that can be sent. */
  payments: Readonly<Partial<Record<PaymentCode, { id: string; kind: 'Cash' | 'Card' }>>>;
  /** Null if orders cannot have discounts. */
  discountTypeId: string | null;
};

/**
 * Returns the ERP names for orders of an organization (ORD-54). If staff chose none, uses the only
 * payment type of the kind or the one whose code is the kind, and the only discount with a free
 * amount.
 */
export function chooseErpNames(
  organizationErpId: string,
  choices: ErpChoices,
  chosen: ChosenTypes,
): ErpNames {
  const isHere = ({ organizationIds }: { organizationIds: readonly string[] }) =>
    organizationIds.includes(organizationErpId);
  const payments = SENT_PAYMENT_CODES.flatMap((code) => {
    const kind = KINDS[code];
    const id = chosen.paymentTypes[code] ?? onlyOfKind(choices.paymentTypes.filter(isHere), kind);
    return id === undefined ? [] : [[code, { id, kind }] as const];
  });

  const free = choices.discountTypes.filter(
    (type) =>
      isHere(type) && type.mode === 'FlexibleSum' && type.isManual && type.minOrderSum === null,
  );

  return {
    payments: Object.fromEntries(payments),
    discountTypeId: chosen.discountTypeId ?? onlyOne(free)?.id ?? null,
  };
}

function onlyOfKind(types: readonly ErpPaymentChoice[], kind: string): string | undefined {
  const fitting = types.filter((type) => type.kind === kind);
  return (
    onlyOne(fitting) ??
    onlyOne(fitting.filter((type) => type.code?.toUpperCase() === kind.toUpperCase()))
  )?.id;
}

/**
 * Returns which dictionaries have a usable entry for at least one of these organizations (MIR-57).
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

const onlyOne = <T>(candidates: readonly T[]): T | undefined =>
  candidates.length === 1 ? candidates[0] : undefined;
