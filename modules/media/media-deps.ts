import { bulkhead, type BulkheadPolicy } from 'cockatiel';
import type { MediaStore } from '../../platform/media-store.ts';
import type { Database } from '../../platform/db/database.ts';
import type { MediaUses } from './media-uses.ts';

/** What the use cases of media need beside the database: where files live, the bounded room for images in work, and who shows media. */
export type MediaDeps = { db: Database; media: { store: MediaStore; pool: BulkheadPolicy; uses: MediaUses } };

/** Images in work at once and in line, per process: each holds its upload and its decoded pixels in memory. */
const ROOM = { slots: 2, waiting: 8 };

/** Media on a store, with the product's room for images in work. */
export function createMedia(
  { store, uses }: { store: MediaStore; uses: MediaUses },
  room: { slots: number; waiting: number } = ROOM,
): MediaDeps['media'] {
  return { store, uses, pool: bulkhead(room.slots, room.waiting) };
}
