import { systemActor } from '../../../kernel/actor.ts';
import { isProblem, Problem } from '../../../kernel/problem.ts';
import { requiredTexts } from '../../../kernel/required-texts.ts';
import type { AcceptRequest, PauseRequest, ResumeRequest } from '../messages/polling.ts';
import { acceptShrink } from '../runs/accept-shrink.ts';
import { endImportPause, pauseImport } from '../pauses/import-pauses.ts';
import { IN_FORCE } from '../pauses/is-paused.ts';

type OfConnection = { connectionId: number };

/** What became of a request in Temporal: done, or rejected with the sentence of the API. */
export type Answer = { text: string } | { refusal: string };

/** Pauses a job of a connection in the name of an operator of Temporal (rule OPS-196). */
export function pauseForOperator(
  deps: Parameters<typeof pauseImport>[0],
  { connectionId, job, by, reason, until }: OfConnection & PauseRequest,
): Promise<Answer> {
  return answered(async () => {
    const pause = await pauseImport(deps, operator(by), {
      connectionId,
      job,
      reason,
      ...(until === undefined ? {} : { until }),
    });
    return `Pause ${pause.id} of ${job} is in force.`;
  });
}

/** Ends the pauses of a job as a whole in the name of an operator (rule OPS-196). */
export function resumeForOperator(
  deps: Parameters<typeof endImportPause>[0],
  { connectionId, job, by }: OfConnection & ResumeRequest,
): Promise<Answer> {
  return answered(async () => {
    const pauses = await deps.db.db
      .selectFrom('import_pause as pause')
      .select('id')
      .where('connectionId', '=', connectionId)
      .where('job', '=', job)
      .where('externalMenuId', 'is', null)
      .where(IN_FORCE)
      .execute();
    if (pauses.length === 0) throw new Problem('not-found', { detail: `${job} is not paused.` });
    for (const { id } of pauses) await endImportPause(deps, operator(by), id);
    return `${job} continues.`;
  });
}

/** Accepts a held-back import of the connection in the name of an operator (rule OPS-197). */
export function acceptForOperator(
  deps: Parameters<typeof acceptShrink>[0],
  { connectionId, runId, by, reason }: OfConnection & AcceptRequest,
): Promise<Answer> {
  return answered(async () => {
    const run = await deps.db.db
      .selectFrom('sync_run')
      .select('id')
      .where('id', '=', runId)
      .where('connectionId', '=', connectionId)
      .executeTakeFirst();
    if (run === undefined) throw new Problem('not-found', { detail: `Connection ${connectionId} has no run ${runId}.` });
    const texts = requiredTexts({ reason }, { reason: 500 }, 'words');
    const started = await acceptShrink(deps, operator(by), { refusedRunId: runId, reason: texts.reason });
    return `Run ${started.runId} was started.`;
  });
}

const operator = (by: string) =>
  systemActor(`Temporal: ${requiredTexts({ by }, { by: 100 }, 'words').by}`);

/** A problem becomes the sentence of the API; other errors are thrown. */
async function answered(work: () => Promise<string>): Promise<Answer> {
  try {
    return { text: await work() };
  } catch (error) {
    if (!isProblem(error)) throw error;
    const { detail, errors = [] } = error.details;
    const sentences = [detail, ...errors.map(({ field, message }) => `${field}: ${message}.`)];
    return { refusal: sentences.filter(Boolean).join(' ') || error.kind };
  }
}
