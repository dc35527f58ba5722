import { setHandler } from '@temporalio/workflow';
import type { Answer } from '../../kernel/pure/rejection.ts';
import {
  acceptHeldBack,
  pausePolls,
  pollNow,
  resumePolls,
  type PollPause,
} from '../../modules/mirror/messages/polling.ts';
import type { PollJob } from '../../modules/mirror/rules/jobs.ts';
import { pauseErrors, pollRequestErrors } from '../../modules/mirror/rules/poll-requests.ts';
import { requestActivities } from './activity-sets.ts';
import { rejection, rejectInvalid, unwrapResult } from './updates.ts';

type Loop = {
  pauseOf: (job: PollJob) => PollPause | null;
  poll: (job: PollJob) => Promise<string>;
  readPlan: () => Promise<void>;
};

/** Handles the updates of operators (OPS-197). */
export function handlePollRequests(connectionId: number, { pauseOf, poll, readPlan }: Loop): void {
  const activities = requestActivities();

  async function requested(act: () => Promise<Answer<{ text: string }>>): Promise<string> {
    const { text } = unwrapResult(await act());
    await readPlan();
    return text;
  }

  setHandler(pollNow, ({ job }) => poll(job), {
    description: 'Polls a job at once and returns its result: {"job": "STOP_LIST"}',
    validator(request) {
      rejectInvalid(pollRequestErrors('poll', request));
      const pause = pauseOf(request.job);
      if (pause === null) return;

      throw rejection({
        refusal: `${request.job} is paused: ${pause.reason}`,
        kind: 'invalid-transition',
      });
    },
  });

  setHandler(
    pausePolls,
    (request) => requested(() => activities.pausePolls({ connectionId, ...request })),
    {
      description:
        'Pauses a job: {"job": "MENU", "by": "your name", "reason": "why", "until": "2026-12-01T12:00:00Z"}',
      validator: (request) => rejectInvalid(pauseErrors(request, Date.now())),
    },
  );

  setHandler(
    resumePolls,
    (request) => requested(() => activities.resumePolls({ connectionId, ...request })),
    {
      description: 'Ends the pause of a job: {"job": "MENU", "by": "your name"}',
      validator: (request) => rejectInvalid(pollRequestErrors('resume', request)),
    },
  );

  setHandler(
    acceptHeldBack,
    (request) => requested(() => activities.acceptHeldBack({ connectionId, ...request })),
    {
      description:
        'Accepts an import that was held back: {"runId": 17, "by": "your name", "reason": "why"}',
      validator: (request) => rejectInvalid(pollRequestErrors('accept', request)),
    },
  );
}
