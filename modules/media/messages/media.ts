import { defineWorkflow } from '../../../kernel/pure/define-workflow.ts';

/** `after`: start position. `heartbeatMs`: silence after which another worker takes over. */
export type MediaSweepInput = { after?: string | null; heartbeatMs?: number };

/** Started by a schedule. */
export const mediaSweepWorkflow = defineWorkflow<MediaSweepInput>()({
  type: 'mediaSweep',
  versioning: 'PINNED',
  id: () => 'media-sweep',
});

export type MediaBatchInput = { after: string | null };
