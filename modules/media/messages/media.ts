import { defineWorkflow } from '../../../kernel/pure/define-workflow.ts';

/**
 * `after` is where it begins; `heartbeatMs` is the silence after which another worker takes over.
 */
export type MediaSweepInput = { after?: string | null; heartbeatMs?: number };

/** Deletes files without a row. Started by a schedule. */
export const mediaSweepWorkflow = defineWorkflow<MediaSweepInput>()({
  type: 'mediaSweep',
  versioning: 'PINNED',
  id: () => 'media-sweep',
});

export type MediaBatchInput = { after: string | null };
