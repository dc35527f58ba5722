import type { Tx } from '../../../platform/db/database.ts';
import type { Anomaly, AnomalyCode } from '../rules/anomalies.ts';
import { raiseNotification, resolveNotifications } from '../../notifications/raise-notification.ts';

/** Anomalies that guests may notice and only ERP staff can repair. */
const BROKEN: readonly AnomalyCode[] = [
  'INVALID_ZONE_POLYGON',
  'ZONE_LISTED_TWICE',
  'ZONE_CROSSES_ITSELF',
];

const SUBJECT = 'organization';

/**
 * Notifies administrators about broken maps, and resolves notifications about the others (FUL-44,
 * FUL-52), in the transaction that saves the maps.
 */
export async function notifyBrokenMaps(
  tx: Tx,
  anomaliesOf: ReadonlyMap<number, readonly Anomaly[]>,
): Promise<void> {
  const sound: number[] = [];

  for (const [organizationId, anomalies] of anomaliesOf) {
    const broken = anomalies.filter(({ code }) => BROKEN.includes(code));
    if (broken.length === 0) sound.push(organizationId);
    else
      await raiseNotification(tx, {
        kind: 'DELIVERY_MAP_BROKEN',
        subjectType: SUBJECT,
        subjectId: organizationId,
        details: Object.fromEntries(
          broken.map(({ code, count, samples }) => [code, { count, samples }]),
        ),
      });
  }

  await resolveNotifications(tx, 'DELIVERY_MAP_BROKEN', SUBJECT, sound);
}
