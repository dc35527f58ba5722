/**
 * Operations beyond the required ones (required.ts), with the reason each exists. A registered operation that is in
 * neither table fails the test: it is either a mistake or belongs here with a reason.
 */
export const ADDITIONS: Readonly<Record<'public' | 'admin' | 'webhooks', Readonly<Record<string, string>>>> = {
  public: {},
  admin: {
    'GET /auth/oidc/start': 'staff sign in through an identity provider when one is configured',
    'GET /auth/oidc/callback': 'staff sign in through an identity provider when one is configured',
    'POST /me/password': 'nobody but an administrator could change a password',
    'GET /me/sessions': 'users see where they are signed in',
    'DELETE /me/sessions': 'users sign out everywhere else',
    'DELETE /me/sessions/{session_id}': 'users sign out of a browser that they do not have any more',
    'POST /variant-axes/{id}/options': 'an axis that is in use gets another size',
    'GET /users/{id}': 'an editor opens one user with its version',
    'GET /roles/{id}': 'an editor opens one role with its version',

    'GET /franchisees': 'owners of connections',
    'POST /franchisees': 'owners of connections',
    'GET /franchisees/{id}': 'owners of connections',
    'PATCH /franchisees/{id}': 'owners of connections',
    'POST /franchisees/{id}/activate': 'owners of connections',
    'POST /franchisees/{id}/deactivate': 'owners of connections',
    'GET /legal-entities': 'owners of connections',
    'POST /legal-entities': 'owners of connections',
    'GET /legal-entities/{id}': 'owners of connections',
    'PATCH /legal-entities/{id}': 'owners of connections',
    'POST /legal-entities/{id}/activate': 'owners of connections',
    'POST /legal-entities/{id}/deactivate': 'owners of connections',
    'GET /connections': 'management of connections',
    'POST /connections': 'management of connections',
    'GET /connections/{id}': 'management of connections',
    'PATCH /connections/{id}': 'management of connections',
    'PUT /connections/{id}/api-login': 'management of connections',
    'POST /connections/{id}/disable': 'management of connections',
    'POST /connections/{id}/enable': 'management of connections',

    'POST /sync/runs/{id}/accept-shrink': 'only staff can say that a menu really shrank',
    'GET /sync/pauses': 'operators stop imports during work on the external system',
    'POST /sync/pauses': 'operators stop imports during work on the external system',
    'DELETE /sync/pauses/{id}': 'operators stop imports during work on the external system',

    'GET /variants/{id}/binding-history': 'staff see who bound a variant to what, and why',

    'GET /media/{id}': 'an editor opens one picture with its renditions',
    'GET /media/folders': 'an editor chooses a folder of pictures',
    'GET /notifications': 'what administrators are told',
    'GET /notifications/{id}': 'what administrators are told',
    'POST /notifications/{id}/read': 'what administrators are told',
    'POST /notifications/{id}/send': 'what administrators are told',
    'GET /settings': 'what was left open to operators is a named setting',
    'GET /settings/{key}': 'what was left open to operators is a named setting',
    'PATCH /settings/{key}': 'what was left open to operators is a named setting',
    'GET /connections/{id}/order-sending': 'staff see what orders name at the ERP, and what they lack',
    'PATCH /connections/{id}/order-sending':
      'an ERP may have several ways to pay of a kind: staff say which one is meant',
    'POST /composition-rules/calculate': 'staff try their rules without making a cart',
    'GET /products/{id}/explain': 'staff ask why a guest does not see a dish',
    'GET /snapshots/{organization_id}': 'revisions of the menu',
    'GET /snapshots/{organization_id}/revisions': 'revisions of the menu',
    'GET /snapshots/{organization_id}/revisions/{revision}': 'revisions of the menu',
    'GET /snapshots/{organization_id}/diff': 'revisions of the menu',
    'POST /snapshots/{organization_id}/pin': 'revisions of the menu',
    'POST /snapshots/{organization_id}/unpin': 'revisions of the menu',
  },
  webhooks: {
    'POST /erp': 'events of the external system',
  },
};
