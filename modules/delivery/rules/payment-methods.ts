import { codesOf, type CodeOf } from '../../../kernel/pure/codes.ts';
import type { FulfillmentType } from './status.ts';

/**
 * Every way to pay. Properties of its code cannot be edited: cash, paid online, and dependent on a
 * payment port.
 */
export const PAYMENT_METHODS = {
  CASH: { isCash: true, isOnline: false, needsPaymentPort: false },
  CARD_COURIER: { isCash: false, isOnline: false, needsPaymentPort: false },
  CARD_ONLINE: { isCash: false, isOnline: true, needsPaymentPort: true },
  SBP: { isCash: false, isOnline: true, needsPaymentPort: true },
  SBERPAY: { isCash: false, isOnline: true, needsPaymentPort: true },
} as const satisfies Readonly<Record<CodeOf<'PaymentMethodCode'>, object>>;
export type PaymentCode = CodeOf<'PaymentMethodCode'>;
export const PAYMENT_CODES = codesOf('PaymentMethodCode');

/**
 * ERP names of the payment methods of an organization. A method without a name cannot be used in an
 * order.
 */
type PaymentNames = { payments: Partial<Record<PaymentCode, unknown>> };

/** A way to pay as staff have set it: where, and for which kinds of fulfillment. */
export type PaymentMethodFacts = {
  code: PaymentCode;
  isEnabled: boolean;
  availability: readonly { organizationId: number; fulfillmentTypes: readonly FulfillmentType[] }[];
};

/**
 * The kinds of fulfillment for which an organization accepts a way to pay: those that staff
 * selected for it, none while it is switched off, while it needs a payment port, because none can
 * be configured yet (rule FUL-20), and while its orders could not name it at the ERP (rule FUL-45).
 * `names` is null before the first answer of the ERP, which excludes nothing.
 */
export function fulfillmentTypesOf(
  { code, isEnabled, availability }: PaymentMethodFacts,
  organizationId: number,
  names: PaymentNames | null,
): readonly FulfillmentType[] {
  if (!isEnabled || PAYMENT_METHODS[code].needsPaymentPort || isUnnamed(code, names)) return [];
  return availability.find((entry) => entry.organizationId === organizationId)?.fulfillmentTypes ?? [];
}

/** True when no order of an organization with these names could be paid like this at the ERP. */
export const isUnnamed = (code: PaymentCode, names: PaymentNames | null): boolean =>
  names !== null && names.payments[code] === undefined;
