export type Step = {
  operation: string;
  /** Path below the API's prefix, if the operation has parameters. */
  path?: (ids: Ids) => string;
  body?: (ids: Ids) => unknown;
  audit: string;
  /** Expected states in the audit entry. */
  has?: 'before' | 'after' | 'both' | 'none';
  /** Name for the id of the answer. */
  keep?: string;
};
export type Ids = Record<string, number | string>;

const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();

/** Steps that make every change as one administrator. */
export const STEPS: readonly Step[] = [
  {
    operation: 'POST /auth/login',
    body: ({ email, password }) => ({ email, password }),
    audit: 'user sign-in',
    has: 'after',
  },
  {
    operation: 'POST /me/password',
    body: ({ password }) => ({ currentPassword: password, newPassword: 'another horse battery' }),
    audit: 'user change-password',
    has: 'none',
  },
  {
    operation: 'POST /users',
    body: () => ({
      email: 'walk@carte.test',
      fullName: 'Walk',
      roles: ['VIEWER'],
      password: 'a long password',
    }),
    audit: 'user create',
    has: 'after',
    keep: 'user',
  },
  {
    operation: 'PATCH /users/{id}',
    path: ({ user }) => `/users/${user}`,
    body: () => ({ version: 1, email: 'walk2@carte.test', password: 'another long password' }),
    audit: 'user update',
    has: 'both',
  },
  {
    operation: 'DELETE /users/{id}',
    path: ({ user }) => `/users/${user}`,
    audit: 'user delete',
    has: 'before',
  },
  {
    operation: 'POST /roles',
    body: () => ({ code: 'WALKER', name: 'Walker', permissions: ['catalog.read'] }),
    audit: 'role create',
    has: 'after',
    keep: 'role',
  },
  {
    operation: 'PATCH /roles/{id}',
    path: ({ role }) => `/roles/${role}`,
    body: () => ({ version: 1, permissions: [] }),
    audit: 'role update',
    has: 'both',
  },

  {
    operation: 'POST /api-keys',
    body: () => ({ name: 'Walker', use: 'ADMIN', permissions: ['catalog.read'] }),
    audit: 'api-key create',
    has: 'after',
    keep: 'apiKey',
  },
  {
    operation: 'PATCH /api-keys/{id}',
    path: ({ apiKey }) => `/api-keys/${apiKey}`,
    body: () => ({ version: 1, name: 'Runner' }),
    audit: 'api-key update',
    has: 'both',
  },
  {
    operation: 'POST /api-keys/{id}/rotate',
    path: ({ apiKey }) => `/api-keys/${apiKey}/rotate`,
    body: () => ({ overlapHours: 1 }),
    audit: 'api-key rotate',
    has: 'after',
  },
  {
    operation: 'DELETE /api-keys/{id}',
    path: ({ apiKey }) => `/api-keys/${apiKey}`,
    audit: 'api-key revoke',
    has: 'before',
  },
  {
    operation: 'POST /franchisees',
    body: () => ({ name: 'New' }),
    audit: 'franchisee create',
    has: 'after',
    keep: 'franchisee',
  },
  {
    operation: 'PATCH /franchisees/{id}',
    path: ({ franchisee }) => `/franchisees/${franchisee}`,
    body: () => ({ version: 1, name: 'Newer' }),
    audit: 'franchisee update',
    has: 'both',
  },
  ...switches('franchisees', 'franchisee', ['deactivate', 'activate']),
  {
    operation: 'POST /legal-entities',
    body: ({ franchisee }) => ({ franchiseeId: franchisee, name: 'New' }),
    audit: 'legal-entity create',
    has: 'after',
    keep: 'entity',
  },
  {
    operation: 'PATCH /legal-entities/{id}',
    path: ({ entity }) => `/legal-entities/${entity}`,
    body: () => ({ version: 1, name: 'Newer' }),
    audit: 'legal-entity update',
    has: 'both',
  },
  ...switches('legal-entities', 'entity', ['deactivate', 'activate'], 'legal-entity'),
  {
    operation: 'POST /connections',
    body: ({ entity }) => ({ legalEntityId: entity, name: 'New', apiLogin: 'canary-api-login' }),
    audit: 'connection create',
    has: 'after',
    keep: 'connection',
  },
  {
    operation: 'PATCH /connections/{id}',
    path: ({ connection }) => `/connections/${connection}`,
    body: () => ({ version: 1, name: 'Newer' }),
    audit: 'connection update',
    has: 'both',
  },
  {
    operation: 'PUT /connections/{id}/api-login',
    path: ({ connection }) => `/connections/${connection}/api-login`,
    body: () => ({ apiLogin: 'canary-api-login-2' }),
    audit: 'connection replace-api-login',
  },
  ...switches('connections', 'connection', ['disable', 'enable']),
  {
    operation: 'PATCH /external-menus/{id}',
    path: ({ menuId }) => `/external-menus/${menuId}`,
    body: () => ({ version: 1, priority: 7 }),
    audit: 'external-menu update',
    has: 'both',
  },
  {
    operation: 'PATCH /delivery-zones/{id}',
    path: ({ zone }) => `/delivery-zones/${zone}`,
    body: () => ({ version: 0, priority: 7 }),
    audit: 'delivery-zone update',
    has: 'both',
  },
  {
    operation: 'POST /zone-overrides',
    body: ({ zone }) => ({ zoneId: zone, minOrderSum: 500 }),
    audit: 'zone-override create',
    has: 'after',
    keep: 'override',
  },
  {
    operation: 'PATCH /zone-overrides/{id}',
    path: ({ override }) => `/zone-overrides/${override}`,
    body: () => ({ version: 1, minOrderSum: 600 }),
    audit: 'zone-override update',
    has: 'both',
  },
  {
    operation: 'DELETE /zone-overrides/{id}',
    path: ({ override }) => `/zone-overrides/${override}`,
    audit: 'zone-override delete',
    has: 'before',
  },
  {
    operation: 'POST /sync/pauses',
    body: ({ connection }) => ({
      connectionId: connection,
      job: 'TERMINALS',
      reason: 'Work',
      until: tomorrow(),
    }),
    audit: 'import-pause create',
    has: 'after',
    keep: 'pause',
  },
  {
    operation: 'DELETE /sync/pauses/{id}',
    path: ({ pause }) => `/sync/pauses/${pause}`,
    audit: 'import-pause end',
    has: 'none',
  },

  {
    operation: 'POST /categories',
    body: () => ({ name: 'New' }),
    audit: 'category create',
    has: 'after',
    keep: 'category',
  },
  {
    operation: 'PATCH /categories/{id}',
    path: ({ category }) => `/categories/${category}`,
    body: () => ({ version: 1, name: 'Newer' }),
    audit: 'category update',
    has: 'both',
  },
  {
    operation: 'PUT /categories/tree',
    body: ({ treeVersion, categoryId, category }) => ({
      version: treeVersion,
      nodes: [
        { id: categoryId, parentId: null, position: 0 },
        { id: category, parentId: categoryId, position: 1 },
      ],
    }),
    audit: 'category-tree update',
    has: 'both',
  },
  {
    operation: 'PUT /categories/{id}/products/order',
    path: ({ categoryId }) => `/categories/${categoryId}/products/order`,
    body: ({ secondId, productId, draftId }) => ({ productIds: [secondId, draftId, productId] }),
    audit: 'category order-products',
    has: 'both',
  },
  {
    operation: 'DELETE /categories/{id}',
    path: ({ category }) => `/categories/${category}`,
    audit: 'category archive',
    has: 'before',
  },
  {
    operation: 'POST /categories/{id}/restore',
    path: ({ category }) => `/categories/${category}/restore`,
    audit: 'category restore',
    has: 'after',
  },
  {
    operation: 'POST /variant-axes',
    body: () => ({ code: 'SIZE', name: 'Size', options: [{ code: 'S', name: 'S' }] }),
    audit: 'variant-axis create',
    has: 'after',
    keep: 'axis',
  },
  {
    operation: 'PATCH /variant-axes/{id}',
    path: ({ axis }) => `/variant-axes/${axis}`,
    body: () => ({ version: 1, name: 'Sizes' }),
    audit: 'variant-axis update',
    has: 'both',
  },
  {
    operation: 'POST /variant-axes/{id}/options',
    path: ({ axis }) => `/variant-axes/${axis}/options`,
    body: () => ({ code: 'M', name: 'M' }),
    audit: 'variant-option create',
    has: 'after',
  },
  {
    operation: 'PATCH /variant-axes/{id}/options/{option_id}',
    path: ({ axis }) => `/variant-axes/${axis}/options/1`,
    body: () => ({ version: 1, name: 'Small' }),
    audit: 'variant-option update',
    has: 'both',
  },
  {
    operation: 'POST /badges',
    body: () => ({ code: 'NEW', name: 'New' }),
    audit: 'badge create',
    has: 'after',
    keep: 'badge',
  },
  {
    operation: 'PATCH /badges/{id}',
    path: ({ badge }) => `/badges/${badge}`,
    body: () => ({ version: 1, name: 'Newest' }),
    audit: 'badge update',
    has: 'both',
  },
  {
    operation: 'POST /products/bulk',
    body: ({ productId, badge }) => ({
      productIds: [productId],
      action: 'SET_BADGES',
      payload: { badgeIds: [badge] },
    }),
    audit: 'product set-badges',
    has: 'both',
  },
  {
    operation: 'DELETE /badges/{id}',
    path: ({ badge }) => `/badges/${badge}`,
    audit: 'badge delete',
    has: 'before',
  },

  {
    operation: 'PATCH /products/{id}',
    path: ({ secondId }) => `/products/${secondId}`,
    body: () => ({ version: 1, subtitle: 'With cream' }),
    audit: 'product update',
    has: 'both',
  },
  {
    operation: 'PATCH /organizations/{id}/ordering',
    path: ({ organizationId }) => `/organizations/${organizationId}/ordering`,
    body: () => ({ version: 0, deliveryEnabled: true }),
    audit: 'organization-ordering update',
  },
  {
    operation: 'PUT /organizations/{id}/schedule',
    path: ({ organizationId }) => `/organizations/${organizationId}/schedule`,
    body: () => ({
      version: 0,
      windows: [
        {
          dayOfWeek: 1,
          channel: 'DELIVERY',
          opensAt: '10:00',
          closesAt: '22:00',
          crossesMidnight: false,
        },
      ],
    }),
    audit: 'organization-schedule update',
  },
  {
    operation: 'POST /organizations/{id}/schedule-exceptions',
    path: ({ organizationId }) => `/organizations/${organizationId}/schedule-exceptions`,
    body: () => ({ kind: 'CLOSED', date: '2026-12-31' }),
    audit: 'schedule-exception create',
    has: 'after',
    keep: 'exception',
  },
  {
    operation: 'PATCH /schedule-exceptions/{id}',
    path: ({ exception }) => `/schedule-exceptions/${exception}`,
    body: () => ({ version: 1, date: '2027-01-01' }),
    audit: 'schedule-exception update',
  },
  {
    operation: 'DELETE /schedule-exceptions/{id}',
    path: ({ exception }) => `/schedule-exceptions/${exception}`,
    audit: 'schedule-exception delete',
    has: 'before',
  },
  {
    operation: 'PUT /organizations/{id}/busy',
    path: ({ organizationId }) => `/organizations/${organizationId}/busy`,
    body: () => ({ extraMinutes: 20, until: new Date(Date.now() + 3_600_000).toISOString() }),
    audit: 'busy-mode create',
    has: 'after',
  },
  {
    operation: 'DELETE /organizations/{id}/busy',
    path: ({ organizationId }) => `/organizations/${organizationId}/busy`,
    audit: 'busy-mode delete',
    has: 'before',
  },
  {
    operation: 'PUT /busy',
    body: () => ({ extraMinutes: 20, until: new Date(Date.now() + 3_600_000).toISOString() }),
    audit: 'busy-mode create',
    has: 'after',
  },
  {
    operation: 'DELETE /busy',
    audit: 'busy-mode delete',
    has: 'before',
  },
  {
    operation: 'POST /expectation-rules',
    body: () => ({ scope: 'GLOBAL', durationMinutes: 10 }),
    audit: 'expectation-rule create',
    has: 'after',
    keep: 'expectation',
  },
  {
    operation: 'PATCH /expectation-rules/{id}',
    path: ({ expectation }) => `/expectation-rules/${expectation}`,
    body: () => ({ version: 1, durationMinutes: 20 }),
    audit: 'expectation-rule update',
  },
  {
    operation: 'DELETE /expectation-rules/{id}',
    path: ({ expectation }) => `/expectation-rules/${expectation}`,
    audit: 'expectation-rule delete',
    has: 'before',
  },
  {
    operation: 'POST /notices',
    body: () => ({
      code: 'WALK',
      severity: 'INFO',
      title: 'Walk',
      text: 'About the walk',
      ttlSeconds: 60,
    }),
    audit: 'guest-notice create',
    has: 'after',
    keep: 'notice',
  },
  {
    operation: 'PATCH /notices/{id}',
    path: ({ notice }) => `/notices/${notice}`,
    body: () => ({ version: 1, severity: 'WARNING' }),
    audit: 'guest-notice update',
  },
  {
    operation: 'DELETE /notices/{id}',
    path: ({ notice }) => `/notices/${notice}`,
    audit: 'guest-notice delete',
    has: 'before',
  },
  {
    operation: 'PATCH /payment-methods/{code}',
    path: () => '/payment-methods/CASH',
    body: () => ({ version: 1, isEnabled: false }),
    audit: 'payment-method update',
  },
  ...moves('unpublish', 'publish', 'archive', 'restore'),
  {
    operation: 'POST /erp/items/create-product',
    body: ({ freeSizeId, categoryId }) => ({
      name: 'Created',
      categoryIds: [categoryId],
      variants: [{ erpItemSizeId: freeSizeId }],
    }),
    audit: 'product create',
    has: 'after',
  },
  {
    operation: 'POST /erp/items/{item_id}/triage',
    path: ({ ignoredErpId }) => `/erp/items/${ignoredErpId}/triage`,
    body: () => ({ status: 'IGNORED', note: 'A box' }),
    audit: 'erp-item triage',
    has: 'both',
  },
  {
    operation: 'POST /erp/items/bulk',
    body: ({ ignoredErpId }) => ({ status: 'NEW', itemIds: [ignoredErpId] }),
    audit: 'erp-item triage',
    has: 'both',
  },
  {
    operation: 'POST /variants/{id}/rebind',
    path: ({ variantId }) => `/variants/${variantId}/rebind`,
    body: ({ otherSizeId }) => ({ erpItemSizeId: otherSizeId }),
    audit: 'variant rebind',
    has: 'both',
  },
  {
    operation: 'POST /products/{id}/variants',
    path: ({ draftId }) => `/products/${draftId}/variants`,
    body: ({ thirdErpId, thirdSizeId }) => ({
      erpItemId: thirdErpId,
      erpItemSizeId: thirdSizeId,
      isDefault: false,
    }),
    audit: 'variant create',
    has: 'after',
    keep: 'variant',
  },
  {
    operation: 'DELETE /variants/{variant_id}',
    path: ({ variant }) => `/variants/${variant}`,
    audit: 'variant delete',
    has: 'both',
  },
  {
    operation: 'PATCH /modifier-groups/{group_key}',
    path: () => '/modifier-groups/walk-group',
    body: () => ({ version: 0, displayName: 'Sauces' }),
    audit: 'modifier-group update',
    has: 'both',
  },
  {
    operation: 'PUT /modifier-groups/{group_key}/order',
    path: () => '/modifier-groups/walk-group/order',
    body: ({ sauceErpId }) => ({ version: 1, order: [sauceErpId] }),
    audit: 'modifier-group update',
    has: 'both',
  },
  {
    operation: 'PATCH /modifiers/{erp_item_id}',
    path: ({ sauceErpId }) => `/modifiers/${sauceErpId}`,
    body: () => ({ version: 0, displayName: 'Sauce' }),
    audit: 'modifier update',
    has: 'both',
  },
  ...(['dismiss', 'snooze'] as const).map((move): Step => ({
    operation: `POST /binding-incidents/{id}/${move}`,
    path: (ids) => `/binding-incidents/${ids[move]}/${move}`,
    body: () => (move === 'dismiss' ? { note: 'Known' } : { until: tomorrow() }),
    audit: `binding-incident ${move}`,
    has: 'both',
  })),

  { operation: 'POST /media', audit: 'media create', has: 'after', keep: 'media' },
  {
    operation: 'PATCH /media/{id}',
    path: ({ media }) => `/media/${media}`,
    body: () => ({ version: 1, alt: 'A soup' }),
    audit: 'media update',
    has: 'both',
  },
  {
    operation: 'DELETE /media/{id}',
    path: ({ media }) => `/media/${media}`,
    audit: 'media delete',
    has: 'before',
  },

  ...(['read', 'send'] as const).map((move): Step => ({
    operation: `POST /notifications/{id}/${move}`,
    path: ({ notification }) => `/notifications/${notification}/${move}`,
    audit: `notification ${move === 'read' ? 'read' : 'resend'}`,
    has: 'none',
  })),
  {
    operation: 'PATCH /settings/{key}',
    path: () => '/settings/stoplist_terminals',
    body: () => ({ version: 0, value: 'ALL' }),
    audit: 'setting update',
    has: 'both',
  },
  {
    operation: 'POST /snapshots/{organization_id}/pin',
    path: ({ organizationId }) => `/snapshots/${organizationId}/pin`,
    body: () => ({ revision: 1, reason: 'A fair', until: tomorrow() }),
    audit: 'snapshot pin',
  },
  {
    operation: 'POST /snapshots/{organization_id}/unpin',
    path: ({ organizationId }) => `/snapshots/${organizationId}/unpin`,
    body: () => ({ reason: 'Over' }),
    audit: 'snapshot unpin',
    has: 'before',
  },
  ...ordering('discount', 'discounts', {
    create: () => ({ code: 'WALK', name: 'Walk', percent: 10, needsPromocode: true }),
    edit: { percent: 15 },
  }),
  ...ordering('promocode', 'promocodes', {
    create: ({ 'discount to keep': discountId }) => ({ code: 'WALKER', discountId }),
    edit: { isActive: false },
  }),
  ...ordering('composition-rule', 'composition-rules', {
    create: () => ({ role: 'FREE_SOY', everyPersons: 1, freeUnits: 1 }),
    edit: { freeUnits: 2 },
  }),
  {
    operation: 'PUT /service-roles',
    path: () => '/service-roles',
    body: ({ variantId }) => ({ items: [{ role: 'PAID_SOY', variantId }] }),
    audit: 'service-roles update',
    has: 'both',
  },
  {
    operation: 'POST /rewards',
    body: ({ giftItem }) => ({ code: 'walk', name: 'Walk', erpItemId: giftItem }),
    audit: 'reward create',
    has: 'after',
    keep: 'reward',
  },
  {
    operation: 'PATCH /rewards/{id}',
    path: ({ reward }) => `/rewards/${reward}`,
    body: () => ({ version: 1, name: 'Walker' }),
    audit: 'reward update',
    has: 'both',
  },
  {
    operation: 'POST /compensations',
    body: ({ reward, connectionId }) => ({
      rewardId: reward,
      clientPhone: '+79990001122',
      connectionId,
      reason: 'OTHER',
    }),
    audit: 'compensation grant',
    has: 'after',
    keep: 'compensation',
  },
  {
    operation: 'PATCH /compensations/{id}',
    path: ({ compensation }) => `/compensations/${compensation}`,
    body: () => ({ version: 0, reason: 'SERVICE_ERROR' }),
    audit: 'compensation edit',
    has: 'both',
  },
  {
    operation: 'POST /compensations/{id}/rebind',
    path: ({ compensation }) => `/compensations/${compensation}/rebind`,
    body: ({ reward }) => ({ rewardId: reward, reason: 'Walked' }),
    audit: 'compensation rebind',
    has: 'both',
  },
  {
    operation: 'POST /compensations/{id}/cancel',
    path: ({ compensation }) => `/compensations/${compensation}/cancel`,
    body: () => ({ reason: 'Walked' }),
    audit: 'compensation cancel',
    has: 'both',
  },
  { operation: 'POST /auth/logout', audit: 'user sign-out', has: 'none' },
];

function ordering(
  entity: string,
  resource: string,
  { create, edit }: { create: (ids: Ids) => object; edit: object },
): Step[] {
  const path = (ids: Ids) => `/${resource}/${ids[entity]}`;
  const created: Step = {
    operation: `POST /${resource}`,
    body: create,
    audit: `${entity} create`,
    has: 'after',
  };
  return [
    ...(entity === 'discount'
      ? [
          {
            ...created,
            body: (ids: Ids) => ({ ...create(ids), code: 'KEPT' }),
            keep: 'discount to keep',
          },
        ]
      : []),
    { ...created, keep: entity },
    {
      operation: `PATCH /${resource}/{id}`,
      path,
      body: () => ({ version: 1, ...edit }),
      audit: `${entity} update`,
      has: 'both',
    },
    { operation: `DELETE /${resource}/{id}`, path, audit: `${entity} delete`, has: 'before' },
  ];
}

function switches(resource: string, id: string, verbs: readonly string[], entity = id): Step[] {
  return verbs.map((verb) => ({
    operation: `POST /${resource}/{id}/${verb}`,
    path: (ids) => `/${resource}/${ids[id]}/${verb}`,
    body: () => ({}),
    audit: `${entity} ${verb}`,
    has: 'both',
  }));
}

function moves(...verbs: readonly string[]): Step[] {
  return verbs.map((verb) => ({
    operation: `POST /products/{id}/${verb}`,
    path: ({ secondId }) => `/products/${secondId}/${verb}`,
    audit: `product ${verb}`,
    has: 'both',
  }));
}

/** Changes without a step, with a reason or the test of their audit entry. */
export const ELSEWHERE: Readonly<Record<string, string | { file: string; text: string }>> = {
  'PUT /organizations/{id}/payment-methods': {
    file: 'test/http/observability/overview.test.ts',
    text: `entity_type=payment-method`,
  },
  'POST /organizations/{id}/copy-ordering-to': {
    file: 'test/http/delivery/many-restaurants.test.ts',
    text: `entity_type=organization-ordering`,
  },
  'POST /schedule-exceptions': {
    file: 'test/http/delivery/many-restaurants.test.ts',
    text: `entity_type=schedule-exception`,
  },
  'POST /organizations/{id}/copy-ordering': {
    file: 'test/http/delivery/ordering.test.ts',
    text: `action: 'copy'`,
  },
  'POST /api-keys/{id}/take-over': {
    file: 'test/http/access/api-keys.test.ts',
    text: `action: 'take-over'`,
  },
  'POST /auth/refresh':
    'changes nothing but the token; the reuse of an old one is audited (session.test.ts)',
  'POST /delivery/explain': 'changes nothing: it answers what guests get and why',
  'POST /notifications/{id}/resolve': {
    file: 'test/http/notifications/notifications.test.ts',
    text: `action: 'resolve'`,
  },
  'POST /exports/links': 'changes nothing: the download is audited (exports.test.ts)',
  'POST /sync/runs/{id}/cancel': {
    file: 'test/http/mirror/sync-runs.test.ts',
    text: `action: 'cancel'`,
  },
  'POST /binding-incidents/bulk': {
    file: 'test/http/binding/incidents.test.ts',
    text: `action: 'dismiss'`,
  },
  'POST /sync/run': { file: 'test/http/mirror/sync-runs.test.ts', text: `entityType: 'sync-run'` },
  'POST /sync/runs/{id}/accept-shrink': {
    file: 'test/workflows/menu-runs.test.ts',
    text: `action: 'accept-shrink'`,
  },
  'PATCH /variants/{variant_id}': {
    file: 'test/http/catalog/variants.test.ts',
    text: `action: 'update'`,
  },
  'POST /products': {
    file: 'test/integration/catalog/product-content.test.ts',
    text: 'auditCount(product.id)).toBe(1)',
  },
  'POST /composition-rules/calculate': 'changes nothing',
  'POST /compensations/unauthorized/{id}/settle': {
    file: 'test/http/gifts/unauthorized.test.ts',
    text: `action: 'settle'`,
  },
  'POST /compensations/reconciliation/accept': {
    file: 'test/http/gifts/reconciliation.test.ts',
    text: `action: 'accept'`,
  },
  'POST /me/second-factor': 'changes nothing: it counts when it is confirmed',
  'POST /me/second-factor/confirm': {
    file: 'test/http/access/second-factor.test.ts',
    text: `'set-second-factor'`,
  },
  'POST /me/second-factor/remove': {
    file: 'test/http/access/second-factor.test.ts',
    text: `'remove-second-factor'`,
  },
  'DELETE /users/{id}/second-factor': {
    file: 'test/http/access/second-factor.test.ts',
    text: `action: 'remove-second-factor'`,
  },
  'DELETE /me/sessions/{session_id}': {
    file: 'test/http/access/session.test.ts',
    text: `action: 'end-sessions'`,
  },
  'DELETE /me/sessions': {
    file: 'test/http/access/session.test.ts',
    text: `action: 'end-sessions'`,
  },
  'POST /connections/{id}/webhook-secrets': {
    file: 'test/http/erp-webhooks/webhook-secrets.test.ts',
    text: `action: 'create-webhook-secret'`,
  },
  'DELETE /connections/{id}/webhook-secrets/{secret_id}': {
    file: 'test/http/erp-webhooks/webhook-secrets.test.ts',
    text: `action: 'delete-webhook-secret'`,
  },
  'POST /products/import-texts': {
    file: 'test/http/catalog/import-texts.test.ts',
    text: `action: 'import-texts'`,
  },
  'POST /clients/export': {
    file: 'test/http/gifts/export-person.test.ts',
    text: `action: 'export-person'`,
  },
  'POST /clients/forget': {
    file: 'test/http/gifts/forget-client.test.ts',
    text: `action: 'forget'`,
  },
  'POST /compensation-candidates/{id}/confirm': {
    file: 'test/http/gifts/candidates.test.ts',
    text: `action: 'confirm'`,
  },
  'POST /compensation-candidates/{id}/dismiss': {
    file: 'test/http/gifts/candidates.test.ts',
    text: `action: 'dismiss'`,
  },
  'POST /compensation-conflicts/{id}/resolve': {
    file: 'test/http/gifts/conflicts.test.ts',
    text: `action: 'grant'`,
  },
  'POST /rewards/{id}/check':
    'changes nothing that staff decide; rights that it moves have their own entries (admin.test.ts)',
  'POST /promocodes/bulk': {
    file: 'test/http/ordering/admin.test.ts',
    text: `readAudit(api.deps, 'promocode'`,
  },
  'POST /orders/{id}/cancel': {
    file: 'test/http/ordering/orders.test.ts',
    text: `action: 'cancel'`,
  },
  'POST /orders/{id}/erase': { file: 'test/http/ordering/orders.test.ts', text: `action: 'erase'` },
  'POST /orders/{id}/send-again': {
    file: 'test/workflows/orders-sent-again.test.ts',
    text: `action: 'send-again'`,
  },
  'POST /orders/{id}/settle-gifts': {
    file: 'test/http/ordering/gifts.test.ts',
    text: `action: 'redeem'`,
  },
  'PATCH /connections/{id}/order-sending': {
    file: 'test/http/ordering/admin.test.ts',
    text: `entityType: 'order-sending'`,
  },
  'PUT /products/{id}/variants/order': {
    file: 'test/http/catalog/variants.test.ts',
    text: `action: 'order-variants'`,
  },
  'POST /webhook-endpoints': {
    file: 'test/http/events/webhook-endpoints.test.ts',
    text: `action: 'create'`,
  },
  'PATCH /webhook-endpoints/{id}': {
    file: 'test/http/events/webhook-endpoints.test.ts',
    text: `action: 'update'`,
  },
  'DELETE /webhook-endpoints/{id}': {
    file: 'test/http/events/webhook-endpoints.test.ts',
    text: `action: 'delete'`,
  },
  'POST /webhook-endpoints/{id}/rotate-secret': {
    file: 'test/http/events/webhook-endpoints.test.ts',
    text: `action: 'rotate-secret'`,
  },
  'POST /webhook-endpoints/{id}/test': {
    file: 'test/http/events/webhook-endpoints.test.ts',
    text: `action: 'test'`,
  },
  'POST /webhook-endpoints/{id}/replay': {
    file: 'test/http/events/webhook-endpoints.test.ts',
    text: `action: 'replay'`,
  },
  'POST /webhook-deliveries/{id}/retry': {
    file: 'test/http/events/webhook-endpoints.test.ts',
    text: `action: 'retry'`,
  },
};
