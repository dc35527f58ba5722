export type Subject = { subjectType: string; subjectId: string; details: unknown };

const PATHS: Readonly<Record<string, (id: string) => string>> = {
  order: (id) => `/orders/${id}`,
  'binding-incident': (id) => `/incidents/${id}`,
  compensation: (id) => `/gifts/${id}`,
  product: (id) => `/products/${id}`,
  'sync-run': (id) => `/sync/runs/${id}`,
  connection: () => '/connections',
  'external-menu': () => '/sync',
  organization: (id) => `/setup/${id}`,
  'orders-of-connection': () => '/orders',
  'webhook-endpoint': () => '/webhooks',
  reward: () => '/rewards',
  'gift-day': () => '/reconciliation',
  'unauthorized-gift': () => '/decisions',
};

type Details = { runId?: number | null; count?: number; members?: readonly { orderId?: string }[] };

/**
 * Returns the path of the screen for a notification, or null: for example the import of a menu,
 * or the only order of a group.
 */
export function subjectPath({ subjectType, subjectId, details }: Subject): string | null {
  const { runId, count, members = [] } = (details ?? {}) as Details;
  if (subjectType === 'external-menu' && typeof runId === 'number') return `/sync/runs/${runId}`;
  const orderId = count === 1 ? members[0]?.orderId : undefined;
  if (subjectType === 'orders-of-connection' && orderId !== undefined) return `/orders/${orderId}`;
  return PATHS[subjectType]?.(subjectId) ?? null;
}
