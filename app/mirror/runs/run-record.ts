import type { Run } from '../../../contracts/mirror.ts';

/** The record of one run (rule MIR-2); every field has a value in every status. */
export type RunRecord = Run;

/** Select list of a RunRecord; needs `sync_run run` and a left join of `mirror_external_menu menu`. */
export const RUN_COLUMNS = `run.id, run.job, run.connection_id as "connectionId", menu.erp_id as "externalMenuId", run.mode, run.trigger,
  run.status, run.reason, run.detail, run.requested_by as "requestedBy", run.started_at as "startedAt",
  run.finished_at as "finishedAt", run.organizations, run.batches, run.payload_bytes as "payloadBytes",
  run.revision_from as "revisionFrom", run.revision_to as "revisionTo", run.categories, run.items, run.prices, run.modifiers,
  coalesce(run.result #> '{applied,result}', '{}') as result, run.anomalies,
  run.result -> 'shrink' as shrink`;

export const RUN_SOURCE = 'sync_run run left join mirror_external_menu menu on menu.id = run.external_menu_id';
