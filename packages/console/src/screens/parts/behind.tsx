import type { Data } from '../../data/api.ts';
import { useRead } from '../../data/read.ts';
import css from '../../parts/parts.module.css';
import { Age } from '../../parts/values.tsx';
import { t } from '../../texts/texts.ts';

/** Menus are built within half a minute, also during a burst of changes. */
const LATE_SECONDS = 60;

/** Returns the seconds since the oldest waiting change. */
function oldestAge({ queues, organizations }: Data<'getSyncStatus'>): number {
  const queued = Object.values(queues).map(({ oldestAgeSeconds }) => oldestAgeSeconds ?? 0);
  const dirty = organizations
    .flatMap(({ menuDirtySince, stopListDirtySince }) => [menuDirtySince, stopListDirtySince])
    .map((since) => (since === null ? 0 : (Date.now() - Date.parse(since)) / 1_000));
  return Math.max(0, ...queued, ...dirty);
}

/** Warns that no worker processes waiting changes. */
export function Behind() {
  const { data } = useRead('getSyncStatus', [], { everyMs: 10_000 });
  const oldest = data === undefined ? 0 : oldestAge(data);
  if (oldest < LATE_SECONDS) return null;

  return (
    <p role="alert" className={css['notice']}>
      {t('now.behind')} <Age seconds={oldest} />
    </p>
  );
}
