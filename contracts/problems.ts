/** One kind of problem (RFC 9457): the last segment of `type`, its status, and when it is answered. */
export type ProblemKind = keyof typeof PROBLEMS;

/**
 * The closed list of problems that both contours can answer (rule HTTP-10). `code` of single field errors is free within a kind.
 */
export const PROBLEMS = {
  validation: {
    status: 422,
    title: 'The request is not valid',
    when: 'A field of the body, query or path breaks its rule; `errors` names every field.',
  },
  'malformed-body': {
    status: 400,
    title: 'The body cannot be read',
    when: 'The body is not the JSON or multipart form that the content type promises.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Content type not supported',
    when: 'The content type of the body is not the one this operation reads.',
  },
  'payload-too-large': {
    status: 413,
    title: 'The body is too large',
    when: 'The body or a file is larger than the limit of the operation.',
  },
  'malformed-request': {
    status: 400,
    title: 'The request cannot be read',
    when: 'What arrived is no HTTP, or its address holds characters beyond ASCII, which have to be percent-encoded.',
  },
  'uri-too-long': {
    status: 414,
    title: 'The address is too long',
    when: 'The address has more than 8,000 characters or more than 100 query parameters.',
  },
  'headers-too-large': {
    status: 431,
    title: 'The headers are too large',
    when: 'The headers of the request are larger than 16 KiB together.',
  },
  unauthorized: {
    status: 401,
    title: 'Sign in first',
    when: 'The access token is missing, expired or not ours, or the password is wrong.',
  },
  forbidden: {
    status: 403,
    title: 'Permission missing',
    when: 'The signed-in user lacks the permission named in `detail`.',
  },
  'sign-on-refused': {
    status: 403,
    title: 'Sign-on refused',
    when: 'A sign-on through the identity provider did not show a user of ours; `reason` is STATE_UNKNOWN (not begun in this browser, used or expired), PROVIDER_REFUSED, ANSWER_INVALID, EMAIL_UNVERIFIED, USER_UNKNOWN, USER_DISABLED or ACCOUNT_TAKEN (the user belongs to another account of the provider).',
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    when: 'Nothing lives at this address, or the entity does not exist.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    when: 'The address exists but not with this method; see the Allow header.',
  },
  'version-conflict': {
    status: 409,
    title: 'Changed by somebody else',
    when: '`version` of the body is not the stored one; `currentVersion` is answered.',
  },
  duplicate: {
    status: 409,
    title: 'Exists already',
    when: 'A unique rule would be broken; `errors` names the field with code `duplicate`.',
  },
  'invalid-transition': {
    status: 409,
    title: 'Not possible in this state',
    when: 'The present state of the entity does not allow this move.',
  },
  'already-running': {
    status: 409,
    title: 'That import is running',
    when: 'A manual run is requested while the same import runs.',
  },
  'item-already-bound': {
    status: 409,
    title: 'The item belongs to another product',
    when: 'The external item is bound to another product, named in `boundProduct`.',
  },
  'category-not-empty': {
    status: 409,
    title: 'The category has products',
    when: 'A category is archived while products sit in it.',
  },
  'media-in-use': { status: 409, title: 'The file is in use', when: 'A file is deleted while something shows it.' },
  'publish-blocked': {
    status: 422,
    title: 'The product cannot be published',
    when: 'At least one publish rule is violated; `violations` names all of them.',
  },
  'idempotency-key-reused': {
    status: 422,
    title: 'Idempotency key used for another request',
    when: 'The same Idempotency-Key arrives with another body.',
  },
  'idempotency-in-flight': {
    status: 409,
    title: 'The same request is being processed',
    when: 'A request with this Idempotency-Key has not finished yet.',
  },
  'last-administrator': {
    status: 409,
    title: 'The last administrator',
    when: 'A change would leave nobody who can sign in and manage users.',
  },
  'owner-inactive': {
    status: 422,
    title: 'The owner is not active',
    when: 'The legal entity or its franchisee is not operationally active.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    when: 'The rate limit of the address or user is used up; see Retry-After.',
  },
  'media-unreadable': {
    status: 422,
    title: 'The picture cannot be read',
    when: 'The file is not a jpeg, png or webp picture, or is damaged.',
  },
  busy: { status: 503, title: 'Busy', when: 'A bounded resource is full; repeat after Retry-After seconds.' },
  unavailable: {
    status: 503,
    title: 'Not available now',
    when: 'A part the operation needs (for example the workflow service) does not answer.',
  },
  internal: { status: 500, title: 'Internal error', when: 'An unexpected fault; quote `requestId` to support.' },
} as const satisfies Record<string, { status: number; title: string; when: string }>;
