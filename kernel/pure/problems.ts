/**
 * One kind of problem (RFC 9457): the last segment of `type`, its status, when it is answered, and
 * what a client can do.
 */
export type ProblemKind = keyof typeof PROBLEMS;

/**
 * The closed list of problems that both APIs can answer (rule HTTP-10). `code` of single field
 * errors is free within a kind.
 */
export const PROBLEMS = {
  validation: {
    status: 422,
    title: 'The request is not valid',
    when: 'A field of the body, the query or the path breaks its rule. `errors` names the first 50 such fields, and `errorsOmitted` counts the others. A list with too many elements is one error: its elements are not checked.',
    todo: 'Correct each field that `errors` names, and send the request again.',
  },
  'malformed-body': {
    status: 400,
    title: 'The body cannot be read',
    when: 'The body is not the JSON or the multipart form that its content type announces.',
    todo: 'Send a body that matches its content type, encoded as UTF-8.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'The content type is not supported',
    when: 'The operation does not read bodies of this content type.',
    todo: 'Send the content type that the reference lists for the operation, usually `application/json`.',
  },
  'payload-too-large': {
    status: 413,
    title: 'The body is too large',
    when: 'The body or one of its files is larger than the operation allows.',
    todo: 'Send less data in one request, or a smaller file.',
  },
  'malformed-request': {
    status: 400,
    title: 'The request cannot be read',
    when: 'The request is not valid HTTP, or its URL holds characters beyond ASCII that are not percent-encoded.',
    todo: 'Percent-encode the URL as UTF-8, and send the request again.',
  },
  'uri-too-long': {
    status: 414,
    title: 'The URL is too long',
    when: 'The URL has more than 8,000 characters or more than 100 query parameters.',
    todo: 'Send fewer or shorter query parameters.',
  },
  'headers-too-large': {
    status: 431,
    title: 'The headers are too large',
    when: 'All headers of the request together are larger than 16 KiB.',
    todo: 'Send smaller headers, for example without foreign cookies.',
  },
  unauthorized: {
    status: 401,
    title: 'It is not known who is calling',
    when: 'The access token is missing, has expired or was not issued by this service, the password is wrong, the API key is unknown, expired or revoked, or the secret of the webhook is missing or wrong.',
    todo: 'Sign in again, refresh the access token, or replace the key, then send the request again.',
  },
  'second-factor-required': {
    status: 401,
    title: 'A code is needed as well',
    when: 'The password is right, and the user has a second factor: send the same request with `code`, from the authenticator app or a recovery code.',
    todo: 'Let the user enter a code, and send the same request with `code`.',
  },
  forbidden: {
    status: 403,
    title: 'A permission is missing',
    when: 'The signed-in user does not have the permission that `detail` names, or has to set up a second factor first, or a page of an origin that ADMIN_ORIGINS does not name wants to change something.',
    todo: 'Let an administrator give the role of the user, or the API key, the permission that `detail` names.',
  },
  'sign-on-refused': {
    status: 403,
    title: 'The sign-on was refused',
    when: 'The sign-on through the identity provider did not lead to a user who may sign in. `reason` is STATE_UNKNOWN (the sign-on was not started in this browser, was used already or has expired), PROVIDER_REFUSED, ANSWER_INVALID, EMAIL_UNVERIFIED, USER_UNKNOWN, USER_DISABLED or ACCOUNT_TAKEN (the user is linked to another account of the provider).',
    todo: 'Start the sign-on again. If it is refused again, an administrator checks the account that `reason` refers to.',
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    when: 'The URL leads nowhere, or what it names does not exist.',
    todo: 'Check the URL and the ids in it. Read the list again, because the object may have been deleted.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'The method is not allowed',
    when: 'The URL exists, but not with this method. The header `Allow` lists the methods it has.',
    todo: 'Use a method that `Allow` lists.',
  },
  'version-conflict': {
    status: 409,
    title: 'Somebody else has changed it',
    when: 'The `version` in the body differs from the stored one, which is answered as `currentVersion`; or the `fingerprint` of a day is not that of its orders any more.',
    todo: 'Read the object again, apply the change to it, and send the new `version`.',
  },
  duplicate: {
    status: 409,
    title: 'It exists already',
    when: 'Another entry has the same value in a field that must be unique. `errors` names the field with the code `duplicate`.',
    todo: 'Use another value, or edit the entry that has it.',
  },
  'invalid-transition': {
    status: 409,
    title: 'It is not possible in this state',
    when: 'The current state of the entity does not allow this change.',
    todo: 'Read the object again, and offer only changes that its state allows.',
  },
  'already-running': {
    status: 409,
    title: 'The import is already running',
    when: 'The import was started by hand while it is running.',
    todo: 'Wait until the run has ended, and start it again if that is still necessary.',
  },
  'item-already-bound': {
    status: 409,
    title: 'The item belongs to another product',
    when: 'The item of the ERP is bound to another product, which `boundProduct` names.',
    todo: 'Edit the product in `boundProduct`, or remove its variant first.',
  },
  'category-not-empty': {
    status: 409,
    title: 'The category is not empty',
    when: 'The category cannot be archived while it contains products or categories. `productCount`, `archivedProductCount` and `categoryCount` are their numbers. If it contains archived products only, `archive_products=true` archives it.',
    todo: 'Move or archive the content first, or send `archive_products=true` if only archived products are left.',
  },
  'checkout-blocked': {
    status: 409,
    title: 'The order cannot be placed like this',
    when: 'Something prevents the order, or it is not what the guest has seen: `reasons` says why, and `preflight` is the fresh answer of the gate. When a quote was named, `differences` says what differs from it.',
    todo: 'Show `preflight` to the guest, apply the repairs of its blockers, and order again.',
  },
  'cart-already-ordered': {
    status: 409,
    title: 'The cart has been ordered',
    when: 'The cart has become an order already, which `orderId` names.',
    todo: 'Show the order of `orderId`. A new order needs a new cart.',
  },
  'order-not-cancellable': {
    status: 409,
    title: 'The order can no longer be cancelled here',
    when: 'The restaurant may have the order already, or it has ended; `orderStatus` is its status.',
    todo: 'Read the order again. The guest calls the restaurant to cancel it.',
  },
  'compensation-taken': {
    status: 409,
    title: 'The right to the gift is taken',
    when: 'An order has reserved the right to the gift, or has redeemed it; `orderId` names the order.',
    todo: 'Read the gifts of the customer again, and show the order of `orderId`.',
  },
  'reason-required': {
    status: 422,
    title: 'A reason is required',
    when: 'The change of a right to a gift is only made with a reason, which stays in its history.',
    todo: 'Send the request again with a reason.',
  },
  'grant-limit-reached': {
    status: 409,
    title: 'No more gifts can be granted today',
    when: 'The user has granted as many gifts by hand in the last 24 hours as the setting `compensation_grants_per_day` allows.',
    todo: 'Try again on the next day, or let an administrator raise the setting `compensation_grants_per_day`.',
  },
  'media-in-use': {
    status: 409,
    title: 'The file is in use',
    when: 'The file cannot be deleted while something shows it.',
    todo: 'Replace the file where it is shown, and delete it afterwards.',
  },
  'publish-blocked': {
    status: 422,
    title: 'The product cannot be published',
    when: 'The product breaks at least one rule of publication. `violations` names all of them.',
    todo: 'Correct each entry of `violations`, and publish again.',
  },
  'idempotency-key-reused': {
    status: 422,
    title: 'The idempotency key was used for another request',
    when: 'The same Idempotency-Key was sent before with another body.',
    todo: 'Use a new key for a new request, and the old key only for an identical repetition.',
  },
  'idempotency-in-flight': {
    status: 409,
    title: 'The same request is being processed',
    when: 'An earlier request with this Idempotency-Key has not finished yet.',
    todo: 'Wait a second, and send the same request with the same key again.',
  },
  'last-administrator': {
    status: 409,
    title: 'There must be an administrator',
    when: 'After the change nobody could sign in and manage users any more.',
    todo: 'Give another user the right to manage users first.',
  },
  'owner-inactive': {
    status: 422,
    title: 'The owner is not active',
    when: 'The legal entity or its franchisee is not active.',
    todo: 'Activate the franchisee and the legal entity first.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    when: 'The client address or the user has sent too many requests. The header `Retry-After` says when to try again.',
    todo: 'Wait for the seconds in `Retry-After`, and send the request again. Programs use an API key with its own limit.',
  },
  'media-unreadable': {
    status: 422,
    title: 'The image cannot be read',
    when: 'The file is not a jpeg, png or webp image, or it is damaged.',
    todo: 'Export the image again as jpeg, png or webp, and upload that file.',
  },
  busy: {
    status: 503,
    title: 'The service is busy',
    when: 'The service is working on as many such requests as it can. Repeat the request after the seconds in `Retry-After`.',
    todo: 'Wait for the seconds in `Retry-After`, and send the request again.',
  },
  unavailable: {
    status: 503,
    title: 'It is not available now',
    when: 'A service that the operation needs, for example Temporal, does not answer.',
    todo: 'Send the request again after a pause that grows with each attempt.',
  },
  internal: {
    status: 500,
    title: 'Something went wrong',
    when: 'The service failed unexpectedly. Quote `requestId` when you report it.',
    todo: 'Send the request again once. If it fails again, report it with `requestId`.',
  },
} as const satisfies Record<string, { status: number; title: string; when: string; todo: string }>;
