/**
 * The English texts for staff (rule HTTP-110), in the syntax of ICU MessageFormat. A key is a code
 * with its subject. `ru.ts` has the same keys and parameters.
 */
export const EN = {
  // Why guests see a dish, or do not.
  'explain.SOLD_OUT': 'Guests see the dish as sold out.',
  'explain.AVAILABLE': 'Guests see the dish and can order it.',
  'explain.ORGANIZATION_ACTIVE': 'The restaurant is not active, so it has no menu.',
  'explain.IN_PINNED_REVISION': 'A revision without the dish is pinned.',
  'explain.PUBLISHED': 'The product is not published.',
  'explain.VISIBLE_HERE': 'Staff hide the product in this restaurant.',
  'explain.PLACED': 'The product is in no category that guests see.',
  'explain.HAS_MAIN_IMAGE': 'The product has no main image.',
  'explain.SOLD_HERE': 'No variant of the product is sold in this restaurant.',
  'explain.IN_CONTENT': 'The pinned revision does not contain the variant.',
  'explain.PRICED': 'No external menu of the restaurant has a price for the dish.',
  'explain.SHOWN_BY_ERP': 'The ERP hides the dish in the external menu.',
  'explain.LIVE': 'The ERP has deleted the dish or its price.',
  'explain.NOT_STOPPED': 'The dish is on the stop-list.',
  'explain.IN_HOURS': 'No category of the dish in the external menu is inside its hours now.',
  'explain.MODIFIERS_LEFT': 'A group that guests must choose from has too few modifiers that are not stopped.',

  // Titles and units of settings.
  'setting.stoplist_behaviour': 'Stopped items',
  'setting.stoplist_terminals': 'When an item counts as stopped',
  'setting.sync.shrink_threshold_percent': 'Largest share of deletions of an import',
  'setting.binding.missing_grace': 'Grace period of a vanished dish',
  'setting.binding.escalation_minutes': 'Reminder of a lost dish',
  'setting.snapshot.revision_days': 'Storage of former menu revisions',
  'setting.guest_language': 'Language for guests',
  'setting.overlapping_zones': 'Address in several zones',
  'setting.imprecise_address': 'Address without a house',
  'setting.quote_minutes': 'Validity of a quote',
  'setting.order_send_minutes': 'Time to send an order to the ERP',
  'setting.gifts_per_order': 'Gifts in one order',
  'setting.order_limits': 'Limits of orders',
  'setting.guest_order_sum': 'Total that requires signing in',
  'setting.gift_return_days': 'Validity of a returned gift',
  'setting.order_watch_days': 'Time to follow an order',
  'setting.delivery_fee': 'Delivery fee',
  'setting.serving_organization': 'How a restaurant is chosen for an address',
  'setting.call_center_organization': 'Call-center restaurant',
  'setting.structured_cutlery': 'How the number of persons is sent',
  'setting.order_personal_days': 'Storage of guest data',
  'setting.gift_markers': 'Where operators promise gifts',
  'setting.gift_phrases': 'Phrases that mean a gift',
  'setting.gifts_per_client': 'Gifts from categories of a client',
  'setting.compensation_grants_per_day': 'Gifts of one member of staff in 24 hours',
  'unit.PERCENT': 'percent',
  'unit.MINUTES': 'minutes',
  'unit.DAYS': 'days',
  'unit.ROUBLES': 'roubles',
  'unit.GIFTS': 'gifts',
  'unit.ORDERS': 'orders',

  // Notifications: the title, and the cause.
  'notification.SUSPICIOUS_SHRINK.title': 'A menu import would remove too many rows',
  'notification.SUSPICIOUS_SHRINK.text':
    'A menu import would have removed more than the threshold allows: items of the menu in a full import, or prices of restaurants in any import. A failed import wrote nothing; a successful one held back the removals in `details`.',
  'notification.SNAPSHOT_TOO_LARGE.title': 'A menu is too large to be published',
  'notification.SNAPSHOT_TOO_LARGE.text': 'A new menu is larger than the limit. The previous menu stays public.',
  'notification.CREDENTIALS_REFUSED.title': 'The ERP rejects a connection',
  'notification.CREDENTIALS_REFUSED.text':
    'The ERP rejects a connection (401 with a new token, or 403): its apiLogin is wrong, was revoked or lacks a permission.',
  'notification.ERP_CIRCUIT_OPEN.title': 'A part of the ERP does not work',
  'notification.ERP_CIRCUIT_OPEN.text':
    'For five minutes, requests of a connection to a group of endpoints have failed, and so have the probes that follow: orders, gifts of clients (LOYALTY), serving restaurants of addresses (ADDRESSES), imports (MENUS) or tokens. `details` names the groups. Resolved when the ERP answers again.',
  'notification.ORGANIZATION_REFUSED.title': 'The ERP rejects one restaurant',
  'notification.ORGANIZATION_REFUSED.text':
    'The ERP rejects requests for one organization of a connection (400, 403 or 5xx) and answers for the others. The organization keeps its menu, stop-list, terminal groups and delivery zones; changes of its orders are read when the ERP answers again. `details` names it and the imports (ORDERS: polls of orders).',
  'notification.EMPTY_LIST.title': 'The ERP no longer lists any restaurant',
  'notification.EMPTY_LIST.text':
    'The list of organizations of a connection is suddenly empty. It was requested again half a minute later; if it was empty again, it is applied.',
  'notification.SUSPICIOUS_LIST.title': 'The ERP would remove data of many restaurants',
  'notification.SUSPICIOUS_LIST.text':
    'A list of organizations, terminal groups or delivery zones lacks those of several restaurants, more than the threshold of a shrink allows, and when it was requested again half a minute later it lacked others. It is not applied; the next one is when it lacks the same.',
  'notification.MENU_WITHDRAWN.title': 'The ERP no longer lists a menu',
  'notification.MENU_WITHDRAWN.text':
    'Two lists in a row did not contain an external menu that restaurants sell from. Its dishes are shown but cannot be ordered.',
  'notification.MENU_NOT_IMPORTED.title': 'A menu cannot be imported',
  'notification.MENU_NOT_IMPORTED.text':
    'Two imports of a menu in a row failed because the ERP rejects it for all restaurants (400, 403), or because its answer cannot be read. The restaurants keep the last imported menu, and a rejected menu is requested less and less often, down to once an hour. Resolved when the menu is imported, withdrawn or switched off.',
  'notification.DELIVERY_MAP_BROKEN.title': 'A delivery map of the ERP is broken',
  'notification.DELIVERY_MAP_BROKEN.text':
    'A zone of an organization has a polygon without an area, a border that crosses itself, or the name of another zone. A zone without an area keeps its last polygon, and a new one contains no address. A border that crosses itself counts by the even-odd rule, and `details` has the area of the largest part that a crossing cuts off. Of two zones with one name the first counts.',
  'notification.BINDING_MISSING.title': 'Products have lost their items',
  'notification.BINDING_MISSING.text':
    'A menu import has opened incidents of the type ITEM_MISSING. There is one notification for each import.',
  'notification.BINDING_UNATTENDED.title': 'Missing items were not handled',
  'notification.BINDING_UNATTENDED.text':
    'An incident of the type ITEM_MISSING has been open for longer than the setting `binding.escalation_minutes` allows, and was not rebound, dismissed or snoozed. There is one notification for each import.',
  'notification.ORDER_DIVERGENCE.title': 'The ERP and an order disagree',
  'notification.ORDER_DIVERGENCE.text':
    'The ERP rejects an order that was accepted from a guest, or reports an order that had ended here. There is one notification for each connection, cause and hour; `details` counts and lists the orders.',
  'notification.ORDER_NOT_SENT.title': 'An accepted order did not reach the ERP in time',
  'notification.ORDER_NOT_SENT.text':
    'The time in which an accepted order is sent has passed, and the ERP does not have it. The guest is still waiting. There is one notification for each connection, cause and hour; `details` counts and lists the orders.',
  'notification.ORDER_STUCK.title': 'A restaurant does not accept an order',
  'notification.ORDER_STUCK.text':
    'The ERP has had an order for some minutes, but the restaurant has not accepted it. There is one notification for each connection and hour; `details` counts and lists the orders. Resolved when all of them are accepted or have ended.',
  'notification.ORDER_NEVER_ENDED.title': 'The ERP has not ended an order',
  'notification.ORDER_NEVER_ENDED.text':
    'The time of an order was days ago, and the ERP has neither closed nor canceled it. It was ended here and is no longer tracked. There is one notification for each connection and hour, and one for all delivered orders of a connection; `details` counts and lists the orders.',
  'notification.ORDERING_LEFT_BEHIND.title':
    'A restaurant has moved to another connection without its settings of ordering',
  'notification.ORDERING_LEFT_BEHIND.text':
    'The ERP lists an organization through another connection than before. Hours, switches and ways to pay stay with the former one, and guests cannot order. `details` contains the command that transfers them.',
  'notification.DELIVERY_FEE_IN_WORDS.title': 'The delivery fee of orders stands in their comment only',
  'notification.DELIVERY_FEE_IN_WORDS.text':
    'An order has a delivery fee at which the ERP does not sell the item with the role DELIVERY_FEE. The ERP gets the fee as a comment only, and its total does not include it.',
  'notification.GIFT_BROKEN.title': 'A gift cannot be given',
  'notification.GIFT_BROKEN.text':
    'The item of an active reward is missing, not for sale or not free in all its restaurants. The rights of clients to it are blocked until it can be given again.',
  'notification.GIFT_LIMITED.title': 'A gift cannot be given everywhere',
  'notification.GIFT_LIMITED.text':
    'The item of an active reward is not sold, or costs something, in some of the restaurants that it is meant for. Clients do not get it there.',
  'notification.GIFT_RESERVED_TOO_LONG.title': 'Orders have reserved gifts for too long',
  'notification.GIFT_RESERVED_TOO_LONG.text':
    'Orders of a connection have reserved gifts for more than an hour, and the result at the ERP is unknown. Resolved when each gift is redeemed or returned.',
  'notification.GIFT_STOPPED.title': 'Promised gifts are in a stop-list',
  'notification.GIFT_STOPPED.text':
    'Gifts that clients of a connection were promised have been in the stop-list of a restaurant for more than an hour. Resolved when the stop-lists no longer contain them.',
  'notification.GIFT_MARKERS_WAITING.title': 'Markers of redeemed gifts cannot be removed at the ERP',
  'notification.GIFT_MARKERS_WAITING.text':
    'Categories or comments of clients at the ERP have promised redeemed gifts for more than an hour, because they could not be changed. Resolved when the markers are removed.',
  'notification.GIFT_COMMENT_DAMAGED.title': 'Comments with damaged gift blocks',
  'notification.GIFT_COMMENT_DAMAGED.text':
    'Comments of clients contain a damaged tag, so their gifts are not granted. Resolved when the cards are read without damage, or were not read for 7 days.',
  'notification.GIFT_NAME_UNKNOWN.title': 'Comments promise unknown gifts',
  'notification.GIFT_NAME_UNKNOWN.text':
    'A block in the comment of a client names no active reward, several, or a dish that costs something. Resolved when the cards are read without it, were not read for 7 days, or a reward was changed since.',
  'notification.GIFT_CATEGORY_WITHOUT_REWARD.title': 'Categories of clients have no active reward',
  'notification.GIFT_CATEGORY_WITHOUT_REWARD.text':
    'Clients have a category of a gift that is switched off here or at the ERP. Resolved when the cards are read without it, were not read for 7 days, or a reward was changed since.',
  'notification.GIFT_CANDIDATES_WAITING.title': 'Phrases in comments wait for a decision',
  'notification.GIFT_CANDIDATES_WAITING.text':
    'Phrases that may promise gifts have waited for a decision of staff for more than a day. Resolved when each is confirmed or dismissed.',
  'notification.GIFTS_NOT_COMPARED.title': 'The gifts of a connection are not compared',
  'notification.GIFTS_NOT_COMPARED.text':
    'The gifts in orders at the ERP were not compared with the rights to them for 30 hours. Resolved with the next comparison.',
  'notification.GIFT_HISTORIES_MISSED.title': 'Missed orders of clients are not read',
  'notification.GIFT_HISTORIES_MISSED.text':
    'The ERP did not answer for more than seven days, and the orders of that time have not been read for some clients after another day. Resolved when all are read.',
  'notification.UNAUTHORIZED_COMPENSATION.title': 'An order contains a gift without a right',
  'notification.UNAUTHORIZED_COMPENSATION.text':
    'An order at the ERP contains a gift to which its client has no right, or has used it with another order. The order stays as it is.',
  'notification.COMPENSATION_CANDIDATES.title': 'Comments of clients may promise gifts',
  'notification.COMPENSATION_CANDIDATES.text':
    'A comment of a client contains a phrase of the setting gift_phrases. Staff must confirm it before a gift is granted.',
  'notification.COMPENSATION_RETURNED.title': 'A canceled order returned a gift',
  'notification.COMPENSATION_RETURNED.text':
    'An order that had redeemed a gift was canceled at the ERP, and its client was granted the gift again. `details` names the order.',
  'notification.COMPENSATION_DIVERGENCE.title': 'The ERP and the rights to gifts disagree',
  'notification.COMPENSATION_DIVERGENCE.text':
    'An order from another channel has used a gift that an order of ours had reserved, or an order contains fewer gifts than its right promised, or a canceled order is back although the gift that it returned is in use. Also when a client has paid for the dish of a gift, or got one for another organization. `details` lists the orders.',
  'notification.GIFTS_DIFFER.title': 'The gifts of a day do not add up',
  'notification.GIFTS_DIFFER.text':
    'Orders of a day at the ERP contain more or fewer gifts than rights were redeemed and gifts without a right were found. `details` names the orders. Sent again when the difference changes.',
  'notification.WEBHOOK_ENDPOINT_DISABLED.title': 'A webhook endpoint was disabled',
  'notification.WEBHOOK_ENDPOINT_DISABLED.text':
    'The receiver of a webhook endpoint answered 410 (`GONE`), or accepted nothing for three days (`FAILING`). Its events wait and are delivered when it is enabled again within 28 days.',
  'notification.WEBHOOK_EVENTS_REFUSED.title': 'A webhook receiver refuses events',
  'notification.WEBHOOK_EVENTS_REFUSED.text':
    'The receiver of a webhook endpoint has refused an event for an hour. At the time `until` of `details`, the event is set aside, or the endpoint is disabled if its receiver accepts no event. Resolved when no event has failed for an hour.',
  'notification.WEBHOOK_EVENT_FAILED.title': 'A webhook event was set aside',
  'notification.WEBHOOK_EVENT_FAILED.text':
    'The receiver of a webhook endpoint has refused an event for three days and accepted others. The event is not sent again by itself; the deliveries with the status FAILED list it.',
  'notification.ORDERS_NOT_CONFIGURED.title': 'Orders of a connection cannot be sent',
  'notification.ORDERS_NOT_CONFIGURED.text':
    'An order needs a way to pay or a discount of the ERP, and neither staff nor the ERP name which one.',

  // The checklist of a new restaurant.
  'readiness.CONNECTION': 'Active connection to the ERP',
  'readiness.TERMINALS': 'Terminals of the ERP',
  'readiness.MENU': 'Published menu',
  'readiness.HOURS': 'Opening hours',
  'readiness.PAYMENT_METHODS': 'Payment methods',
  'readiness.ZONES': 'Delivery zones',
  'readiness.SWITCHES': 'Delivery or pickup switched on',
  'readiness.TEST_ORDER': 'Test order',

  // Incidents of bindings.
  'incident.ITEM_MISSING.ITEM':
    'The ERP has deleted the dish "{dish}" of the product "{product}". It was sold in {restaurants, plural, one {# restaurant} other {# restaurants}}.',
  'incident.ITEM_MISSING.SIZE':
    'The ERP has deleted a size of the dish "{dish}" of the product "{product}". It was sold in {restaurants, plural, one {# restaurant} other {# restaurants}}.',
  'incident.NAME_CHANGED': 'The ERP has renamed the dish "{dish}" of the product "{product}" to "{newName}".',
  'incident.POSSIBLE_REPLACEMENT':
    'The ERP may have replaced the dish "{dish}" of the product "{product}". {candidates, plural, one {# dish} other {# dishes}} could be the new one.',

  // Rules of a gift, met or not.
  'gift.ACCOUNT.met': 'The client belongs to the ERP account of the restaurant.',
  'gift.ACCOUNT.unmet': 'The client belongs to another ERP account than the restaurant.',
  'gift.CLIENT_PHONE.met': 'A phone of the client is stored.',
  'gift.CLIENT_PHONE.unmet': 'No phone of the client is stored, so a customer who signs in is not found.',
  'gift.CUSTOMER.met': 'The customer may be the client of the gift.',
  'gift.CUSTOMER.unmet': 'Nobody has signed in, or the customer is another client.',
  'gift.SERVED.met': 'Guests see the restaurant.',
  'gift.SERVED.unmet': 'Guests do not see the restaurant.',
  'gift.STATUS.met': 'The right can be used.',
  'gift.STATUS.unmet': 'The right is reserved, used, canceled or expired.',
  'gift.TERM.met': 'The right is valid.',
  'gift.TERM.unmet': 'The right has expired.',
  'gift.REWARD_ACTIVE.met': 'The gift is active.',
  'gift.REWARD_ACTIVE.unmet': 'The gift is switched off.',
  'gift.ORGANIZATION.met': 'The gift is meant for this restaurant.',
  'gift.ORGANIZATION.unmet': 'The gift is meant for another restaurant.',
  'gift.BINDING.met': 'The ERP has the dish of the gift.',
  'gift.BINDING.unmet': 'The ERP has no such dish or size in this restaurant.',
  'gift.ZERO_PRICE.met': 'The dish of the gift is free here.',
  'gift.ZERO_PRICE.unmet': 'The dish of the gift is not sold here, or costs something.',
  'gift.STOP_LIST.met': 'Enough units of the dish are left, or another gift replaces it.',
  'gift.STOP_LIST.unmet': 'The stop-list leaves too few units of the dish.',
  'gift.CHOICE.met': 'The client has not postponed the gift.',
  'gift.CHOICE.unmet': 'The client has postponed the gift.',
  'gift.TURN.met': 'Earlier promises leave a place for the gift.',
  'gift.TURN.unmet':
    'Earlier promises take all places: an order has at most {giftsPerOrder, plural, one {# gift} other {# gifts}}.',

  // Who delivers to a place, and why.
  'delivery.NOT_LOCATED': 'The address was not found on the map precisely enough.',
  'delivery.NO_ZONE': 'No delivery zone contains the place.',
  'delivery.NOT_SERVED_NOW': 'Zones contain the place, but none of them is served now.',
  'delivery.ONLY_ZONE': 'One zone that contains the place is served now.',
  'delivery.PRIORITY': 'Several zones contain the place. The one with the lowest priority number serves it.',
  'delivery.ERP': 'The ERP has named the restaurant.',
  'delivery.SEVERAL_ZONES': 'Several zones contain the place, and the setting `overlapping_zones` rejects such places.',
  'delivery.EQUAL_PRIORITIES': 'Several zones with the same priority contain the place.',

  // Broken rules of publication.
  'violation.NO_MAIN_IMAGE': 'The product has no main image.',
  'violation.NO_PLACEMENT': 'The product is in no category.',
  'violation.NO_VARIANT': 'The product has no variant.',
  'violation.NO_LIVE_VARIANT': 'No variant is bound to a dish that the ERP still has.',
  'violation.NO_DEFAULT_VARIANT': 'No variant is the default one.',
  'violation.UNSOLD_VARIANT': 'A variant is bound to a dish that is a gift or the delivery fee.',
  'violation.KEEPS_CATEGORY': 'A published product keeps a category.',

  // Problems: the title, and the meaning of the kind.
  'problem.validation.title': 'Invalid request',
  'problem.validation.detail':
    'A field of the body, the query or the path breaks its rule. `errors` names the first 50 such fields, and `errorsOmitted` counts the others. A list with too many elements is one error: its elements are not checked.',
  'problem.malformed-body.title': 'Malformed request body',
  'problem.malformed-body.detail': 'The body is not the JSON or the multipart form that its content type announces.',
  'problem.unsupported-media-type.title': 'Unsupported content type',
  'problem.unsupported-media-type.detail': 'The operation does not read bodies of this content type.',
  'problem.payload-too-large.title': 'Request body too large',
  'problem.payload-too-large.detail': 'The body or one of its files is larger than the operation allows.',
  'problem.malformed-request.title': 'Malformed request',
  'problem.malformed-request.detail':
    'The request is not valid HTTP, or its URL contains non-ASCII characters that are not percent-encoded.',
  'problem.uri-too-long.title': 'URL too long',
  'problem.uri-too-long.detail': 'The URL has more than 8,000 characters or more than 100 query parameters.',
  'problem.headers-too-large.title': 'Request headers too large',
  'problem.headers-too-large.detail': 'The headers of the request exceed 16 KiB in total.',
  'problem.unauthorized.title': 'Authentication required',
  'problem.unauthorized.detail':
    'The access token is missing, has expired or was not issued by this service, the password is wrong, the API key is unknown, expired or revoked, or the secret of the webhook is missing or wrong.',
  'problem.second-factor-required.title': 'Second factor required',
  'problem.second-factor-required.detail':
    'The password is correct, but the user has a second factor. The request needs `code`: a code from the authenticator app or a recovery code.',
  'problem.forbidden.title': 'Missing permission',
  'problem.forbidden.detail':
    'The signed-in user does not have the permission that `detail` names, or must set up a second factor first. Changes from a page whose origin is not in ADMIN_ORIGINS are forbidden as well.',
  'problem.sign-on-refused.title': 'Sign-on rejected',
  'problem.sign-on-refused.detail':
    'The sign-on through the identity provider did not lead to a user who may sign in. `reason` is STATE_UNKNOWN (the sign-on was not started in this browser, was used already or has expired), PROVIDER_REFUSED, ANSWER_INVALID, EMAIL_UNVERIFIED, USER_UNKNOWN, USER_DISABLED or ACCOUNT_TAKEN (the user is linked to another account of the provider).',
  'problem.not-found.title': 'Not found',
  'problem.not-found.detail': 'The URL does not exist, or it refers to an object that does not exist.',
  'problem.method-not-allowed.title': 'Method not allowed',
  'problem.method-not-allowed.detail':
    'The URL exists but does not support this method. The header `Allow` lists the supported methods.',
  'problem.version-conflict.title': 'Version conflict',
  'problem.version-conflict.detail':
    'The object was changed after it was read: the `version` in the body differs from `currentVersion`, or the `fingerprint` of a day no longer matches its orders.',
  'problem.duplicate.title': 'Duplicate value',
  'problem.duplicate.detail':
    'Another entry has the same value in a field that must be unique. `errors` names the field with the code `duplicate`.',
  'problem.invalid-transition.title': 'Change not allowed in this state',
  'problem.invalid-transition.detail': 'The current state of the entity does not allow this change.',
  'problem.already-running.title': 'Import already running',
  'problem.already-running.detail': 'The import was started manually while it is already running.',
  'problem.item-already-bound.title': 'Item bound to another product',
  'problem.item-already-bound.detail': 'The item of the ERP is bound to another product, which `boundProduct` names.',
  'problem.category-not-empty.title': 'Category not empty',
  'problem.category-not-empty.detail':
    'The category cannot be archived while it contains products or categories. `productCount`, `archivedProductCount` and `categoryCount` are their numbers. If it contains archived products only, `archive_products=true` archives it.',
  'problem.checkout-blocked.title': 'Order cannot be placed',
  'problem.checkout-blocked.detail':
    'A checkout rule blocks the order, or the order differs from the totals that the guest has seen. `reasons` lists the causes, and `preflight` is the current result of the checks. If a quote was given, `differences` lists the differences from it.',
  'problem.cart-already-ordered.title': 'Cart already ordered',
  'problem.cart-already-ordered.detail': 'The cart has already become an order, given in `orderId`.',
  'problem.order-not-cancellable.title': 'Order can no longer be canceled',
  'problem.order-not-cancellable.detail':
    'The order may already be at the restaurant, or it has ended. `orderStatus` is its status.',
  'problem.compensation-taken.title': 'Gift already in use',
  'problem.compensation-taken.detail': 'Another order, given in `orderId`, has reserved or redeemed the gift.',
  'problem.reason-required.title': 'Reason required',
  'problem.reason-required.detail': 'A change of a gift needs a reason, which is kept in its history.',
  'problem.grant-limit-reached.title': 'Daily limit of granted gifts reached',
  'problem.grant-limit-reached.detail':
    'The number of gifts that the user granted manually in the last 24 hours has reached the setting `compensation_grants_per_day`.',
  'problem.media-in-use.title': 'File in use',
  'problem.media-in-use.detail': 'The file is used by a product, a category or a modifier, and cannot be deleted.',
  'problem.publish-blocked.title': 'Product cannot be published',
  'problem.publish-blocked.detail':
    'The product violates at least one publication rule. `violations` lists all violations.',
  'problem.idempotency-key-reused.title': 'Idempotency key already used',
  'problem.idempotency-key-reused.detail': 'The same Idempotency-Key was sent earlier with a different body.',
  'problem.idempotency-in-flight.title': 'Request still being processed',
  'problem.idempotency-in-flight.detail': 'An earlier request with this Idempotency-Key has not finished yet.',
  'problem.last-administrator.title': 'Last administrator',
  'problem.last-administrator.detail': 'The change would leave no active user with the right to manage users.',
  'problem.owner-inactive.title': 'Inactive owner',
  'problem.owner-inactive.detail': 'The legal entity or its franchisee is not active.',
  'problem.rate-limited.title': 'Too many requests',
  'problem.rate-limited.detail':
    'The client address or the user has sent too many requests. The header `Retry-After` contains the seconds to wait.',
  'problem.media-unreadable.title': 'Unreadable image',
  'problem.media-unreadable.detail': 'The file is not a jpeg, png or webp image, or it is damaged.',
  'problem.busy.title': 'Service busy',
  'problem.busy.detail': 'The service has reached its limit of concurrent requests of this kind.',
  'problem.unavailable.title': 'Service unavailable',
  'problem.unavailable.detail': 'A service that the operation needs, for example Temporal, does not answer.',
  'problem.internal.title': 'Internal error',
  'problem.internal.detail': 'The service failed unexpectedly. Quote `requestId` when you report it.',

  // Broken rules of schemas, without the name of the field.
  'rule.required': 'is required',
  'rule.type': 'must be {type}',
  'rule.enum': 'must be one of {values}',
  'rule.const': 'must be {value}',
  'rule.format': 'must be a {format}',
  'rule.pattern': 'does not have the expected form',
  'rule.notEmpty': 'must not be empty',
  'rule.minLength': 'must have at least {limit, plural, one {# character} other {# characters}}',
  'rule.maxLength': 'must have at most {limit, plural, one {# character} other {# characters}}',
  'rule.minimum': 'must be at least {limit}',
  'rule.exclusiveMinimum': 'must be more than {limit}',
  'rule.maximum': 'must be at most {limit}',
  'rule.exclusiveMaximum': 'must be less than {limit}',
  'rule.minItems': 'must have at least {limit, plural, one {# element} other {# elements}}',
  'rule.maxItems': 'must have at most {limit, plural, one {# element} other {# elements}}',
  'rule.minProperties': 'must name at least one field',
  'rule.zeroCharacter': 'must not contain the character U+0000',
  'rule.surrogate': 'must not contain half of a surrogate pair',
  'rule.repeated': 'must not repeat an element',
  'rule.unknown': 'is unknown',
  'rule.invalid': 'is not valid',
} as const satisfies Readonly<Record<string, string>>;
