import { sql } from 'kysely';
import { snapshotPinChanged, snapshotPinWorkflow } from '../messages/snapshot.ts';
import { searchAttributes } from '../../../platform/pure/search-attributes.ts';
import type { Sql } from '../../../platform/db/database.ts';
import { startOrSignal, type TemporalDeps } from '../../../kernel/start-workflow.ts';

/** Signals the timer of a pin. Only a hint: the row decides. */
export async function watchPin(
  deps: TemporalDeps & { db: Sql },
  organizationId: number,
): Promise<void> {
  const { name } = await deps.db.db
    .selectFrom('mirror_organization')
    .select('name')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow();

  return startOrSignal(
    deps,
    snapshotPinWorkflow,
    {
      input: { organizationId },
      attributes: searchAttributes({
        CarteCapability: 'snapshot',
        CarteOrganizationId: String(organizationId),
      }),
      memo: { organizationId },
      summary: name,
    },
    snapshotPinChanged,
  );
}

/** The next call handles the rest. */
const PINS_PER_CALL = 1_000;

/** Signals timers of expired pins whose signal was lost. */
export async function reconcilePins(
  deps: TemporalDeps & { db: Sql },
): Promise<{ pinsEnded: number }> {
  const pins = await deps.db.db
    .selectFrom('snapshot_pin')
    .select('organizationId')
    .where('until', '<', sql<Date>`now()`)
    .orderBy('until')
    .limit(PINS_PER_CALL)
    .execute();

  for (const { organizationId } of pins) await watchPin(deps, organizationId);

  return { pinsEnded: pins.length };
}
