/**
 * Workflow ids of a record. An import also has those of its poll, a gift those of the removal of
 * its marker.
 */
export const EXECUTIONS = {
  order: ({ orderId }: { orderId: string }): string[] => [`order/${orderId}`],
  incident: ({ id }: { id: number }): string[] => [`incident/${id}`],
  menu: (organizationId: number): string[] => [
    `snapshot/${organizationId}`,
    `snapshot-pin/${organizationId}`,
  ],
  gift({ id, clientId, reservedOrderId, redeemedOrderId }: Gift): string[] {
    const orderId = redeemedOrderId ?? reservedOrderId;
    const ofOrder = orderId === null ? [] : [`order/${orderId}/gift/${id}`];
    return [...ofOrder, `comment-clear/${clientId}`, `category-clear/${clientId}`];
  },
  run({ job, connectionId, externalMenuId }: Run): string[] {
    const path = job.toLowerCase().replace('_', '-');
    const menu = externalMenuId === null ? '' : `/${externalMenuId}`;
    return [`sync/${path}/${connectionId}${menu}`, `polling/${connectionId}`];
  },
};

type Gift = {
  id: string;
  clientId: string;
  reservedOrderId: string | null;
  redeemedOrderId: string | null;
};

type Run = { job: string; connectionId: number; externalMenuId: number | null };

/** Returns the URL of the list, newest first. */
export function temporalUrl(
  { url, namespace }: { url: string; namespace: string },
  ids: readonly string[],
): string {
  const query = `WorkflowId IN (${ids.map((id) => `"${id}"`).join(', ')})`;
  return `${url}/namespaces/${encodeURIComponent(namespace)}/workflows?query=${encodeURIComponent(query)}`;
}
