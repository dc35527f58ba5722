/** An operation: `METHOD /path` below the prefix of its API, and its query parameters. */
export type Operation = { name: string; query: readonly string[]; isList: boolean };

/**
 * Every operation of the contract (HTTP-9), never derived from the code. `*` marks a paged list
 * (HTTP-2); query parameters follow.
 */
const PUBLIC = `
GET /menu organization_id
GET /menu/revision organization_id
GET /availability organization_id
GET /organizations *
GET /organizations/{id}/status
GET /delivery/slots organization_id type cart_id address_id
GET /context organization_id
GET /structured-data organization_id product
GET /categories organization_id
GET /products * organization_id category_id facet
GET /facets organization_id category_id
GET /products/{slug} organization_id
GET /search * q organization_id facet
GET /cart cart_id
POST /cart
POST /delivery/resolve
GET /addresses/suggest q organization_id limit
GET /addresses *
POST /addresses
DELETE /addresses/{id}
POST /checkout/preflight
POST /orders
GET /orders *
GET /orders/{id}
POST /orders/{id}/repeat
POST /orders/{id}/cancel
`;

const ADMIN = `
POST /auth/login
POST /auth/refresh
POST /auth/logout
GET /me

GET /categories * tree
GET /categories/{id}
POST /categories
PATCH /categories/{id}
DELETE /categories/{id}
PUT /categories/tree
PUT /categories/{id}/products/order

GET /products * q category_id status has_image has_variants badge_id organization_id erp_issue sort
GET /products/{id}
POST /products
PATCH /products/{id}
POST /products/{id}/publish
POST /products/{id}/unpublish
POST /products/{id}/archive
POST /products/bulk

GET /orders * organization_id status customer_id
GET /orders/{id}
GET /orders/{id}/decision
POST /orders/{id}/cancel
POST /orders/{id}/erase
POST /orders/{id}/send-again
POST /orders/{id}/settle-gifts

GET /products/{id}/variants *
POST /products/{id}/variants
PATCH /variants/{id}
DELETE /variants/{id}
PUT /products/{id}/variants/order
POST /variants/{id}/rebind
GET /variants/{id}/rebind-candidates *

GET /binding-incidents * status severity product_id
GET /binding-incidents/{id}
POST /binding-incidents/{id}/dismiss
POST /binding-incidents/{id}/snooze

GET /erp/items * q bound type product_category_id menu_category_id triage
GET /erp/items/{item_id}
GET /erp/items/{item_id}/variant-suggestions
POST /erp/items/{item_id}/triage
POST /erp/items/create-product

GET /modifier-groups * q
PATCH /modifier-groups/{group_key}
GET /modifiers * q group_key
PATCH /modifiers/{erp_item_id}
PUT /modifier-groups/{group_key}/order

POST /media
GET /media * folder q
GET /media/{id}/usages *
DELETE /media/{id}
PATCH /media/{id}

GET /organizations *
GET /terminals * organization_id
GET /stop-lists * organization_id terminal_id
GET /external-menus *
PATCH /external-menus/{id}
GET /discounts *
POST /discounts
GET /discounts/{id}
PATCH /discounts/{id}
DELETE /discounts/{id}
GET /promocodes *
POST /promocodes
POST /promocodes/bulk
GET /promocodes/{id}
PATCH /promocodes/{id}
DELETE /promocodes/{id}
GET /composition-rules *
POST /composition-rules
GET /composition-rules/{id}
PATCH /composition-rules/{id}
DELETE /composition-rules/{id}
GET /service-roles *
PUT /service-roles

GET /rewards *
POST /rewards
GET /rewards/{id}
PATCH /rewards/{id}
POST /rewards/{id}/check
GET /compensations *
POST /compensations
GET /compensations/{id}
GET /compensations/{id}/explain
POST /compensations/{id}/cancel
POST /compensations/{id}/rebind
GET /compensations/reconciliation * from to organization_id
GET /compensations/reconciliation.csv from to organization_id
POST /compensations/reconciliation/accept
POST /clients/forget
GET /compensation-candidates * status connection_id
POST /compensation-candidates/{id}/confirm
POST /compensation-candidates/{id}/dismiss
GET /compensation-conflicts *
POST /compensation-conflicts/{id}/resolve
GET /compensations/unauthorized * status organization_id
POST /compensations/unauthorized/{id}/settle

GET /price-categories *
GET /variant-axes *
POST /variant-axes
PATCH /variant-axes/{id}
PATCH /variant-axes/{id}/options/{option_id}
GET /badges *
POST /badges
PATCH /badges/{id}
DELETE /badges/{id}

GET /organizations/{id}/ordering
PATCH /organizations/{id}/ordering
GET /organizations/{id}/schedule
PUT /organizations/{id}/schedule
GET /organizations/{id}/schedule-exceptions *
POST /organizations/{id}/schedule-exceptions
PATCH /schedule-exceptions/{id}
DELETE /schedule-exceptions/{id}
GET /organizations/{id}/status at
GET /organizations/{id}/slots at type
POST /organizations/{id}/copy-ordering
GET /expectation-rules *
POST /expectation-rules
GET /expectation-rules/{id}
PATCH /expectation-rules/{id}
DELETE /expectation-rules/{id}
GET /notices *
POST /notices
GET /notices/{id}
PATCH /notices/{id}
DELETE /notices/{id}
GET /payment-methods *
GET /payment-methods/{code}
PATCH /payment-methods/{code}
GET /delivery-zones *
GET /delivery-zones/{id}
PATCH /delivery-zones/{id}
GET /zone-overrides *
POST /zone-overrides
GET /zone-overrides/{id}
PATCH /zone-overrides/{id}
DELETE /zone-overrides/{id}
POST /delivery/explain

GET /sync/runs * job status
GET /sync/runs/{id}
POST /sync/run
GET /sync/status

GET /audit * entity_type entity_id user_id from to
GET /users *
POST /users
PATCH /users/{id}
DELETE /users/{id}
GET /roles *
POST /roles
PATCH /roles/{id}
`;

function operations(text: string): Operation[] {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    const [method = '', path = '', ...rest] = line.split(' ');
    const isList = rest[0] === '*';
    const named = isList ? rest.slice(1) : rest;
    return {
      name: `${method} ${path}`,
      isList,
      query: isList ? [...named, 'page', 'size'] : named,
    };
  });
}

export const REQUIRED: Readonly<Record<'public' | 'admin' | 'webhooks', readonly Operation[]>> = {
  public: operations(PUBLIC),
  admin: operations(ADMIN),
  webhooks: [],
};
