import { EN } from './messages/en.ts';

export type ProblemKind = keyof typeof PROBLEMS;

/**
 * All problems of both APIs (RFC 9457, HTTP-10): status, when it is answered, and what a client can
 * do.
 */
export const PROBLEMS = {
  validation: {
    status: 422,
    title: EN['problem.validation.title'],
    when: EN['problem.validation.detail'],
    todo: 'Correct each field that `errors` names, and send the request again.',
  },
  'malformed-body': {
    status: 400,
    title: EN['problem.malformed-body.title'],
    when: EN['problem.malformed-body.detail'],
    todo: 'Send a body that matches its content type, encoded as UTF-8.',
  },
  'unsupported-media-type': {
    status: 415,
    title: EN['problem.unsupported-media-type.title'],
    when: EN['problem.unsupported-media-type.detail'],
    todo: 'Send the content type that the reference lists for the operation, usually `application/json`.',
  },
  'payload-too-large': {
    status: 413,
    title: EN['problem.payload-too-large.title'],
    when: EN['problem.payload-too-large.detail'],
    todo: 'Send less data in one request, or a smaller file.',
  },
  'malformed-request': {
    status: 400,
    title: EN['problem.malformed-request.title'],
    when: EN['problem.malformed-request.detail'],
    todo: 'Percent-encode the URL as UTF-8, and send the request again.',
  },
  'uri-too-long': {
    status: 414,
    title: EN['problem.uri-too-long.title'],
    when: EN['problem.uri-too-long.detail'],
    todo: 'Send fewer or shorter query parameters.',
  },
  'headers-too-large': {
    status: 431,
    title: EN['problem.headers-too-large.title'],
    when: EN['problem.headers-too-large.detail'],
    todo: 'Send smaller headers, for example without cookies of other services.',
  },
  unauthorized: {
    status: 401,
    title: EN['problem.unauthorized.title'],
    when: EN['problem.unauthorized.detail'],
    todo: 'Sign in again, refresh the access token, or replace the key, then send the request again.',
  },
  'second-factor-required': {
    status: 401,
    title: EN['problem.second-factor-required.title'],
    when: EN['problem.second-factor-required.detail'],
    todo: 'Ask the user for a code, and send the same request with `code`.',
  },
  forbidden: {
    status: 403,
    title: EN['problem.forbidden.title'],
    when: EN['problem.forbidden.detail'],
    todo: 'Have an administrator add the permission in `detail` to the role of the user or to the API key.',
  },
  'sign-on-refused': {
    status: 403,
    title: EN['problem.sign-on-refused.title'],
    when: EN['problem.sign-on-refused.detail'],
    todo: 'Start the sign-on again. If it fails again, have an administrator check the account that `reason` refers to.',
  },
  'not-found': {
    status: 404,
    title: EN['problem.not-found.title'],
    when: EN['problem.not-found.detail'],
    todo: 'Check the URL and the ids in it. Read the list again, because the object may have been deleted.',
  },
  'method-not-allowed': {
    status: 405,
    title: EN['problem.method-not-allowed.title'],
    when: EN['problem.method-not-allowed.detail'],
    todo: 'Use a method that is listed in `Allow`.',
  },
  'version-conflict': {
    status: 409,
    title: EN['problem.version-conflict.title'],
    when: EN['problem.version-conflict.detail'],
    todo: 'Read the object again, apply the change to it, and send the new `version`.',
  },
  duplicate: {
    status: 409,
    title: EN['problem.duplicate.title'],
    when: EN['problem.duplicate.detail'],
    todo: 'Use another value, or edit the entry that has it.',
  },
  'invalid-transition': {
    status: 409,
    title: EN['problem.invalid-transition.title'],
    when: EN['problem.invalid-transition.detail'],
    todo: 'Read the object again, and offer only changes that its state allows.',
  },
  'already-running': {
    status: 409,
    title: EN['problem.already-running.title'],
    when: EN['problem.already-running.detail'],
    todo: 'Wait until the run has ended. Then start the import again if you still need it.',
  },
  'item-already-bound': {
    status: 409,
    title: EN['problem.item-already-bound.title'],
    when: EN['problem.item-already-bound.detail'],
    todo: 'Edit the product in `boundProduct`, or remove its variant first.',
  },
  'category-not-empty': {
    status: 409,
    title: EN['problem.category-not-empty.title'],
    when: EN['problem.category-not-empty.detail'],
    todo: 'Move or archive the content first, or send `archive_products=true` if only archived products are left.',
  },
  'checkout-blocked': {
    status: 409,
    title: EN['problem.checkout-blocked.title'],
    when: EN['problem.checkout-blocked.detail'],
    todo: 'Show `preflight` to the guest, apply the repairs of its blockers, and order again.',
  },
  'cart-already-ordered': {
    status: 409,
    title: EN['problem.cart-already-ordered.title'],
    when: EN['problem.cart-already-ordered.detail'],
    todo: 'Show the order of `orderId`. A new order needs a new cart.',
  },
  'order-not-cancellable': {
    status: 409,
    title: EN['problem.order-not-cancellable.title'],
    when: EN['problem.order-not-cancellable.detail'],
    todo: 'Read the order again. To cancel it, the guest calls the restaurant.',
  },
  'compensation-taken': {
    status: 409,
    title: EN['problem.compensation-taken.title'],
    when: EN['problem.compensation-taken.detail'],
    todo: 'Read the gifts of the customer again, and show the order of `orderId`.',
  },
  'reason-required': {
    status: 422,
    title: EN['problem.reason-required.title'],
    when: EN['problem.reason-required.detail'],
    todo: 'Send the request again with a reason.',
  },
  'grant-limit-reached': {
    status: 409,
    title: EN['problem.grant-limit-reached.title'],
    when: EN['problem.grant-limit-reached.detail'],
    todo: 'Try again the next day, or have an administrator raise the setting `compensation_grants_per_day`.',
  },
  'media-in-use': {
    status: 409,
    title: EN['problem.media-in-use.title'],
    when: EN['problem.media-in-use.detail'],
    todo: 'Replace the file wherever it is used, and delete it afterwards.',
  },
  'publish-blocked': {
    status: 422,
    title: EN['problem.publish-blocked.title'],
    when: EN['problem.publish-blocked.detail'],
    todo: 'Correct each entry of `violations`, and publish again.',
  },
  'idempotency-key-reused': {
    status: 422,
    title: EN['problem.idempotency-key-reused.title'],
    when: EN['problem.idempotency-key-reused.detail'],
    todo: 'Use a new key for a new request. Reuse a key only to retry the identical request.',
  },
  'idempotency-in-flight': {
    status: 409,
    title: EN['problem.idempotency-in-flight.title'],
    when: EN['problem.idempotency-in-flight.detail'],
    todo: 'Wait a second, and send the same request with the same key again.',
  },
  'last-administrator': {
    status: 409,
    title: EN['problem.last-administrator.title'],
    when: EN['problem.last-administrator.detail'],
    todo: 'Give another user the right to manage users first.',
  },
  'owner-inactive': {
    status: 422,
    title: EN['problem.owner-inactive.title'],
    when: EN['problem.owner-inactive.detail'],
    todo: 'Activate the franchisee and the legal entity first.',
  },
  'rate-limited': {
    status: 429,
    title: EN['problem.rate-limited.title'],
    when: EN['problem.rate-limited.detail'],
    todo: 'Retry after the number of seconds in `Retry-After`. Programs can use an API key, which has its own limit.',
  },
  'media-unreadable': {
    status: 422,
    title: EN['problem.media-unreadable.title'],
    when: EN['problem.media-unreadable.detail'],
    todo: 'Export the image again as jpeg, png or webp, and upload that file.',
  },
  busy: {
    status: 503,
    title: EN['problem.busy.title'],
    when: EN['problem.busy.detail'],
    todo: 'Retry after the number of seconds in `Retry-After`.',
  },
  unavailable: {
    status: 503,
    title: EN['problem.unavailable.title'],
    when: EN['problem.unavailable.detail'],
    todo: 'Retry with increasing pauses.',
  },
  internal: {
    status: 500,
    title: EN['problem.internal.title'],
    when: EN['problem.internal.detail'],
    todo: 'Send the request again once. If it fails again, report it with `requestId`.',
  },
} as const satisfies Record<string, { status: number; title: string; when: string; todo: string }>;
