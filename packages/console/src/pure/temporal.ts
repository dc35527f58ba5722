/**
 * The ids of executions in Temporal that belong to a record, as the product names them. A record
 * may have several: an import and the poll that starts it, or a gift and the removal of its marker.
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

/** The list of these executions in Temporal's UI, the newest first. */
export function temporalUrl(
  { url, namespace }: { url: string; namespace: string },
  ids: readonly string[],
): string {
  const query = `WorkflowId IN (${ids.map((id) => `"${id}"`).join(', ')})`;
  return `${url}/namespaces/${encodeURIComponent(namespace)}/workflows?query=${encodeURIComponent(query)}`;
}
