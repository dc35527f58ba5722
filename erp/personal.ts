/**
 * The guest data that an exchange may repeat. IN_ANSWER: the answer is about guests, the request
 * contains ids only. IN_BOTH: the request contains a guest's name, phone, address or comment as
 * well, so a rejection of the ERP may quote them. ONE_GUEST: the same, and the whole exchange is
 * about one guest, who is identified by the id.
 */
export type Personal = 'IN_ANSWER' | 'IN_BOTH' | 'ONE_GUEST';

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Fields that may be written down. Everything else is masked, also future fields of the ERP. */
const HARMLESS = wordsOf(`
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

/** The same of exchanges about one guest: no id but those of restaurants and categories. */
const HARMLESS_OF_GUEST = wordsOf(`
  organizationId categoryId correlationId type code errorCode error httpStatusCode isDeleted nullifyEmptyFields
`);

/** Objects that are about a person or a place as a whole: even their ids identify the person. */
const ABOUT_PEOPLE = new Set(['customer', 'deliveryPoint', 'courierInfo', 'operator', 'loyaltyInfo', 'cancelInfo']);

/**
 * The format of a harmless field: an id, a word, a number, a date. A sentence in its place is
 * masked.
 */
const TOKEN = /^(?:[\w.:-]{1,64}|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?)$/;

const MASK = '[masked]';

/**
 * The JSON text of an exchange about guests with nothing but ids, states, sums and times left in it
 * (rule ERP-15). A text that is not JSON (a gateway's page, an answer that breaks off) leaves only
 * its length.
 */
export function maskPersonal(text: string, personal: Personal): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Unreadable is an ordinary outcome here: the caller's failure has the reason.
    return `${text.length} characters that are not JSON`;
  }
  return JSON.stringify(masked(value, false, personal === 'ONE_GUEST' ? HARMLESS_OF_GUEST : HARMLESS));
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

/** Machine codes that the ERP hides in sentences. */
const KNOWN_CODES = wordsOf(`
  OrganizationUnregistered OrganizationDisabled TerminalGroupDisabled TerminalGroupUnregistered
  TerminalGroupIdNotDetermined ProductNotFound ProductSizeNotFound ProductGroupNotFound
  ModifierDuplicated OrderItemsNotExists PaymentTypeNotFound PaymentSumShouldBePositive
  OrderTypeNotFound OrderServiceTypeDoesNotMatchSelfServiceMode InvalidPhone CustomerNameNotSpecified
  AnonymousCustomerDisabled AddressNotFound HomeNotFound DuplicatedOrderId EntityAlreadyInUse
  TooSmallDeliveryDate RequestProductPriceIsNotEqualToFrontPrice InternalServerError UnknownError
  Transport_WrongCustomerNumber Transport_WrongCrmId Validation_IncorrectPhone Customer_CustomerNotFound
  Common_OrganizationNotFound
`);

/** The text when it is one word, as ids and codes are. */
export function wordOnly(text: string | undefined): string | undefined {
  return text !== undefined && /^[\w-]{1,80}$/.test(text) ? text : undefined;
}

/**
 * The machine code of a rejection that may quote a guest: the field of the code when it has one
 * word, else a defined code inside the sentence. No other part of the sentence is returned.
 */
export function codeOnly(field: string | undefined, sentence: string | undefined): string | undefined {
  return wordOnly(field) ?? sentence?.match(/\w+/g)?.find((word) => KNOWN_CODES.has(word));
}
