import { createHash } from 'node:crypto';
import { anyOf } from '../../../platform/db/database.ts';
import { createAnomalies, mergeAnomalies, type Anomaly } from '../rules/anomalies.ts';
import { addOddRows } from '../rules/odd-rows.ts';
import { normalizeMenu } from '../rules/normalize-menu.ts';
import type { MenuRows } from '../rules/menu-rows.ts';
import type { ErpFailure } from '../../../erp/failure.ts';
import type { ImportOptions } from '../runs/import-in-batches.ts';
import { askMenu } from './ask-menu.ts';
import { reportProgress } from '../../../platform/progress.ts';
import type { MirrorDeps } from '../runs/fenced-import.ts';
import { recordAnswer } from '../runs/run-facts.ts';
import { stageRows, type StagedRows } from './stage-rows.ts';
import type { ErpCommandStatus } from '../../../erp/endpoints/commands.ts';

export type FetchInput = {
  runId: number;
  connectionId: number;
  externalMenuErpId: string;
  priceCategoryErpId: string | null;
  batch: number;
  batches?: number;
  organizationIds: number[];
  /** Null requests the menu in any case. */
  startRevision: number | null;
  asyncMode: boolean;
  attempt: number;
};

export type FetchOutcome =
  | {
      outcome: 'STAGED';
      batch: number;
      attempt: number;
      rows: StagedRows;
      revision: number | null;
      anomalies: Anomaly[];
      refused: number[];
    }
  /** The lists of this response are empty without meaning (WIRE-32). */
  | { outcome: 'UNCHANGED'; refused: number[] }
  /** All organizations are rejected. Other batches may succeed (MIR-67). */
  | { outcome: 'REFUSED'; refused: number[]; kind: string; message: string }
  | { outcome: 'PENDING'; correlationId: string; organizationId: number | null };

/**
 * Fetches, normalizes and stages one batch of a menu. Menus never travel through Temporal. Throws
 * ErpFailure. Idempotent, because each try has its own attempt number.
 */
export async function fetchAndStage(
  deps: MirrorDeps,
  input: FetchInput,
  options: ImportOptions = {},
): Promise<FetchOutcome> {
  const { batches, batch: at, organizationIds: batchIds } = input;
  reportProgress({
    batch: at + 1,
    ...(batches === undefined ? {} : { of: batches }),
    organizations: batchIds.length,
  });

  const fetched = await fetchRows(deps, input, options);
  if ('refusal' in fetched) {
    const { kind, message } = fetched.refusal;
    return { outcome: 'REFUSED', refused: input.organizationIds, kind, message };
  }

  const { organizationIds } = fetched;
  const refused = input.organizationIds.filter((id) => !organizationIds.includes(id));
  if ('correlationId' in fetched)
    return {
      outcome: 'PENDING',
      correlationId: fetched.correlationId,
      organizationId: organizationIds[0] ?? null,
    };

  const { runId, batch, attempt } = input;
  const { bytes, revision, menu } = fetched;
  await recordAnswer(deps.db, runId, { bytes, revision });
  if (menu === null) return { outcome: 'UNCHANGED', refused };
  const rows = await stageRows(deps.db, { runId, batch, attempt }, menu);

  return { outcome: 'STAGED', batch, attempt, rows, revision, anomalies: menu.anomalies, refused };
}

type Answer = {
  bytes: number;
  revision: number | null;
  menu: MenuRows | null;
  organizationIds: number[];
};

/** A separate function, so that the parsed response can be collected while rows are loaded. */
async function fetchRows(
  deps: MirrorDeps,
  input: FetchInput,
  options: ImportOptions,
): Promise<
  Answer | { correlationId: string; organizationIds: number[] } | { refusal: ErpFailure }
> {
  const batch = await deps.db.db
    .selectFrom('mirror_organization')
    .select(['id', 'erpId'])
    .where('id', '=', anyOf(input.organizationIds))
    .orderBy('id')
    .execute();

  const reply = await askMenu(deps, input, batch, options, async (some, { asksAll, ...how }) => {
    const startRevision = asksAll ? null : input.startRevision;
    const answer = await deps.erp.menu(
      input.connectionId,
      {
        externalMenuId: input.externalMenuErpId,
        organizationIds: some.map((organization) => organization.erpId),
        ...(input.priceCategoryErpId === null ? {} : { priceCategoryId: input.priceCategoryErpId }),
        ...(startRevision === null ? {} : { startRevision }),
        asyncMode: input.asyncMode,
      },
      { ...options, ...how },
    );

    return { ...answer, startRevision };
  });
  if ('refusal' in reply) return reply;

  const { organizations } = reply;
  const { data, bytes, odd, startRevision } = reply.answer;
  const organizationIds = organizations.map(({ id }) => id);
  if (data.kind === 'pending') return { correlationId: data.correlationId, organizationIds };
  const revision = data.menu.revision ?? null;
  if (revision !== null && revision === startRevision)
    return { bytes, revision, menu: null, organizationIds };
  deps.failpoint('menu-fetch');
  const ids = new Map(
    organizations.map((organization) => [organization.erpId.toLowerCase(), organization.id]),
  );
  const menu = normalizeMenu(data.menu, { organizations: ids, digest, unread: data.unread });
  const anomalies = createAnomalies();
  addOddRows(anomalies, odd);

  return {
    bytes,
    revision,
    organizationIds,
    menu: { ...menu, anomalies: mergeAnomalies([menu.anomalies, anomalies.list()]) },
  };
}

export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 20);
}

/** Reads the progress of an asynchronous menu request. */
export async function asyncMenuStatus(
  deps: MirrorDeps,
  input: { connectionId: number; organizationId: number; correlationId: string },
  options: { signal?: AbortSignal } = {},
): Promise<ErpCommandStatus> {
  const organization = await deps.db.db
    .selectFrom('mirror_organization')
    .select('erpId')
    .where('id', '=', input.organizationId)
    .executeTakeFirst();
  if (organization === undefined)
    throw new Error(`there is no organization ${input.organizationId}`);

  return deps.erp.commandStatus(
    input.connectionId,
    organization.erpId,
    input.correlationId,
    options,
  );
}
