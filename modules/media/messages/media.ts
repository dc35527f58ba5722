import { defineWorkflow } from '../../../kernel/pure/define-workflow.ts';

/**
 * Input of mediaSweep: the file behind which it begins, the first one when absent, and how long a
 * batch may be silent before another worker takes it, in ms.
 */
export type MediaSweepInput = { after?: string | null; heartbeatMs?: number };

/** Deletes files that no row names; a schedule starts it. */
export const mediaSweepWorkflow = defineWorkflow<MediaSweepInput>()({
  type: 'mediaSweep',
  versioning: 'PINNED',
  id: () => 'media-sweep',
});

/** Input of one batch. */
export type MediaBatchInput = { after: string | null };
