import { sql } from 'kysely';
import type { UsageKind } from '../media/media-uses.ts';

/** How gifts show media. */
export const COMPENSATION_MEDIA_USAGES: readonly UsageKind[] = [
  {
    kind: 'REWARD_IMAGE',
    entityType: 'reward',
    of: (mediaId) => sql`select id, name from reward where image_id = ${mediaId}`,
  },
];
