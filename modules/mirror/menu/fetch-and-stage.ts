import { createHash } from 'node:crypto';
import { anyOf } from '../../../platform/db/database.ts';
import type { Anomaly } from '../rules/anomalies.ts';
import { normalizeMenu } from '../rules/normalize-menu.ts';
import type { MenuRows } from '../rules/menu-rows.ts';
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
  /** At most ten of our organization ids. */
  organizationIds: number[];
  /** The saved revision; null asks for the menu in any case. */
  startRevision: number | null;
  /** True: the ERP may answer with an id to poll for. */
  asyncMode: boolean;
  /** New for every try of the batch. */
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
    }
  /** The answer has the revision we asked with: its lists are empty and mean nothing (rule WIRE-32). */
  | { outcome: 'UNCHANGED' }
  | { outcome: 'PENDING'; correlationId: string };

/**
 * Fetches the menu for one batch of organizations, normalizes it and loads it into the staging tables; returns counters
 * only, because a menu never travels through Temporal. Size and revision of the answer go into the run record. Throws ErpFailure. A
 * second call is harmless: it stages under its own attempt, and apply reads only the attempts that were reported.
 */
export async function fetchAndStage(
  deps: MirrorDeps,
  input: FetchInput,
  options: { signal?: AbortSignal } = {},
): Promise<FetchOutcome> {
  const fetched = await fetchRows(deps, input, options);
  if ('correlationId' in fetched) return { outcome: 'PENDING', correlationId: fetched.correlationId };
  const { runId, batch, attempt } = input;
  const { bytes, revision, menu } = fetched;
  await recordAnswer(deps.db, runId, { bytes, revision });
  if (menu === null) return { outcome: 'UNCHANGED' };
  const rows = await stageRows(deps.db, { runId, batch, attempt }, menu);
  return { outcome: 'STAGED', batch, attempt, rows, revision, anomalies: menu.anomalies };
}

/** One answer; `menu` is null when the revision is the one we asked with. */
type Answer = { bytes: number; revision: number | null; menu: MenuRows | null };

/** Apart from its caller, so that the parsed answer can be collected while its rows are loaded. */
async function fetchRows(
  deps: MirrorDeps,
  input: FetchInput,
  options: { signal?: AbortSignal },
): Promise<Answer | { correlationId: string }> {
  const organizations = await deps.db.db
    .selectFrom('mirror_organization')
    .select(['id', 'erpId'])
    .where('id', '=', anyOf(input.organizationIds))
    .orderBy('id')
    .execute();
  const { data, bytes } = await deps.erp.menu(
    input.connectionId,
    {
      externalMenuId: input.externalMenuErpId,
      organizationIds: organizations.map((each) => each.erpId),
      ...(input.priceCategoryErpId === null ? {} : { priceCategoryId: input.priceCategoryErpId }),
      ...(input.startRevision === null ? {} : { startRevision: input.startRevision }),
      asyncMode: input.asyncMode,
    },
    options,
  );
  if (data.kind === 'pending') return { correlationId: data.correlationId };
  const revision = data.menu.revision ?? null;
  if (revision !== null && revision === input.startRevision) return { bytes, revision, menu: null };
  deps.failpoint('menu-fetch');
  const ids = new Map(organizations.map((each) => [each.erpId.toLowerCase(), each.id]));
  return { bytes, revision, menu: normalizeMenu(data.menu, { organizations: ids, digest }) };
}

/** A short stable digest: the key of modifier groups that the ERP gives no id. */
export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 20);
}

/** Asks once how far an asynchronous menu request is. A read, so a second call is harmless. */
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
  if (organization === undefined) throw new Error(`there is no organization ${input.organizationId}`);
  return deps.erp.commandStatus(input.connectionId, organization.erpId, input.correlationId, options);
}
