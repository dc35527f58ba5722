/**
 * IN_ANSWER: guest data only in the answer. IN_BOTH: also in the request, which a rejection may
 * quote. ONE_GUEST: even ids identify the guest.
 */
export type Personal = 'IN_ANSWER' | 'IN_BOTH' | 'ONE_GUEST';

const splitWords = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** All other fields are masked, including new ones. */
const HARMLESS = splitWords(`
  id posId orderIds organizationId organizationIds terminalGroupId correlationId menuId
  externalNumber sourceKey sourceKeys timestamp startRevision maxRevision rowsCount number
  creationStatus status state code error errorReason type kind orderServiceType paymentTypeKind
  orderTypeId paymentTypeId priceCategoryId discountTypeId productId productSizeId
  productGroupId positionId parentDeliveryId
  movedFromDeliveryId movedFromTerminalGroupId movedFromOrganizationId
  movedToDeliveryId movedToTerminalGroupId movedToOrganizationId
  amount price cost sum resultSum count minSum transportToFrontTimeout checkStopList
  completeBefore deliveryDateFrom deliveryDateTo whenCreated whenConfirmed whenPrinted
  cookingStartTime whenCookingCompleted whenSended whenDelivered whenClosed isAsap isDeleted
`);

/** The same for ONE_GUEST: only ids of restaurants and categories. */
const HARMLESS_OF_GUEST = splitWords(`
  organizationId categoryId correlationId type code errorCode error httpStatusCode isDeleted nullifyEmptyFields
`);

/** About a person or location: even ids identify the person. */
const ABOUT_PEOPLE = new Set([
  'customer',
  'deliveryPoint',
  'courierInfo',
  'operator',
  'loyaltyInfo',
  'cancelInfo',
]);

/** Id, word, number or date. Sentences are masked. */
const TOKEN = /^(?:[\w.:-]{1,64}|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?)$/;

const MASK = '[masked]';

/**
 * Masks JSON about guests: only ids, states, sums and times remain (ERP-15). Other text is
 * reduced to its length.
 */
export function maskPersonal(text: string, personal: Personal): string {
  let value: unknown;

  try {
    value = JSON.parse(text);
  } catch {
    // The caller's failure contains the reason.
    return `${text.length} characters that are not JSON`;
  }

  return JSON.stringify(
    masked(value, false, personal === 'ONE_GUEST' ? HARMLESS_OF_GUEST : HARMLESS),
  );
}

function masked(value: unknown, isHarmless: boolean, harmless: ReadonlySet<string>): unknown {
  if (value === null) return null;
  if (Array.isArray(value)) return value.map((entry) => masked(entry, isHarmless, harmless));
  if (typeof value === 'object')
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [
        name,
        ABOUT_PEOPLE.has(name) && each !== null ? MASK : masked(each, harmless.has(name), harmless),
      ]),
    );

  return isHarmless && (typeof value !== 'string' || TOKEN.test(value)) ? value : MASK;
}

/** Machine codes that the ERP puts into sentences. */
const KNOWN_CODES = splitWords(`
  OrganizationUnregistered OrganizationDisabled TerminalGroupDisabled TerminalGroupUnregistered
  TerminalGroupIdNotDetermined ProductNotFound ProductSizeNotFound ProductGroupNotFound
  ModifierDuplicated OrderItemsNotExists PaymentTypeNotFound PaymentSumShouldBePositive
  OrderTypeNotFound OrderServiceTypeDoesNotMatchSelfServiceMode InvalidPhone CustomerNameNotSpecified
  AnonymousCustomerDisabled AddressNotFound HomeNotFound DuplicatedOrderId EntityAlreadyInUse
  TooSmallDeliveryDate RequestProductPriceIsNotEqualToFrontPrice InternalServerError UnknownError
  Transport_WrongCustomerNumber Transport_WrongCrmId Validation_IncorrectPhone Customer_CustomerNotFound
  Common_OrganizationNotFound
`);

export function wordOnly(text: string | undefined): string | undefined {
  return text !== undefined && /^[\w-]{1,80}$/.test(text) ? text : undefined;
}

/**
 * Returns the code field of a rejection if it is one word. Otherwise searches the sentence for a
 * listed code, because the sentence may quote a guest.
 */
export function codeOnly(
  field: string | undefined,
  sentence: string | undefined,
): string | undefined {
  return wordOnly(field) ?? sentence?.match(/\w+/g)?.find((word) => KNOWN_CODES.has(word));
}
