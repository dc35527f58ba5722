import type { Job, RunMode, RunStatus, RunTrigger } from '../../../contracts/jobs.ts';
import type { Anomaly } from '../../../domain/mirror/anomalies.ts';
import type { ImportCounters } from '../menu/merge-menu.ts';
import type { ObservedShrink } from '../menu/shrink-guard.ts';

/** The record of one run (rule MIR-2); every field has a value in every status. */
export type RunRecord = ImportCounters & {
  id: number;
  job: Job;
  connectionId: number;
  /** The ERP's id of the external menu; null for other jobs. */
  externalMenuId: string | null;
  mode: RunMode;
  trigger: RunTrigger;
  status: RunStatus;
  reason: string | null;
  detail: string | null;
  /** User who asked for a manual run. */
  requestedBy: number | null;
  startedAt: Date;
  finishedAt: Date | null;
  organizations: number;
  batches: number;
  payloadBytes: number;
  revisionFrom: number | null;
  revisionTo: number | null;
  /** Counters of jobs other than MENU, for example `{ total, created, updated, deactivated }`. */
  result: Record<string, unknown>;
  anomalies: Anomaly[];
  /** What a refused full import would have taken away; null for every other run. */
  shrink: ObservedShrink | null;
};

/** Select list of a RunRecord; needs `sync_run run` and a left join of `mirror_external_menu menu`. */
export const RUN_COLUMNS = `run.id, run.job, run.connection_id as "connectionId", menu.erp_id as "externalMenuId", run.mode, run.trigger,
  run.status, run.reason, run.detail, run.requested_by as "requestedBy", run.started_at as "startedAt",
  run.finished_at as "finishedAt", run.organizations, run.batches, run.payload_bytes as "payloadBytes",
  run.revision_from as "revisionFrom", run.revision_to as "revisionTo", run.categories, run.items, run.prices, run.modifiers,
  coalesce(run.result #> '{applied,result}', '{}') as result, run.anomalies,
  run.result -> 'shrink' as shrink`;

export const RUN_SOURCE = 'sync_run run left join mirror_external_menu menu on menu.id = run.external_menu_id';
