/** ERP settings that restrict the orders that an organization accepts (MIR-94). */
export type OrganizationSwitches = {
  addressFormat: 'LEGACY' | 'CITY';
  takesDelivery: boolean;
  takesPickup: boolean;
  needsMarketingSource: boolean;
  takesLineComments: boolean;
  /** Sums must be multiples of this value. */
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
  const service = toWord(fields.deliveryServiceType);

  return {
    addressFormat: toWord(fields.addressFormatType) === 'city' ? 'CITY' : 'LEGACY',
    takesDelivery: service !== 'selfserviceonly',
    takesPickup: service !== 'courieronly',
    needsMarketingSource: toWord(fields.marketingSourceRequiredInDelivery) === 'true',
    takesLineComments: toWord(fields.orderItemCommentEnabled) !== 'false',
    denominationKopecks: parseDenomination(fields.currencyMinimumDenomination),
  };
}

const toWord = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'boolean' ? String(value).trim().toLowerCase() : '';

function parseDenomination(value: unknown): number {
  const kopecks = Math.round(Number(value) * 100);
  return typeof value !== 'object' && kopecks >= 1 && kopecks <= LARGEST_DENOMINATION ? kopecks : 1;
}
