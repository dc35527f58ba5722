import type { BoundedPool } from '../../platform/bounded-pool.ts';
import type { MediaStore } from '../../platform/media-store.ts';
import type { Database } from '../database.ts';

/** What the use cases of media need beside the database: where files live, and the bounded room for pictures in work. */
export type MediaDeps = { db: Database; media: { store: MediaStore; pool: BoundedPool } };
