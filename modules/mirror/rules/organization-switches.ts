/** ERP settings that decide which orders an organization accepts (MIR-94). */
export type OrganizationSwitches = {
  addressFormat: 'LEGACY' | 'CITY';
  takesDelivery: boolean;
  takesPickup: boolean;
  needsMarketingSource: boolean;
  takesLineComments: boolean;
  /** All sums are a multiple of this. */
  denominationKopecks: number;
};

export const SWITCH_FIELDS = [
  'addressFormatType',
  'deliveryServiceType',
  'marketingSourceRequiredInDelivery',
  'orderItemCommentEnabled',
  'currencyMinimumDenomination',
] as const;

const LARGEST_DENOMINATION = 10_000;

/** Missing and unknown values restrict nothing. */
export function organizationSwitches(raw: unknown): OrganizationSwitches {
  const fields: Readonly<Partial<Record<(typeof SWITCH_FIELDS)[number], unknown>>> =
    typeof raw === 'object' && raw !== null ? { ...raw } : {};
  const service = wordOf(fields.deliveryServiceType);
  return {
    addressFormat: wordOf(fields.addressFormatType) === 'city' ? 'CITY' : 'LEGACY',
    takesDelivery: service !== 'selfserviceonly',
    takesPickup: service !== 'courieronly',
    needsMarketingSource: wordOf(fields.marketingSourceRequiredInDelivery) === 'true',
    takesLineComments: wordOf(fields.orderItemCommentEnabled) !== 'false',
    denominationKopecks: denominationOf(fields.currencyMinimumDenomination),
  };
}

const wordOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'boolean' ? String(value).trim().toLowerCase() : '';

function denominationOf(value: unknown): number {
  const kopecks = Math.round(Number(value) * 100);
  return typeof value !== 'object' && kopecks >= 1 && kopecks <= LARGEST_DENOMINATION ? kopecks : 1;
}
