import { answerOperator, temporalActor } from '../../../kernel/answer-operator.ts';
import { Problem } from '../../../kernel/problem.ts';
import type { Answer } from '../../../kernel/pure/rejection.ts';
import type { AcceptRequest, PauseRequest, ResumeRequest } from '../messages/polling.ts';
import { endImportPause, pauseImport } from '../pauses/import-pauses.ts';
import { IN_FORCE } from '../pauses/is-paused.ts';
import { acceptShrink } from '../runs/accept-shrink.ts';

type OfConnection = { connectionId: number };

/** Pauses a job for an operator of Temporal (OPS-196). */
export const pauseForOperator = (
  deps: Parameters<typeof pauseImport>[0],
  { by, ...pause }: OfConnection & PauseRequest,
): Promise<Answer<{ text: string }>> =>
  answerOperator(async () => {
    const { id } = await pauseImport(deps, temporalActor(by), pause);
    return { text: `Pause ${id} of ${pause.job} is in force.` };
  });

/** Ends the pauses of a job, except pauses of single menus (OPS-196). */
export const resumeForOperator = (
  deps: Parameters<typeof endImportPause>[0],
  { connectionId, job, by }: OfConnection & ResumeRequest,
): Promise<Answer<{ text: string }>> =>
  answerOperator(async () => {
    const pauses = await deps.db.db
      .selectFrom('import_pause as pause')
      .select('id')
      .where('connectionId', '=', connectionId)
      .where('job', '=', job)
      .where('externalMenuId', 'is', null)
      .where(IN_FORCE)
      .execute();
    if (pauses.length === 0) throw new Problem('not-found', { detail: `${job} is not paused.` });

    for (const { id } of pauses) await endImportPause(deps, temporalActor(by), id);

    return { text: `${job} continues.` };
  });

/** Accepts a rejected import for an operator (OPS-197). */
export const acceptForOperator = (
  deps: Parameters<typeof acceptShrink>[0],
  { connectionId, runId, by, reason }: OfConnection & AcceptRequest,
): Promise<Answer<{ text: string }>> =>
  answerOperator(async () => {
    const run = await deps.db.db
      .selectFrom('sync_run')
      .select('id')
      .where('id', '=', runId)
      .where('connectionId', '=', connectionId)
      .executeTakeFirst();
    if (run === undefined)
      throw new Problem('not-found', { detail: `Connection ${connectionId} has no run ${runId}.` });

    const started = await acceptShrink(deps, temporalActor(by), {
      refusedRunId: runId,
      reason: reason.trim(),
    });

    return { text: `Run ${started.runId} was started.` };
  });
