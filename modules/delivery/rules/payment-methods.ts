import { listCodes, type CodeOf } from '../../../kernel/pure/codes.ts';
import type { FulfillmentType } from './status.ts';

export const PAYMENT_METHODS = {
  CASH: { isCash: true, isOnline: false, needsPaymentPort: false },
  CARD_COURIER: { isCash: false, isOnline: false, needsPaymentPort: false },
  CARD_ONLINE: { isCash: false, isOnline: true, needsPaymentPort: true },
  SBP: { isCash: false, isOnline: true, needsPaymentPort: true },
  SBERPAY: { isCash: false, isOnline: true, needsPaymentPort: true },
} as const satisfies Readonly<Record<CodeOf<'PaymentMethodCode'>, object>>;

export type PaymentCode = CodeOf<'PaymentMethodCode'>;
export const PAYMENT_CODES = listCodes('PaymentMethodCode');

type PaymentNames = { payments: Partial<Record<PaymentCode, unknown>> };

export type PaymentMethodFacts = {
  code: PaymentCode;
  isEnabled: boolean;
  availability: readonly { organizationId: number; fulfillmentTypes: readonly FulfillmentType[] }[];
};

/**
 * Returns the fulfillment types of a payment method. There are none if it is disabled, needs a
 * payment port (FUL-20) or has no ERP name (FUL-45). `names` is null before the first response of
 * the ERP.
 */
export function listFulfillmentTypes(
  { code, isEnabled, availability }: PaymentMethodFacts,
  organizationId: number,
  names: PaymentNames | null,
): readonly FulfillmentType[] {
  if (!isEnabled || PAYMENT_METHODS[code].needsPaymentPort || isUnnamed(code, names)) return [];
  return (
    availability.find((entry) => entry.organizationId === organizationId)?.fulfillmentTypes ?? []
  );
}

export const isUnnamed = (code: PaymentCode, names: PaymentNames | null): boolean =>
  names !== null && names.payments[code] === undefined;
