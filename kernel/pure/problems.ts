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
    title: 'Invalid request',
    when: 'A field of the body, the query or the path breaks its rule. `errors` names the first 50 such fields, and `errorsOmitted` counts the others. A list with too many elements is one error: its elements are not checked.',
    todo: 'Correct each field that `errors` names, and send the request again.',
  },
  'malformed-body': {
    status: 400,
    title: 'Malformed request body',
    when: 'The body is not the JSON or the multipart form that its content type announces.',
    todo: 'Send a body that matches its content type, encoded as UTF-8.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported content type',
    when: 'The operation does not read bodies of this content type.',
    todo: 'Send the content type that the reference lists for the operation, usually `application/json`.',
  },
  'payload-too-large': {
    status: 413,
    title: 'Request body too large',
    when: 'The body or one of its files is larger than the operation allows.',
    todo: 'Send less data in one request, or a smaller file.',
  },
  'malformed-request': {
    status: 400,
    title: 'Malformed request',
    when: 'The request is not valid HTTP, or its URL contains non-ASCII characters that are not percent-encoded.',
    todo: 'Percent-encode the URL as UTF-8, and send the request again.',
  },
  'uri-too-long': {
    status: 414,
    title: 'URL too long',
    when: 'The URL has more than 8,000 characters or more than 100 query parameters.',
    todo: 'Send fewer or shorter query parameters.',
  },
  'headers-too-large': {
    status: 431,
    title: 'Request headers too large',
    when: 'The headers of the request exceed 16 KiB in total.',
    todo: 'Send smaller headers, for example without cookies of other services.',
  },
  unauthorized: {
    status: 401,
    title: 'Authentication required',
    when: 'The access token is missing, has expired or was not issued by this service, the password is wrong, the API key is unknown, expired or revoked, or the secret of the webhook is missing or wrong.',
    todo: 'Sign in again, refresh the access token, or replace the key, then send the request again.',
  },
  'second-factor-required': {
    status: 401,
    title: 'Second factor required',
    when: 'The password is correct, but the user has a second factor. The request needs `code`: a code from the authenticator app or a recovery code.',
    todo: 'Ask the user for a code, and send the same request with `code`.',
  },
  forbidden: {
    status: 403,
    title: 'Missing permission',
    when: 'The signed-in user does not have the permission that `detail` names, or must set up a second factor first. Changes from a page whose origin is not in ADMIN_ORIGINS are forbidden as well.',
    todo: 'Have an administrator add the permission in `detail` to the role of the user or to the API key.',
  },
  'sign-on-refused': {
    status: 403,
    title: 'Sign-on rejected',
    when: 'The sign-on through the identity provider did not lead to a user who may sign in. `reason` is STATE_UNKNOWN (the sign-on was not started in this browser, was used already or has expired), PROVIDER_REFUSED, ANSWER_INVALID, EMAIL_UNVERIFIED, USER_UNKNOWN, USER_DISABLED or ACCOUNT_TAKEN (the user is linked to another account of the provider).',
    todo: 'Start the sign-on again. If it fails again, have an administrator check the account that `reason` refers to.',
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    when: 'The URL does not exist, or it refers to an object that does not exist.',
    todo: 'Check the URL and the ids in it. Read the list again, because the object may have been deleted.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    when: 'The URL exists but does not support this method. The header `Allow` lists the supported methods.',
    todo: 'Use a method that is listed in `Allow`.',
  },
  'version-conflict': {
    status: 409,
    title: 'Version conflict',
    when: 'The object was changed after it was read: the `version` in the body differs from `currentVersion`, or the `fingerprint` of a day no longer matches its orders.',
    todo: 'Read the object again, apply the change to it, and send the new `version`.',
  },
  duplicate: {
    status: 409,
    title: 'Duplicate value',
    when: 'Another entry has the same value in a field that must be unique. `errors` names the field with the code `duplicate`.',
    todo: 'Use another value, or edit the entry that has it.',
  },
  'invalid-transition': {
    status: 409,
    title: 'Change not allowed in this state',
    when: 'The current state of the entity does not allow this change.',
    todo: 'Read the object again, and offer only changes that its state allows.',
  },
  'already-running': {
    status: 409,
    title: 'Import already running',
    when: 'The import was started manually while it is already running.',
    todo: 'Wait until the run has ended. Then start the import again if you still need it.',
  },
  'item-already-bound': {
    status: 409,
    title: 'Item bound to another product',
    when: 'The item of the ERP is bound to another product, which `boundProduct` names.',
    todo: 'Edit the product in `boundProduct`, or remove its variant first.',
  },
  'category-not-empty': {
    status: 409,
    title: 'Category not empty',
    when: 'The category cannot be archived while it contains products or categories. `productCount`, `archivedProductCount` and `categoryCount` are their numbers. If it contains archived products only, `archive_products=true` archives it.',
    todo: 'Move or archive the content first, or send `archive_products=true` if only archived products are left.',
  },
  'checkout-blocked': {
    status: 409,
    title: 'Order cannot be placed',
    when: 'A checkout rule blocks the order, or the order differs from the totals that the guest has seen. `reasons` lists the causes, and `preflight` is the current result of the checks. If a quote was given, `differences` lists the differences from it.',
    todo: 'Show `preflight` to the guest, apply the repairs of its blockers, and order again.',
  },
  'cart-already-ordered': {
    status: 409,
    title: 'Cart already ordered',
    when: 'The cart has already become an order, given in `orderId`.',
    todo: 'Show the order of `orderId`. A new order needs a new cart.',
  },
  'order-not-cancellable': {
    status: 409,
    title: 'Order can no longer be canceled',
    when: 'The order may already be at the restaurant, or it has ended. `orderStatus` is its status.',
    todo: 'Read the order again. To cancel it, the guest calls the restaurant.',
  },
  'compensation-taken': {
    status: 409,
    title: 'Gift already in use',
    when: 'Another order, given in `orderId`, has reserved or redeemed the gift.',
    todo: 'Read the gifts of the customer again, and show the order of `orderId`.',
  },
  'reason-required': {
    status: 422,
    title: 'Reason required',
    when: 'A change of a gift needs a reason, which is kept in its history.',
    todo: 'Send the request again with a reason.',
  },
  'grant-limit-reached': {
    status: 409,
    title: 'Daily limit of granted gifts reached',
    when: 'The number of gifts that the user granted manually in the last 24 hours has reached the setting `compensation_grants_per_day`.',
    todo: 'Try again the next day, or have an administrator raise the setting `compensation_grants_per_day`.',
  },
  'media-in-use': {
    status: 409,
    title: 'File in use',
    when: 'The file is used by a product, a category or a modifier, and cannot be deleted.',
    todo: 'Replace the file wherever it is used, and delete it afterwards.',
  },
  'publish-blocked': {
    status: 422,
    title: 'Product cannot be published',
    when: 'The product violates at least one publication rule. `violations` lists all violations.',
    todo: 'Correct each entry of `violations`, and publish again.',
  },
  'idempotency-key-reused': {
    status: 422,
    title: 'Idempotency key already used',
    when: 'The same Idempotency-Key was sent earlier with a different body.',
    todo: 'Use a new key for a new request. Reuse a key only to retry the identical request.',
  },
  'idempotency-in-flight': {
    status: 409,
    title: 'Request still being processed',
    when: 'An earlier request with this Idempotency-Key has not finished yet.',
    todo: 'Wait a second, and send the same request with the same key again.',
  },
  'last-administrator': {
    status: 409,
    title: 'Last administrator',
    when: 'The change would leave no active user with the right to manage users.',
    todo: 'Give another user the right to manage users first.',
  },
  'owner-inactive': {
    status: 422,
    title: 'Inactive owner',
    when: 'The legal entity or its franchisee is not active.',
    todo: 'Activate the franchisee and the legal entity first.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    when: 'The client address or the user has sent too many requests. The header `Retry-After` contains the seconds to wait.',
    todo: 'Retry after the number of seconds in `Retry-After`. Programs can use an API key, which has its own limit.',
  },
  'media-unreadable': {
    status: 422,
    title: 'Unreadable image',
    when: 'The file is not a jpeg, png or webp image, or it is damaged.',
    todo: 'Export the image again as jpeg, png or webp, and upload that file.',
  },
  busy: {
    status: 503,
    title: 'Service busy',
    when: 'The service has reached its limit of concurrent requests of this kind.',
    todo: 'Retry after the number of seconds in `Retry-After`.',
  },
  unavailable: {
    status: 503,
    title: 'Service unavailable',
    when: 'A service that the operation needs, for example Temporal, does not answer.',
    todo: 'Retry with increasing pauses.',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    when: 'The service failed unexpectedly. Quote `requestId` when you report it.',
    todo: 'Send the request again once. If it fails again, report it with `requestId`.',
  },
} as const satisfies Record<string, { status: number; title: string; when: string; todo: string }>;
