import { anyOf, type Sql } from '../../platform/db/database.ts';
import type { WebhookSource } from '../connections/webhook-secrets.ts';

/**
 * Returns the organizations of any connection (`known`) and those that the source may report on
 * (`own`). The common secret covers connections without a separate secret.
 */
export async function believedOrganizations(
  { db }: Sql,
  { connectionId }: WebhookSource,
  erpIds: readonly string[],
): Promise<{ known: ReadonlySet<string>; own: ReadonlySet<string> }> {
  const rows = await db
    .selectFrom('mirror_organization as organization')
    .select(['organization.erpId', 'organization.connectionId'])
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('webhook_secret as secret')
            .select('secret.id')
            .whereRef('secret.connectionId', '=', 'organization.connectionId')
            .where('secret.retiredAt', 'is', null),
        )
        .as('hasSecrets'),
    )
    .where('organization.erpId', '=', anyOf(erpIds, 'uuid'))
    .where('organization.inactiveAt', 'is', null)
    .execute();

  const isOwn = (row: (typeof rows)[number]) =>
    connectionId === null ? row.hasSecrets !== true : row.connectionId === connectionId;

  return {
    known: new Set(rows.map(({ erpId }) => erpId)),
    own: new Set(rows.filter(isOwn).map(({ erpId }) => erpId)),
  };
}
