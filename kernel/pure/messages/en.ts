/** Texts for staff (HTTP-110) in ICU MessageFormat. `ru.ts` has the same keys and parameters. */
export const EN = {
  // Visibility of a dish.
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
  'explain.MODIFIERS_LEFT':
    'A group that guests must choose from has too few modifiers that are not stopped.',

  // Titles and units of settings.
  'setting.stoplist_behaviour': 'Stopped items',
  'setting.stoplist_terminals': 'When an item counts as stopped',
  'setting.sync.shrink_threshold_percent': 'Largest share of deletions of an import',
  'setting.binding.missing_grace': 'Grace period of a vanished dish',
  'setting.binding.escalation_minutes': 'Reminder of a lost dish',
  'setting.snapshot.revision_days': 'Storage of former menu revisions',
  'setting.console': 'Console for staff',
  'setting.chain_name': 'Name of the chain in the console',
  'setting.map_tiles': 'Background of maps in the console',
  'setting.temporal_ui_url': 'Links to Temporal',
  'setting.guest_language': 'Language for guests',
  'setting.staff_language': 'Language of mails and webhooks for staff',
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
  'unit.ROUBLES': 'rubles',
  'unit.GIFTS': 'gifts',
  'unit.ORDERS': 'orders',

  // Notifications: titles and causes.
  'mail.CRITICAL': 'Critical',
  'mail.INFO': 'Information',
  'mail.kind': 'Kind: {kind}',
  'mail.subject': 'About: {subject}',
  'mail.raisedAt': 'Raised: {moment}',
  'mail.details': 'Details: {details}',
  'mail.link': 'More: {link}',
  'notification.SUSPICIOUS_SHRINK.title': 'A menu import would remove too many rows',
  'notification.SUSPICIOUS_SHRINK.text':
    'A menu import would have removed more than the threshold allows: items of the menu in a full import, or prices of restaurants in any import. A failed import wrote nothing; a successful one held back the removals in `details`.',
  'notification.SNAPSHOT_TOO_LARGE.title': 'A menu is too large to be published',
  'notification.SNAPSHOT_TOO_LARGE.text':
    'A new menu is larger than the limit. The previous menu stays public.',
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
  'notification.DELIVERY_FEE_IN_WORDS.title':
    'The delivery fee of orders stands in their comment only',
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
  'notification.GIFT_MARKERS_WAITING.title':
    'Markers of redeemed gifts cannot be removed at the ERP',
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
  'incident.NAME_CHANGED':
    'The ERP has renamed the dish "{dish}" of the product "{product}" to "{newName}".',
  'incident.POSSIBLE_REPLACEMENT':
    'The ERP may have replaced the dish "{dish}" of the product "{product}". {candidates, plural, one {# dish} other {# dishes}} could be the new one.',

  // Rules of a gift, met or unmet.
  'gift.ACCOUNT.met': 'The client belongs to the ERP account of the restaurant.',
  'gift.ACCOUNT.unmet': 'The client belongs to another ERP account than the restaurant.',
  'gift.CLIENT_PHONE.met': 'A phone of the client is stored.',
  'gift.CLIENT_PHONE.unmet':
    'No phone of the client is stored, so a customer who signs in is not found.',
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

  // Delivery to a location: who, and why not.
  'delivery.NOT_LOCATED': 'The address was not found on the map precisely enough.',
  'delivery.NO_ZONE': 'No delivery zone contains the place.',
  'delivery.NOT_SERVED_NOW': 'Zones contain the place, but none of them is served now.',
  'delivery.ONLY_ZONE': 'One zone that contains the place is served now.',
  'delivery.PRIORITY':
    'Several zones contain the place. The one with the lowest priority number serves it.',
  'delivery.ERP': 'The ERP has named the restaurant.',
  'delivery.SEVERAL_ZONES':
    'Several zones contain the place, and the setting `overlapping_zones` rejects such places.',
  'delivery.EQUAL_PRIORITIES': 'Several zones with the same priority contain the place.',

  // Violations of publication rules.
  'violation.NO_MAIN_IMAGE': 'The product has no main image.',
  'violation.NO_PLACEMENT': 'The product is in no category.',
  'violation.NO_VARIANT': 'The product has no variant.',
  'violation.NO_LIVE_VARIANT': 'No variant is bound to a dish that the ERP still has.',
  'violation.NO_DEFAULT_VARIANT': 'No variant is the default one.',
  'violation.UNSOLD_VARIANT': 'A variant is bound to a dish that is a gift or the delivery fee.',
  'violation.KEEPS_CATEGORY': 'A published product keeps a category.',

  // Problems: titles, and meanings of the kinds.
  'problem.validation.title': 'Invalid request',
  'problem.validation.detail':
    'A field of the body, the query or the path breaks its rule. `errors` names the first 50 such fields, and `errorsOmitted` counts the others. A list with too many elements is one error: its elements are not checked.',
  'problem.malformed-body.title': 'Malformed request body',
  'problem.malformed-body.detail':
    'The body is not the JSON or the multipart form that its content type announces.',
  'problem.unsupported-media-type.title': 'Unsupported content type',
  'problem.unsupported-media-type.detail':
    'The operation does not read bodies of this content type.',
  'problem.payload-too-large.title': 'Request body too large',
  'problem.payload-too-large.detail':
    'The body or one of its files is larger than the operation allows.',
  'problem.malformed-request.title': 'Malformed request',
  'problem.malformed-request.detail':
    'The request is not valid HTTP, or its URL contains non-ASCII characters that are not percent-encoded.',
  'problem.uri-too-long.title': 'URL too long',
  'problem.uri-too-long.detail':
    'The URL has more than 8,000 characters or more than 100 query parameters.',
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
  'problem.not-found.detail':
    'The URL does not exist, or it refers to an object that does not exist.',
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
  'problem.invalid-transition.detail':
    'The current state of the entity does not allow this change.',
  'problem.already-running.title': 'Import already running',
  'problem.already-running.detail': 'The import was started manually while it is already running.',
  'problem.item-already-bound.title': 'Item bound to another product',
  'problem.item-already-bound.detail':
    'The item of the ERP is bound to another product, which `boundProduct` names.',
  'problem.category-not-empty.title': 'Category not empty',
  'problem.category-not-empty.detail':
    'The category cannot be archived while it contains products or categories. `productCount`, `archivedProductCount` and `categoryCount` are their numbers. If it contains archived products only, `archive_products=true` archives it.',
  'problem.checkout-blocked.title': 'Order cannot be placed',
  'problem.checkout-blocked.detail':
    'A checkout rule blocks the order, or the order differs from the totals that the guest has seen. `reasons` lists the causes, and `preflight` is the current result of the checks. If a quote was given, `differences` lists the differences from it.',
  'problem.cart-already-ordered.title': 'Cart already ordered',
  'problem.cart-already-ordered.detail':
    'The cart has already become an order, given in `orderId`.',
  'problem.order-not-cancellable.title': 'Order can no longer be canceled',
  'problem.order-not-cancellable.detail':
    'The order may already be at the restaurant, or it has ended. `orderStatus` is its status.',
  'problem.compensation-taken.title': 'Gift already in use',
  'problem.compensation-taken.detail':
    'Another order, given in `orderId`, has reserved or redeemed the gift.',
  'problem.reason-required.title': 'Reason required',
  'problem.reason-required.detail':
    'A change of a gift needs a reason, which is kept in its history.',
  'problem.grant-limit-reached.title': 'Daily limit of granted gifts reached',
  'problem.grant-limit-reached.detail':
    'The number of gifts that the user granted manually in the last 24 hours has reached the setting `compensation_grants_per_day`.',
  'problem.media-in-use.title': 'File in use',
  'problem.media-in-use.detail':
    'The file is used by a product, a category or a modifier, and cannot be deleted.',
  'problem.publish-blocked.title': 'Product cannot be published',
  'problem.publish-blocked.detail':
    'The product violates at least one publication rule. `violations` lists all violations.',
  'problem.idempotency-key-reused.title': 'Idempotency key already used',
  'problem.idempotency-key-reused.detail':
    'The same Idempotency-Key was sent earlier with a different body.',
  'problem.idempotency-in-flight.title': 'Request still being processed',
  'problem.idempotency-in-flight.detail':
    'An earlier request with this Idempotency-Key has not finished yet.',
  'problem.last-administrator.title': 'Last administrator',
  'problem.last-administrator.detail':
    'The change would leave no active user with the right to manage users.',
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
  'problem.unavailable.detail':
    'A service that the operation needs, for example Temporal, does not answer.',
  'problem.internal.title': 'Internal error',
  'problem.internal.detail':
    'The service failed unexpectedly. Quote `requestId` when you report it.',

  // ERP answers to calls that send an order: outcomes, then reasons.
  'attempt.NONE':
    'No answer is recorded: the call is running, or its process ended before the answer.',
  'attempt.TAKEN': 'The ERP has accepted the order.',
  'attempt.DUPLICATE': 'The ERP already had the order from an earlier call.',
  'attempt.REFUSED': 'The ERP rejected the order with the code {code}.',
  'attempt.REFUSED_WITHOUT_CODE': 'The ERP rejected the order with the code none.',
  'attempt.NOT_SENT': 'The ERP did not process the order.',
  'attempt.UNKNOWN': 'It is unknown whether the ERP has the order.',
  'attempt.reason.TIMEOUT': 'It did not answer in time.',
  'attempt.reason.CONNECT': 'It could not be reached.',
  'attempt.reason.SERVER': 'It answered with a server error.',
  'attempt.reason.RATE_LIMITED': 'It allows no further requests now.',
  'attempt.reason.UNAUTHORIZED': 'It rejected the token.',
  'attempt.reason.FORBIDDEN': 'The account may not create orders.',
  'attempt.reason.CLIENT': 'It rejected the request.',
  'attempt.reason.GONE': 'It no longer has the operation.',
  'attempt.reason.INVALID_ANSWER': 'Its answer was not as specified.',
  'attempt.reason.NOT_JSON': 'Its answer was not JSON.',
  'attempt.reason.CIRCUIT_OPEN': 'Earlier requests failed, so none was sent.',
  'attempt.reason.CREDENTIALS_REFUSED': 'It rejected the credentials of the account.',
  'attempt.reason.DISABLED': 'The connection is disabled, so no request was sent.',
  'attempt.reason.OWNER_INACTIVE':
    'The owner of the connection is inactive, so no request was sent.',
  'attempt.reason.NO_CONNECTION': 'The connection does not exist, so no request was sent.',
  'attempt.reason.NOT_RECORDED': 'The reason is not recorded.',

  // Field error codes without a specific sentence.
  'field.required': 'The field is missing or empty.',
  'field.unknown_field': 'The request has no such field.',
  'field.type': 'The value has another JSON type.',
  'field.enum': 'The value is not one of the allowed values.',
  'field.format': 'The value does not have the expected form.',
  'field.min_length': 'The text has too few characters.',
  'field.max_length': 'The text has too many characters.',
  'field.min': 'The number is too small.',
  'field.max': 'The number is too large.',
  'field.min_items': 'The list has too few elements.',
  'field.max_items': 'The list has too many elements.',
  'field.too_deep': 'The value is nested too deeply.',
  'field.cycle': 'The category would stand below itself.',
  'field.not_own': 'This value cannot be changed here; the message contains the place.',
  'field.duplicate': 'The value is named twice or is already taken.',
  'field.invalid': 'The value breaks a rule that has no special code.',
  'field.not_found': 'The value names something that does not exist.',
  'field.ambiguous': 'The value names more than one thing.',
  'field.not_supported': 'The field cannot be used here.',
  'field.in_use': 'Something else still needs it.',
  'field.deleted': 'The value names something that the ERP no longer has.',
  'field.not_a_dish': 'The value names a modifier and not a dish.',
  'field.without_axis': 'An option was given without its axis.',
  'field.item_already_bound': 'The item is bound to another product.',
  'field.same': 'The value is the present one and has to differ from it.',
  'field.guessable': 'The password is one of the first that others would try.',
  'field.own_phone': 'The value is the phone of the calling user.',
  'field.item_of_reward': 'The item is given as a gift and cannot be sold.',
  'field.item_of_delivery_fee': 'The item is the delivery fee of orders and cannot be sold.',
  'field.item_on_sale': 'The item belongs to a product and cannot be a gift.',
  'field.reward_broken': 'The gift cannot be given anywhere now.',
  'field.contains_secret': 'The text repeats a secret.',
  'field.unsupported_format': 'The file is of another kind.',
  'field.too_many_pixels': 'The image has too many pixels.',
  'field.damaged': 'The file cannot be read.',

  // Counts the fields that `detail` does not name.
  'problem.more': 'and {rest} more',

  // Sentences of problems, as written in the code.
  'sentence.theRefreshCookieIsMissing': 'The refresh cookie is missing',
  'sentence.nameARestaurantOrSendAllTrue': 'Name a restaurant, or send `all=true`.',
  'sentence.nameACartAnOrderOrARestaurant': 'Name a cart, an order or a restaurant.',
  'sentence.pagesOfThisOriginMayChangeNothingHereAdmin':
    'Pages of this origin may change nothing here: ADMIN_ORIGINS does not name it.',
  'sentence.sendAValidAccessTokenAuthorizationBearer':
    'Send a valid access token: Authorization: Bearer …',
  'sentence.anApiKeyHasNoAccountSignInAs': 'An API key has no account. Sign in as a user.',
  'sentence.theCartDoesNotExist': 'The cart does not exist.',
  'sentence.theOrderDoesNotExist': 'The order does not exist.',
  'sentence.notFoundAmongYourRestaurants': 'Not found among your restaurants.',
  'sentence.yourAccessIsLimitedToRestaurantsAndThisConcerns':
    'Your access is limited to restaurants, and this concerns the whole chain.',
  'sentence.mustBeOneIpAddress': 'must be one IP address',
  'sentence.mustBeAUuid': 'must be a uuid',
  'sentence.mustBeEmptyBecauseThisOperationTakesNoBody':
    'must be empty, because this operation takes no body',
  'sentence.takesOneFile': 'takes one file',
  'sentence.isRequired': 'is required',
  'sentence.isUnknown': 'is unknown',
  'sentence.mustNotRepeatAnElement': 'must not repeat an element',
  'sentence.isRequiredSoThatARetryIsNotProcessed':
    'is required, so that a retry is not processed twice',
  'sentence.mustBe1To200PrintableCharacters': 'must be 1 to 200 printable characters',
  'sentence.thisOperationReadsJsonInUtf8': 'This operation reads JSON in UTF-8.',
  'sentence.thisOperationReadsBodiesPackedWithGzipDeflateOr':
    'This operation reads bodies packed with gzip, deflate or br.',
  'sentence.isNotValid': 'is not valid',
  'sentence.isNestedTooDeeply': 'is nested too deeply',
  'sentence.thisAddressHasTooManyOpenEventStreams': 'This address has too many open event streams.',
  'sentence.thisServerOpensNoMoreEventStreamsNow': 'This server opens no more event streams now.',
  'sentence.anotherUserHasThisEMail': 'Another user has this e-mail',
  'sentence.anotherRoleHasThisCode': 'Another role has this code',
  'sentence.anotherFranchiseeHasThisName': 'Another franchisee has this name',
  'sentence.anotherLegalEntityHasThisTaxId': 'Another legal entity has this tax id',
  'sentence.thisImportIsPausedAlready': 'This import is paused already',
  'sentence.thisFileIsStoredAlready': 'This file is stored already',
  'sentence.anotherCategoryHasThisSlug': 'Another category has this slug',
  'sentence.anotherAxisHasThisCode': 'Another axis has this code',
  'sentence.anotherOptionOfTheAxisHasThisCode': 'Another option of the axis has this code',
  'sentence.anotherBadgeHasThisCode': 'Another badge has this code',
  'sentence.anotherProductHasThisSlug': 'Another product has this slug',
  'sentence.aProductHasOnePrimaryCategory': 'A product has one primary category',
  'sentence.theProductHasAVariantOfThisSizeAlready':
    'The product has a variant of this size already',
  'sentence.anotherVariantOfTheProductHasThisOption':
    'Another variant of the product has this option',
  'sentence.aProductHasOneDefaultVariant': 'A product has one default variant',
  'sentence.anotherRewardHasThisCode': 'Another reward has this code',
  'sentence.anotherRewardHasThisCategory': 'Another reward has this category',
  'sentence.anotherNoticeHasThisCode': 'Another notice has this code',
  'sentence.theDateHasAnExceptionOfThisChannelAlready':
    'The date has an exception of this channel already',
  'sentence.anotherDiscountHasThisCode': 'Another discount has this code',
  'sentence.anotherPromoCodeHasTheSameCode': 'Another promo code has the same code',
  'sentence.anotherRuleIsAboutThisRole': 'Another rule is about this role',
  'sentence.anotherUserHasJustAssignedTheseRoles': 'Another user has just assigned these roles',
  'sentence.theItemIsBoundToAnotherProduct': 'The item is bound to another product',
  'sentence.noSuchMedia': 'No such media.',
  'sentence.promocodesLeadToTheDiscountOrOrdersHaveUsed':
    'Promocodes lead to the discount, or orders have used it. Switch it off instead.',
  'sentence.theCartHasBecomeAnOrder': 'The cart has become an order.',
  'sentence.theCursorBelongsToAnotherListFilterOrOrder':
    'The cursor belongs to another list, filter or order. Begin again without `after`.',
  'sentence.theFirstResponseCanNoLongerBeDecryptedUse':
    'The first response can no longer be decrypted. Use a new key.',
  'sentence.atLeastOneActiveUserMustBeAbleTo':
    'At least one active user must be able to manage users',
  'sentence.noSuchKey': 'No such key',
  'sentence.theUserWasDisabled': 'The user was disabled.',
  'sentence.theKeyIsRevoked': 'The key is revoked',
  'sentence.aKeyOfTheAdminApiNeedsAPermission': 'A key of the admin API needs a permission',
  'sentence.aKeyOfTheStorefrontApiHasNoPermissions':
    'A key of the storefront API has no permissions',
  'sentence.aKeyOfTheStorefrontApiIsForAll': 'A key of the storefront API is for all restaurants',
  'sentence.mustBeInTheFuture': 'must be in the future',
  'sentence.youCannotTakeOverYourOwnApiKeysAnother':
    'You cannot take over your own API keys. Another user can.',
  'sentence.mustDifferFromTheCurrentPassword': 'must differ from the current password',
  'sentence.theProviderThatCustomersSignInWithDoesNot':
    'The provider that customers sign in with does not answer.',
  'sentence.anApiKeyHasNoBrowserSendItsToken':
    'An API key has no browser. Send its token to the export.',
  'sentence.theLinkHasExpiredWasUsedOrItsUser':
    'The link has expired, was used, or its user may no longer download it.',
  'sentence.isEasyToGuessUseSeveralUnrelatedWords': 'is easy to guess: use several unrelated words',
  'sentence.sendTheCodeOfTheAuthenticatorAppOrA':
    'Send the code of the authenticator app, or a recovery code',
  'sentence.eMailPasswordOrCodeIsWrong': 'E-mail, password or code is wrong',
  'sentence.isNotTheCurrentPassword': 'is not the current password',
  'sentence.theSessionHasEndedSignInAgain': 'The session has ended; sign in again',
  'sentence.noSuchRole': 'No such role',
  'sentence.theRoleAdminAlwaysHasEveryPermission': 'The role ADMIN always has every permission',
  'sentence.isNeitherTheCurrentCodeNorARecoveryCode':
    'is neither the current code nor a recovery code',
  'sentence.removeYourOwnSecondFactorWithYourPasswordAnd':
    'Remove your own second factor with your password and a code',
  'sentence.theUserHasNoSecondFactor': 'The user has no second factor',
  'sentence.thereIsAlreadyASecondFactorRemoveItFirst':
    'There is already a second factor. Remove it first',
  'sentence.isNotTheCurrentCode': 'is not the current code',
  'sentence.thereIsNoSecondFactorToConfirm': 'There is no second factor to confirm',
  'sentence.theSignOnWasStartedInAnotherBrowserHas':
    'The sign-on was started in another browser, has expired or was already used. Start again',
  'sentence.theIdentityProviderDidNotSignYouIn': 'The identity provider did not sign you in',
  'sentence.theIdentityProviderDoesNotRespondSignInWith':
    'The identity provider does not respond. Sign in with e-mail and password',
  'sentence.singleSignOnIsNotConfigured': 'Single sign-on is not configured',
  'sentence.mustBeAPageOfAnOriginOfThe': 'must be a page of an origin of the admin UI',
  'sentence.changeYourOwnPasswordWithPostMePasswordWhich':
    'Change your own password with POST /me/password, which needs the current one',
  'sentence.onlyAChangeThatDisablesTheUserDecidesAbout':
    'Only a change that disables the user decides about API keys',
  'sentence.notAnEMailAddress': 'Not an e-mail address',
  'sentence.mustBeAPhoneWithItsCountry7999': 'must be a phone with its country: +7 999 000 11 22',
  'sentence.noSuchUser': 'No such user',
  'sentence.noSuchVariant': 'No such variant.',
  'sentence.onlySnoozeHasAnEnd': 'Only SNOOZE has an end.',
  'sentence.dismissNeedsANote': 'DISMISS needs a note.',
  'sentence.snoozeNeedsAnEnd': 'SNOOZE needs an end.',
  'sentence.nameEitherIncidentidsOrAFilterThatIsNot':
    'Name either `incidentIds` or a `filter` that is not empty.',
  'sentence.nameEitherItemidsOrAFilterThatIsNot':
    'Name either `itemIds` or a `filter` that is not blank.',
  'sentence.noSuchItem': 'No such item.',
  'sentence.noSuchIncident': 'No such incident.',
  'sentence.noSuchSizeOfAnExternalItem': 'No such size of an external item',
  'sentence.aModifierCannotBeAVariant': 'A modifier cannot be a variant',
  'sentence.theExternalSystemNoLongerHasThisItem': 'The external system no longer has this item',
  'sentence.mustBeAMomentAs20261201t1200': 'Must be a moment, as 2026-12-01T12:00:00Z',
  'sentence.mustBeInTheFuture2': 'Must be in the future',
  'sentence.atMostAYearAway': 'At most a year away',
  'sentence.aProductUsesThisItem': 'A product uses this item.',
  'sentence.noSuchBadge': 'No such badge.',
  'sentence.theNameIsEmpty': 'The name is empty.',
  'sentence.moveItsProductsAndCategoriesAwayFirst': 'Move its products and categories away first.',
  'sentence.onlyArchivedProductsAreInItSendArchiveProducts':
    'Only archived products are in it. Send `archive_products=true` to archive the category with them.',
  'sentence.noSuchCategory': 'No such category.',
  'sentence.aCategoryCannotBeNestedInItself': 'A category cannot be nested in itself.',
  'sentence.namedTwice': 'Named twice.',
  'sentence.notInThisCategory': 'Not in this category.',
  'sentence.theCategoryIsArchived': 'The category is archived.',
  'sentence.notAModifierOfThisGroup': 'Not a modifier of this group.',
  'sentence.noSuchModifierGroup': 'No such modifier group.',
  'sentence.noSuchModifier': 'No such modifier.',
  'sentence.nameEitherProductidsOrAFilterThatIsNot':
    'Name either `productIds` or a `filter` that is not blank.',
  'sentence.noSuchProduct': 'No such product.',
  'sentence.severalVariantsNeedAnAxisToChooseBy': 'Several variants need an axis to choose by.',
  'sentence.noSuchVariantAxis': 'No such variant axis.',
  'sentence.theCategoryIsNamedTwice': 'The category is named twice.',
  'sentence.theSizeIsNamedTwice': 'The size is named twice.',
  'sentence.noSuchItemSize': 'No such item size.',
  'sentence.aModifierCannotBeAProduct': 'A modifier cannot be a product.',
  'sentence.theErpNoLongerHasThisItem': 'The ERP no longer has this item.',
  'sentence.anOptionNeedsVariantaxiscode': 'An option needs variantAxisCode.',
  'sentence.nameAnOptionOfTheAxis': 'Name an option of the axis.',
  'sentence.anotherVariantHasThisOption': 'Another variant has this option.',
  'sentence.theAxisHasNoSuchOption': 'The axis has no such option.',
  'sentence.onlyOneVariantIsTheDefault': 'Only one variant is the default.',
  'sentence.aPublishedProductKeepsAMainImage': 'A published product keeps a main image.',
  'sentence.aPublishedProductKeepsACategory': 'A published product keeps a category.',
  'sentence.variantsHaveOptionsOfAnotherAxis': 'Variants have options of another axis.',
  'sentence.giveTheVariantThatIsThereAnOptionFirst':
    'Give the variant that is there an option first: guests choose by options.',
  'sentence.theSizeBelongsToAnotherItem': 'The size belongs to another item.',
  'sentence.aModifierCannotBeAVariant2': 'A modifier cannot be a variant.',
  'sentence.theProductHasAVariantOfThisSizeAlready2':
    'The product has a variant of this size already.',
  'sentence.severalVariantsNeedAnOptionEach': 'Several variants need an option each.',
  'sentence.noSuchOption': 'No such option.',
  'sentence.theAxisOfTheProductHasNoSuchOption': 'The axis of the product has no such option.',
  'sentence.notAVariantOfThisProduct': 'Not a variant of this product.',
  'sentence.sendThePlanOfAPlan': 'Send the `plan` of a PLAN.',
  'sentence.theSheetOrTheProductsHaveChangedSinceThe':
    'The sheet or the products have changed since the plan. Make a new plan.',
  'sentence.theRowNamesNoProduct': 'The row names no product.',
  'sentence.theTextHasAZeroCharacter': 'The text has a zero character.',
  'sentence.theItemIsGivenAsAGiftNoProduct': 'The item is given as a gift. No product can sell it.',
  'sentence.theItemIsTheDeliveryFeeNoProductCan':
    'The item is the delivery fee. No product can sell it.',
  'sentence.noSuchAxis': 'No such axis.',
  'sentence.noSuchOptionOfThisAxis': 'No such option of this axis.',
  'sentence.makeAnotherVariantTheDefaultOneInstead':
    'Make another variant the default one instead.',
  'sentence.aPublishedProductKeepsALiveVariantUnpublishIt':
    'A published product keeps a live variant: unpublish it first, or add another one.',
  'sentence.anotherOptionHasThisCode': 'Another option has this code.',
  'sentence.theProductIsArchived': 'The product is archived.',
  'sentence.noSuchConnection': 'No such connection',
  'sentence.theNameMustNotRepeatTheCredential': 'The name must not repeat the credential',
  'sentence.noSuchLegalEntity': 'No such legal entity',
  'sentence.noSuchFranchisee': 'No such franchisee',
  'sentence.theNameOfTheConnectionRepeatsThisCredential':
    'The name of the connection repeats this credential',
  'sentence.twoSecretsAreValidDeleteTheOneThatIs':
    'Two secrets are valid. Delete the one that is no longer used.',
  'sentence.thereIsNoSuchAddress': 'There is no such address.',
  'sentence.nameAnAddressOrCoordinates': 'Name an address or coordinates',
  'sentence.nameAnAddressOrCoordinatesNotBoth': 'Name an address or coordinates, not both',
  'sentence.aLatitudeIsBetween90And90Degrees': 'A latitude is between -90 and 90 degrees',
  'sentence.mustNotBeEmpty': 'Must not be empty',
  'sentence.noSuchOrganization': 'No such organization.',
  'sentence.anOrganizationIsNotCopiedToItself': 'An organization is not copied to itself.',
  'sentence.noSuchExpectationRule': 'No such expectation rule.',
  'sentence.noSuchNotice': 'No such notice.',
  'sentence.noSuchTimeZone': 'No such time zone.',
  'sentence.noSuchException': 'No such exception.',
  'sentence.isNamedTwice': 'is named twice',
  'sentence.mustBeHhMmOrAMomentWithIts': 'Must be `HH:MM` or a moment with its offset.',
  'sentence.aStopOfIntakeNeedsAStart': 'A stop of intake needs a start.',
  'sentence.intakeMustContinueAfterItHasStopped': 'Intake must continue after it has stopped.',
  'sentence.itNeedsADate': 'It needs a date.',
  'sentence.itMustEndAfterItBegins': 'It must end after it begins.',
  'sentence.aRuleForAllOrdersHasNoCategory': 'A rule for all orders has no category.',
  'sentence.aWindowIsOpenFor24HoursAtMost':
    'A window is open for 24 hours at most: it must close before it opens again.',
  'sentence.theWindowClosesBeforeItOpensDoesItCross':
    'The window closes before it opens. Does it cross midnight?',
  'sentence.aClosedDayHasNoWindows': 'A closed day has no windows.',
  'sentence.specialHoursNeedAtLeastOneWindow': 'Special hours need at least one window.',
  'sentence.noSuchDeliveryZone': 'No such delivery zone',
  'sentence.mustHaveAtMostTwoDecimals': 'must have at most two decimals',
  'sentence.theOverrideMustEndAfterItBegins': 'The override must end after it begins',
  'sentence.mustBeAfterFrom': 'Must be after `from`',
  'sentence.theEndpointIsDisabled': 'The endpoint is disabled.',
  'sentence.mustBeAnHttpsUrl': 'Must be an https URL',
  'sentence.mustHaveNoUserNamePasswordOrFragment': 'Must have no user name, password or fragment',
  'sentence.mustBeAPublicAddress': 'Must be a public address',
  'sentence.thereIsNoSuchCandidate': 'There is no such candidate.',
  'sentence.anActiveOrderOfTheClientHasAGift':
    'An active order of the client has a gift. Forget the client after the order has ended.',
  'sentence.noSuchReward': 'No such reward.',
  'sentence.noSuchDishInTheMenusOfTheErp': 'No such dish in the menus of the ERP.',
  'sentence.theItemHasNoSuchSize': 'The item has no such size.',
  'sentence.theItemIsTheDeliveryFee': 'The item is the delivery fee.',
  'sentence.thereIsNoSuchRightToAGift': 'There is no such right to a gift.',
  'sentence.mustBeTheIdOfAClientOrA': 'must be the id of a client or a phone with its country',
  'sentence.thereIsNoSuchActiveReward': 'There is no such active reward.',
  'sentence.theGiftCannotBeGivenAnywhereNow': 'The gift cannot be given anywhere now.',
  'sentence.nameEitherClientidOrClientphone': 'Name either `clientId` or `clientPhone`.',
  'sentence.thereIsNoSuchClient': 'There is no such client.',
  'sentence.theGiftBelongsToAnotherAccountOfTheErp':
    'The gift belongs to another account of the ERP than the client.',
  'sentence.usersCannotGrantGiftsToTheirOwnPhone': 'Users cannot grant gifts to their own phone.',
  'sentence.thereAreSeveralAccountsOfTheErpNameThe':
    'There are several accounts of the ERP. Name the one in which the client orders.',
  'sentence.theGiftBelongsToAnOrganizationOfAnotherAccount':
    'The gift belongs to an organization of another account.',
  'sentence.thereIsNoSuchActiveConnection': 'There is no such active connection.',
  'sentence.theFileIsNotAJpegPngOrWebp': 'The file is not a jpeg, png or webp image.',
  'sentence.noRevisionIsPinned': 'No revision is pinned.',
  'sentence.mustBeWithinAYear': 'must be within a year',
  'sentence.nothingIsPublishedForThisRestaurant': 'Nothing is published for this restaurant.',
  'sentence.theMenuIsBeingBuilt': 'The menu is being built.',
  'sentence.theMenuIsLargerThan1MbAndWas':
    'The menu is larger than 1 MB and was not published. Staff have been notified.',
  'sentence.noActiveOrganizationHasThisId': 'No active organization has this id.',
  'sentence.theMenuCouldNotBeBuilt': 'The menu could not be built.',
  'sentence.noSuchExternalMenu': 'No such external menu',
  'sentence.notOfThisConnection': 'Not of this connection',
  'sentence.noSuchPause': 'No such pause',
  'sentence.onlyMenuIsImportedByMenu': 'Only MENU is imported by menu',
  'sentence.noSuchExternalMenuOfThisConnection': 'No such external menu of this connection',
  'sentence.noSuchRun': 'No such run',
  'sentence.theRunWasNeitherRejectedBecauseOfAShrink':
    'The run was neither rejected because of a shrink nor held back',
  'sentence.aLaterFullImportHasSucceededThereIsNothing':
    'A later full import has succeeded: there is nothing to accept',
  'sentence.theRunIsWritingItsDataAndEndsBy':
    'The run is writing its data and ends by itself within two minutes.',
  'sentence.theScopeNamesAnotherConnection': 'The scope names another connection',
  'sentence.severalConnectionsHaveThisExternalMenuNameOne':
    'Several connections have this external menu: name one',
  'sentence.theMenuIsNotImportedForThisRestaurant': 'The menu is not imported for this restaurant',
  'sentence.theScopeOfThisJobIsTheIdOf': 'The scope of this job is the id of a connection',
  'sentence.onlyMenuCanBeImportedIncrementallyOrPlanned':
    'Only MENU can be imported incrementally or planned',
  'sentence.onlyAPlanCanBeLimitedToARestaurant': 'Only a plan can be limited to a restaurant',
  'sentence.noSuchNotification': 'No such notification',
  'sentence.theNotificationIsResolvedWhenItsCauseEnds':
    'The notification is resolved when its cause ends.',
  'sentence.tooManyRequestsChangeTheSameThingAtOnce':
    'Too many requests change the same thing at once. Nothing was changed; repeat the request.',
  'sentence.theDayHasNotBeenComparedYet': 'The day has not been compared yet.',
  'sentence.theDifferenceOfTheDayHasChangedOrDisappeared':
    'The difference of the day has changed or disappeared. Read the day again.',
  'sentence.thereIsNoSuchDay': 'There is no such day.',
  'sentence.theLastDayIsBeforeTheFirstOne': 'The last day is before the first one.',
  'sentence.ordersAreNotAcceptedAtTheMomentBecauseThe':
    'Orders are not accepted at the moment, because the service is being restored. The cart stays as it is.',
  'sentence.theOrderWasNotMadeHereOnlyTheRestaurant':
    'The order was not made here: only the restaurant can change it.',
  'sentence.noSuchCompositionRule': 'No such composition rule.',
  'sentence.noSuchDiscount': 'No such discount.',
  'sentence.aDiscountTakesOffAPercentageOrAnAmount':
    'A discount takes off a percentage or an amount.',
  'sentence.aDiscountTakesOffAPercentageOrAnAmount2':
    'A discount takes off a percentage or an amount, not both.',
  'sentence.noSuchPromoCode': 'No such promo code.',
  'sentence.thisDiscountNeedsNoPromoCode': 'This discount needs no promo code.',
  'sentence.nameEitherErpitemidOrVariantid': 'Name either `erpItemId` or `variantId`.',
  'sentence.theRoleIsNamedTwice': 'The role is named twice.',
  'sentence.theItemHasARoleAlready': 'The item has a role already.',
  'sentence.theDiscountEndsBeforeItBegins': 'The discount ends before it begins.',
  'sentence.theHoursEndWhenTheyBegin': 'The hours end when they begin.',
  'sentence.aDayIsNamedTwice': 'A day is named twice.',
  'sentence.neitherOrdersNorGiftsNameThisGuest': 'Neither orders nor gifts name this guest.',
  'sentence.noOrderOfThisAccountNamesThePhone': 'No order of this account names the phone.',
  'sentence.decisionsAboutOrdersAreDeletedAfter90Days':
    'Decisions about orders are deleted after 90 days.',
  'sentence.theOrderIsActiveAndTheRestaurantNeedsThe':
    'The order is active, and the restaurant needs the name of the guest. Erase it after it has ended.',
  'sentence.theOrderIsActiveAndResolvesItsGiftsItself':
    'The order is active, and resolves its gifts itself.',
  'sentence.theOrderHasNoUnresolvedGifts': 'The order has no unresolved gifts.',
  'sentence.noSuchSetting': 'No such setting.',
  'sentence.mustBeAWholeNumber': 'must be a whole number',
  'sentence.mustBeANumberOfRubles': 'must be a number of rubles',
  'sentence.mustBeAtLeast0': 'must be at least 0',
  'sentence.mustBeAListOfPhrases': 'must be a list of phrases',
  'sentence.mustBeAPhrase': 'must be a phrase',
  'sentence.mustBeAText': 'must be a text',
  'sentence.mustBeAUrlOfHttpOrHttps': 'must be a URL of HTTP or HTTPS',
  'sentence.mustHaveAtLeastThreeLettersOrDigits': 'must have at least three letters or digits',
  'sentence.isInTheListAlready': 'is in the list already',
  'sentence.mustBeAnObject': 'must be an object',
  'sentence.mustBeNamedByTheNumberOfAConnection': 'must be named by the number of a connection',
  'sentence.noSuchOrganizationIsServed': 'No such organization is served.',
  'sentence.thisServerRunsLimitExportsAtOnce': 'This server runs {limit} exports at once.',
  'sentence.thisOperationReadsType': 'This operation reads {type}',
  'sentence.thisOperationReadsAtMostLimitBytes': 'This operation reads at most {limit} bytes.',
  'sentence.mustContainAtMostLimitValues': 'must contain at most {limit} values',
  'sentence.aPageBeginsAfterAtMostLimitItemsFilter':
    'A page begins after at most {limit} items: filter the list',
  'sentence.thePermissionPermissionIsMissing': 'The permission {permission} is missing',
  'sentence.thisRequiresPermissionsThatYouDoNotHavePermissions':
    'This requires permissions that you do not have: {permissions}',
  'sentence.theFilterMatchesMoreThanLimitIncidents':
    'The filter matches more than {limit} incidents.',
  'sentence.theFilterMatchesMoreThanLimitDishes': 'The filter matches more than {limit} dishes.',
  'sentence.theFilterMatchesMoreThanLimitProducts':
    'The filter matches more than {limit} products.',
  'sentence.categoriesNestAtMostLimitLevels': 'Categories nest at most {limit} levels.',
  'sentence.theProductIsStatus': 'The product is {status}.',
  'sentence.actionNeedsIt': '{action} needs it.',
  'sentence.meansNothingToAction': 'Means nothing to {action}.',
  'sentence.theThingIsNamedTwice': 'The {thing} is named twice.',
  'sentence.variantIdIsMissingNameAllOfThem': 'Variant {id} is missing: name all of them.',
  'sentence.theSheetChangesCountProductsOneImportChangesAt':
    'The sheet changes {count} products. One import changes at most {limit}.',
  'sentence.productsIdsHaveThisArticleNumberUseTheId':
    'Products {ids} have this article number. Use the id.',
  'sentence.rowRowHasTheSameProduct': 'Row {row} has the same product.',
  'sentence.atMostLimitCharacters': 'At most {limit} characters.',
  'sentence.atMostLimitCharacters2': 'At most {limit} characters',
  'sentence.mustNotContainControlOrInvisibleCharacters':
    'Must not contain control or invisible characters',
  'sentence.itemIsBoundToProduct': '"{item}" is bound to "{product}".',
  'sentence.theNextTextIsMomentMoreThan12Hours':
    'The next {text} is {moment}, more than 12 hours ahead. Send that moment instead.',
  'sentence.mustBeInTheFutureButMomentHasPassed': 'Must be in the future, but {moment} has passed.',
  'sentence.mustBeWithin24HoursButMomentIsLater': 'Must be within 24 hours, but {moment} is later.',
  'sentence.theWindowOverlapsWithField': 'The window overlaps with {field}.',
  'sentence.theRangeHasMoreThanLimitEvents': 'The range has more than {limit} events.',
  'sentence.thereAreLimitEndpointsDeleteOneFirst': 'There are {limit} endpoints. Delete one first.',
  'sentence.theProductProductSellsTheItem': 'The product "{product}" sells the item.',
  'sentence.theRightIsStatus': 'The right is {status}.',
  'sentence.theMediaIsShownInCountPlace': 'The media is shown in {count} place.',
  'sentence.theMediaIsShownInCountPlaces': 'The media is shown in {count} places.',
  'sentence.theImageHasMoreThanLimitMillionPixels':
    'The image has more than {limit} million pixels.',
  'sentence.revisionRevisionIsPinnedAlready': 'Revision {revision} is pinned already.',
  'sentence.revisionRevisionOfThisRestaurantIsNotKept':
    'Revision {revision} of this restaurant is not kept.',
  'sentence.notOfThisConnectionIds': 'Not of this connection: {ids}',
  'sentence.jobIsNotPaused': '{job} is not paused.',
  'sentence.theRunHasRemovedNothingOfIds': 'The run has removed nothing of {ids}',
  'sentence.theRunHasEndedAsStatus': 'The run has ended as {status}.',
  'sentence.thePeriodHasMoreThanLimitDays': 'The period has more than {limit} days.',
  'sentence.aUserExportsAtMostLimitPersonsInAn':
    'A user exports at most {limit} persons in an hour.',
  'sentence.mustBeOneOfValues': 'must be one of {values}',
  'sentence.mustBeAListOfValues': 'must be a list of {values}',
  'sentence.mustBeAtMostLimitPhrases': 'must be at most {limit} phrases',
  'sentence.mustBeAFormat': 'must be a {format}',
  'sentence.mustHaveAtLeastLimitCharacters': 'must have at least {limit} characters',
  'sentence.mustHaveAtMostLimitCharacters': 'must have at most {limit} characters',
  'sentence.mustBeAtLeastLimit': 'must be at least {limit}',
  'sentence.mustBeMoreThanLimit': 'must be more than {limit}',
  'sentence.mustBeAtMostLimit': 'must be at most {limit}',
  'sentence.mustBeLessThanLimit': 'must be less than {limit}',
  'sentence.mustHaveAtLeastLimitElements': 'must have at least {limit} elements',
  'sentence.mustHaveAtMostLimitElements': 'must have at most {limit} elements',
  'sentence.mustNameAtLeastOneField': 'must name at least one field',
  'sentence.mustNotBeEmpty2': 'must not be empty',
  'sentence.doesNotHaveTheExpectedForm': 'does not have the expected form',
  'sentence.mustNotContainTheCharacterU0000': 'must not contain the character U+0000',
  'sentence.mustNotContainHalfOfASurrogatePair': 'must not contain half of a surrogate pair',
  'sentence.mustBeExpected': 'must be {expected}',
  'sentence.noSuchBadge2': 'No such badge',
  'sentence.anotherLineHasThisId': 'Another line has this id.',
  'sentence.theVariantHasNoSuchModifierGroup': 'The variant has no such modifier group.',
  'sentence.theGroupHasNoSuchModifier': 'The group has no such modifier.',
  'sentence.tooManyPromocodesWereTried': 'Too many promocodes were tried.',
  'sentence.theRestaurantNeedsANameToCall': 'The restaurant needs a name to call.',
  'sentence.theRestaurantNeedsAPhoneToCall': 'The restaurant needs a phone to call.',
  'sentence.theCustomerHasACartSendItsCartidAnd':
    'The customer has a cart. Send its `cartId` and `version`.',
  'sentence.replaceNamesTheOtherGiftNothingElseDoes':
    'REPLACE names the other gift; nothing else does.',
  'sentence.anExistingCartNeedsTheVersionThatWasSeen':
    'An existing cart needs the version that was seen.',
  'sentence.theMenuHasNoSuchProduct': 'The menu has no such product.',
  'sentence.theCategoryThatTheKitchenIsBusyWith': 'The category that the kitchen is busy with.',
  'sentence.sendAValidAccessTokenOfACustomerAuthorization':
    'Send a valid access token of a customer: Authorization: Bearer …',
  'sentence.theIncidentIsClosedResolution': 'The incident is closed: {resolution}.',
  'sentence.anotherUserHasSetThisPasswordChangeItFirst':
    'Another user has set this password. Change it first: POST /me/password',
  'sentence.setUpASecondFactorFirstPostMeSecond':
    'Set up a second factor first: POST /me/second-factor',
  'sentence.tooManySignInAttempts': 'Too many sign-in attempts',
  'sentence.tooManyWrongCodes': 'Too many wrong codes',
  'sentence.tooManyWrongPasswords': 'Too many wrong passwords',
  'sentence.aQuoteIsNotClosedOrMisplaced': 'A quote is not closed or misplaced.',
  'sentence.aCellHasMoreThanLimitCharacters': 'A cell has more than {limit} characters.',
  'sentence.atMostLimitColumns': 'At most {limit} columns.',
  'sentence.theFileIsNotUtf8SaveItAs': 'The file is not UTF-8. Save it as “CSV UTF-8”.',
  'sentence.atMostLimitRows': 'At most {limit} rows.',
  'sentence.cellNumberOfTheRowHasNoColumn': 'Cell {number} of the row has no column.',
  'sentence.theSheetHasNoColumnIdOrSku': 'The sheet has no column id or sku.',
  'sentence.theSheetHasAnUnknownColumn': 'The sheet has an unknown column.',
  'sentence.theSheetHasThisColumnTwice': 'The sheet has this column twice.',
  'sentence.theResponseOfTheIdentityProviderIsInvalid':
    'The response of the identity provider is invalid',
  'sentence.theIdentityProviderHasNotVerifiedYourEMail':
    'The identity provider has not verified your e-mail',
  'sentence.noUserHasYourEMailAskAnAdministrator':
    'No user has your e-mail. Ask an administrator for access',
  'sentence.yourAccessWasDisabledAskAnAdministrator':
    'Your access was disabled. Ask an administrator',
  'sentence.theUserWithYourEMailBelongsToAnother':
    'The user with your e-mail belongs to another account of the identity provider',
  'sentence.onlyAnOrderThatHasFailedIsSentAgain': 'Only an order that has failed is sent again.',
  'sentence.theOrderEndedWithoutAClearAnswerOfThe':
    'The order ended without a clear answer of the ERP, so the restaurant may have it. Call it.',
  'sentence.theERPHasTheOrderAskTheRestaurantWhether':
    'The ERP has the order. Ask the restaurant whether it prepares it.',
  'sentence.theERPKeepsTheRejectedOrderUnderItsId':
    'The ERP keeps the rejected order under its id and accepts no second one with it. Let the guest order again.',
  'sentence.aCallWithoutAnAnswerWasMadeAMoment':
    'A call without an answer was made a moment ago, so the ERP may still create the order. Wait two minutes.',
  'sentence.aCallHasNoAnswerAndTheERPDoes':
    'A call has no answer, and the ERP does not say now whether it has the order. Try again later.',
  'sentence.theDataOfTheGuestWasErasedSoThe':
    'The data of the guest was erased, so the restaurant could not deliver the order.',
  'sentence.theTimeOfTheOrderHasPassedOrIts':
    'The time of the order has passed or its slot is no longer offered. Let the guest order again.',
  'sentence.theRestaurantDoesNotAcceptSuchOrdersAtThe':
    'The restaurant does not accept such orders at the moment.',
  'sentence.theRestaurantOrItsConnectionIsDisabled':
    'The restaurant or its connection is disabled.',
  'sentence.aDiscountOfTheOrderWasUsedUpMeanwhile':
    'A discount of the order was used up meanwhile, so its total no longer holds.',
  'sentence.nameEitherCodesOrACount': 'Name either `codes` or a `count`.',
  'sentence.prefixAndLengthAreForRandomCodes': '`prefix` and `length` are for random codes.',
  'sentence.tooFewCodesOfThisLengthAreFreeChoose':
    'Too few codes of this length are free. Choose a greater length.',
  'sentence.theRunWasRejectedForDishesOfThe':
    'The run was rejected for dishes of the whole menu. Accept it for all restaurants.',
  'sentence.theSecretOfTheWebhookIsMissingOrWrongSend':
    'The secret of the webhook is missing or wrong. Send it in the header `Authorization`, or in the query parameter `token`.',
  'sentence.mustBeExpectedOrAUuid': 'must be {expected} or a uuid',
  'sentence.theErpListsNoSuchId': 'The ERP lists no such id.',
  'sentence.ordersAreTakenForDeliveryAndPickup': 'Orders are taken for DELIVERY and PICKUP.',
  'sentence.aStopOfIntakeHasAStartAndAnEnd': 'A stop of intake has a start and an end.',
  'sentence.aStopOfIntakeHasNoWindows': 'A stop of intake has no windows.',
  'sentence.unknownNameNameKnownNames': 'Unknown name "{name}". Known: {names}.',
  'sentence.theSignalSignalCannotRequestAChangeUseDismissed':
    'The signal {signal} cannot request a change. Use dismissed or snoozed, or an update.',
  'sentence.categoryIdSentence': 'Category {id}: {sentence}',
  'sentence.theImageIsDamaged': 'The image is damaged.',
  'sentence.connectionConnectionHasNoRunRun': 'Connection {connection} has no run {run}.',
  'sentence.theRunHasEndedAsStatusReason': 'The run has ended as {status} ({reason}).',
  'sentence.noExecutionWithTheIdIdTakesUpdates': 'No execution with the id {id} takes updates.',
  'sentence.jobIsPausedReason': '{job} is paused: {reason}',
  'word.or': 'or',
  'word.integer': 'integer',
  'word.number': 'number',
  'word.string': 'string',
  'word.boolean': 'boolean',
  'word.array': 'array',
  'word.object': 'object',
  'word.null': 'null',
  'word.media': 'media',
  'word.badge': 'badge',
  'word.organization': 'organization',
  'word.variant': 'variant',
  'word.no reason': 'no reason',
} as const satisfies Readonly<Record<string, string>>;
