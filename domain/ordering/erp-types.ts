import type { PaymentCode } from '../fulfillment/payment-methods.ts';

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

/** What an order may name besides dishes, as the ERP told it last. */
export type ErpChoices = {
  paymentTypes: readonly ErpPaymentChoice[];
  discountTypes: readonly ErpDiscountChoice[];
};

/** What staff have chosen; what is absent is found in the dictionary. */
export type ChosenTypes = {
  paymentTypes: Readonly<Partial<Record<PaymentCode, string>>>;
  discountTypeId: string | null;
};

/** Kinds of the ERP's ways to pay for ours. Those that are paid online need a payment port, which does not exist yet. */
const KINDS: Readonly<Partial<Record<PaymentCode, 'Cash' | 'Card'>>> = { CASH: 'Cash', CARD_COURIER: 'Card' };

/** Ways to pay that an order can name at the ERP. */
export const SENT_PAYMENT_CODES = ['CASH', 'CARD_COURIER'] as const satisfies readonly PaymentCode[];

/**
 * The ERP's way to pay for one of ours in an organization (rule ORD-54): the one that staff have chosen, else the only one of its kind
 * there, else the one of several whose code is that of its kind. Null when that leaves none.
 */
export function erpPaymentType(
  method: string,
  organizationErpId: string,
  choices: ErpChoices,
  chosen: ChosenTypes,
): { id: string; kind: 'Cash' | 'Card' } | null {
  const code = method as PaymentCode;
  const kind = KINDS[code];
  if (kind === undefined) return null;
  const wanted = chosen.paymentTypes[code];
  if (wanted !== undefined) return { id: wanted, kind };
  const fitting = choices.paymentTypes.filter(
    (type) => type.kind === kind && type.organizationIds.includes(organizationErpId),
  );
  const named = fitting.filter((type) => type.code?.toUpperCase() === kind.toUpperCase());
  const found = onlyOne(fitting) ?? onlyOne(named);
  return found === undefined ? null : { id: found.id, kind };
}

/**
 * The ERP's discount that takes any sum off an order (rule ORD-54): the one that staff have chosen, else the only one there that
 * people may give with a sum of their own. Null when that leaves none.
 */
export function erpDiscountType(organizationErpId: string, choices: ErpChoices, chosen: ChosenTypes): string | null {
  if (chosen.discountTypeId !== null) return chosen.discountTypeId;
  const free = choices.discountTypes.filter(
    (type) =>
      type.mode === 'FlexibleSum' &&
      type.isManual &&
      type.minOrderSum === null &&
      type.organizationIds.includes(organizationErpId),
  );
  return onlyOne(free)?.id ?? null;
}

const onlyOne = <T>(found: readonly T[]): T | undefined => (found.length === 1 ? found[0] : undefined);
