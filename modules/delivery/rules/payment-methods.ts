import { codesOf, type CodeOf } from '../../../kernel/pure/codes.ts';
import type { FulfillmentType } from './status.ts';

/** Properties of a code, which cannot be edited. */
export const PAYMENT_METHODS = {
  CASH: { isCash: true, isOnline: false, needsPaymentPort: false },
  CARD_COURIER: { isCash: false, isOnline: false, needsPaymentPort: false },
  CARD_ONLINE: { isCash: false, isOnline: true, needsPaymentPort: true },
  SBP: { isCash: false, isOnline: true, needsPaymentPort: true },
  SBERPAY: { isCash: false, isOnline: true, needsPaymentPort: true },
} as const satisfies Readonly<Record<CodeOf<'PaymentMethodCode'>, object>>;
export type PaymentCode = CodeOf<'PaymentMethodCode'>;
export const PAYMENT_CODES = codesOf('PaymentMethodCode');

/** Methods without a name at the ERP cannot be used. */
type PaymentNames = { payments: Partial<Record<PaymentCode, unknown>> };

export type PaymentMethodFacts = {
  code: PaymentCode;
  isEnabled: boolean;
  availability: readonly { organizationId: number; fulfillmentTypes: readonly FulfillmentType[] }[];
};

/**
 * Returns the fulfillment types of a payment method in an organization. None while it is disabled,
 * needs a payment port (none exists, rule FUL-20) or has no name at the ERP (rule FUL-45); `names`
 * is null before the first answer, which excludes nothing.
 */
export function fulfillmentTypesOf(
  { code, isEnabled, availability }: PaymentMethodFacts,
  organizationId: number,
  names: PaymentNames | null,
): readonly FulfillmentType[] {
  if (!isEnabled || PAYMENT_METHODS[code].needsPaymentPort || isUnnamed(code, names)) return [];
  return (
    availability.find((entry) => entry.organizationId === organizationId)?.fulfillmentTypes ?? []
  );
}

/** True if the ERP has no name for the method. */
export const isUnnamed = (code: PaymentCode, names: PaymentNames | null): boolean =>
  names !== null && names.payments[code] === undefined;
