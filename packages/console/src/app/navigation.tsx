import { Link } from '@tanstack/react-router';
import { useAccess } from '../data/access.tsx';
import { useRead } from '../data/read.ts';
import { t } from '../texts/texts.ts';
import css from './frame.module.css';
import { GROUPS, SCREENS } from './screens.ts';

/** Kinds of counted open work, by the path of their screen. */
const COUNTED: Readonly<Record<string, readonly string[]>> = {
  '/incidents': ['INCIDENTS_CRITICAL'],
  '/orders': ['ORDERS_NOT_AT_ERP'],
  '/decisions': ['GIFT_CANDIDATES', 'GIFT_CONFLICTS', 'GIFTS_UNAUTHORIZED'],
};

export function Navigation({ isOpen }: { isOpen: boolean }) {
  const lacks = useAccess();
  const { data: work } = useRead('getWork', []);
  const open = (path: string) =>
    (COUNTED[path] ?? []).reduce(
      (sum, kind) => sum + (work?.kinds.find((of) => of.kind === kind)?.count ?? 0),
      0,
    );

  return (
    <nav className={css['side']} data-open={isOpen} aria-label={t('nav.screens')}>
      <Link to="/" className={css['brand']!} translate="no">
        Carte
      </Link>
      {GROUPS.map((group) => {
        const screens = SCREENS.filter(
          (screen) => screen.group === group && lacks(screen.needs) === null,
        );
        if (screens.length === 0) return null;

        return (
          <div key={group} role="group" aria-labelledby={`group-${group}`}>
            <div id={`group-${group}`} className={css['group']}>
              {t(`nav.${group}`)}
            </div>
            {screens.map(({ path, title }) => (
              <Link
                key={path}
                to={path}
                className={css['item']!}
                activeOptions={{ exact: path === '/', includeSearch: false }}
              >
                {t(title)}
                {open(path) > 0 && <span className={css['badge']}>{open(path)}</span>}
              </Link>
            ))}
          </div>
        );
      })}
    </nav>
  );
}
