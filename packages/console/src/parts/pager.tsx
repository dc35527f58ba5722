import { Link } from '@tanstack/react-router';
import { count } from '../pure/format.ts';
import { currentLanguage, t } from '../texts/texts.ts';
import parts from './parts.module.css';
import css from './table.module.css';

export function Pager({ page, size, total }: { page: number; size: number; total: number }) {
  if (total === 0) return null;
  const shown = (value: number) => count(value, currentLanguage());
  const values = {
    from: shown((page - 1) * size + 1),
    to: shown(Math.min(page * size, total)),
    total: shown(total),
  };

  return (
    <nav className={css['pager']} aria-label={t('table.pages')}>
      <span>{t('table.position', values)}</span>
      <span className={parts['row']}>
        {page > 1 && <PageLink page={page - 1} label={t('table.previous')} />}
        {page * size < total && <PageLink page={page + 1} label={t('table.next')} />}
      </span>
    </nav>
  );
}

function PageLink({ page, label }: { page: number; label: string }) {
  return (
    <Link
      to="."
      className={`${parts['button']} ${parts['small']}`}
      search={
        ((before: object) => ({ ...before, page: page === 1 ? undefined : String(page) })) as never
      }
    >
      {label}
    </Link>
  );
}
