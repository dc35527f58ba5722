import { bulkhead } from 'cockatiel';
import { sql } from 'kysely';
import type { Failpoint } from '../../platform/failpoint.ts';
import type { Log } from '../../platform/log.ts';
import type { MediaStore, StoredFile } from '../../platform/media-store.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { earlierProgress, reportProgress } from '../../platform/progress.ts';
import type { Database, Sql } from '../../platform/db/database.ts';
import { claimForRemoval, endRemoval } from './claims.ts';
import { parseStoredPart, type StoredPart } from './media-urls.ts';

export type SweepDeps = {
  db: Database;
  mediaStore: () => Promise<MediaStore>;
  /** Minimum age in ms of files that may be removed. */
  orphanGraceMs: number;
  metrics: Pick<Metrics, 'mediaFilesRemoved'>;
  log: Log;
  failpoint: Failpoint;
};

/** `next` is the start of the next call, or null. */
export type Swept = { next: string | null; removed: number };

const BATCH = 500;
const AT_ONCE = 8;
/** Limit in ms, far shorter than a reservation and the activity. */
const REMOVE_WITHIN = 40_000;
/** Leaves time for one more batch in an attempt. */
const SWEEP_MS = 30_000;

type Candidate = StoredPart & StoredFile;

/**
 * Removes old files of failed uploads, deleted media, and crops that no stored menu shows (decision
 * 6). Throws MediaStoreFailure; the reservation then expires, because an unanswered removal may
 * still happen.
 */
export async function sweepMedia(
  deps: SweepDeps,
  { after, limit = BATCH }: { after: string | null; limit?: number },
  signal?: AbortSignal,
): Promise<Swept> {
  const store = await deps.mediaStore();
  const { files, next } = await store.list({ after, limit });
  const old = Date.now() - deps.orphanGraceMs;
  const ours = files.flatMap((file) => ({
    ...file,
    ...(parseStoredPart(file.key) ?? { what: undefined }),
  }));

  const orphans = await withoutRow(
    deps.db,
    ours.filter(
      (file): file is Candidate => file.what !== undefined && file.writtenAt.getTime() < old,
    ),
  );
  if (orphans.length === 0) return { next, removed: 0 };

  if (!(await hasMedia(deps.db))) {
    deps.log.warn(
      { files: orphans.length },
      'the database has no media but the media store has: nothing is removed',
    );

    return { next: null, removed: 0 };
  }

  const removed = await removeClaimed(deps, store, orphans, signal);
  for (const { what } of removed) deps.metrics.mediaFilesRemoved.inc({ what });
  if (removed.length > 0) deps.log.info({ files: removed.length }, 'files without media removed');

  return { next, removed: removed.length };
}

/** Runs {@link sweepMedia} in batches, resuming an earlier attempt. */
export async function sweepBatches(
  deps: SweepDeps,
  { after }: { after: string | null },
  signal: AbortSignal,
): Promise<Swept> {
  const until = performance.now() + SWEEP_MS;
  const { after: place } = earlierProgress();
  const swept: Swept = { next: typeof place === 'string' ? place : after, removed: 0 };
  do {
    reportProgress({
      removed: swept.removed,
      ...(swept.next === null ? {} : { after: swept.next }),
    });
    const { next, removed } = await sweepMedia(deps, { after: swept.next }, signal);
    swept.next = next;
    swept.removed += removed;
  } while (swept.next !== null && performance.now() < until && !signal.aborted);

  return swept;
}

async function removeClaimed(
  { db, failpoint }: Pick<SweepDeps, 'db' | 'failpoint'>,
  store: MediaStore,
  orphans: readonly Candidate[],
  signal?: AbortSignal,
): Promise<Candidate[]> {
  const stopAt = performance.now() + REMOVE_WITHIN;
  const claim = await claimForRemoval(db, [...new Set(orphans.map((orphan) => orphan.name))]);
  // Checks again, now that the files are reserved.
  const doomed = (await withoutRow(db, orphans)).filter((candidate) =>
    claim.files.has(candidate.name),
  );
  const slots = bulkhead(AT_ONCE, Infinity);
  const removals = await Promise.allSettled(
    doomed.map((file) =>
      slots.execute(async () => {
        if (performance.now() > stopAt || signal?.aborted === true) return [];
        await store.remove(file.key);
        reportProgress({ file: file.key });
        failpoint('media-file-removed');
        return [file];
      }),
    ),
  );

  const failed = removals.find((removal) => removal.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  await endRemoval(db, claim);

  return removals.flatMap((removal) => (removal.status === 'fulfilled' ? removal.value : []));
}

async function withoutRow(tx: Sql, files: readonly Candidate[]): Promise<Candidate[]> {
  const names = [...new Set(files.map((file) => file.name))];
  const rows = await tx.db
    .selectFrom(sql<{ name: string }>`unnest(${names}::text[])`.as<'file'>(sql`file(name)`))
    .select('file.name')
    .where(
      sql<boolean>`exists (select 1 from media where sha256 = name)
        or exists (select 1 from media where rendition_set = name)
        or exists (select 1 from media_retired where rendition_set = name)`,
    )
    .execute();

  const rowNames = new Set(rows.map((row) => row.name));

  return files.filter((file) => file.isDraft || !rowNames.has(file.name));
}

/** An empty database is probably the wrong one. */
async function hasMedia(tx: Sql): Promise<boolean> {
  const hasOne = sql<boolean>`exists (select 1 from media) or exists (select 1 from media_retired)`;
  const row = await tx.db.selectNoFrom(hasOne.as('hasOne')).executeTakeFirst();
  return row?.hasOne === true;
}
