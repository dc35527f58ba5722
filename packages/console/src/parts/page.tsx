import { useEffect, type ReactNode } from 'react';
import { useAccess } from '../data/access.tsx';
import type { OperationId } from '../data/api.ts';
import { useRead } from '../data/read.ts';
import { currentLanguage, t } from '../texts/texts.ts';
import { Link, useLocation } from '@tanstack/react-router';
import css from './parts.module.css';
import { Forbidden } from './states.tsx';

type PageProps = {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  /** A page of docs/console. */
  manual?: string;
  children: ReactNode;
};

export function Page({ title, lead, actions, manual, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Carte`;
  }, [title]);
  return (
    <div className={css['page']}>
      <header className={css['head']}>
        <div className={css['headText']}>
          <h1>{title}</h1>
          {lead !== undefined && <div className={css['lead']}>{lead}</div>}
          {manual !== undefined && <Manual page={manual} />}
        </div>
        {actions !== undefined && <div className={css['row']}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** Links to a manual in the console's language if the API serves the documentation. */
function Manual({ page }: { page: string }) {
  const { data } = useRead('getConsoleConfig', []);
  if (data === undefined || data.docsPath === null) return null;
  const folder = currentLanguage() === 'ru' ? 'console/ru' : 'console';

  return (
    <a href={`${data.docsPath}/${folder}/${page}`} target="_blank" rel="noreferrer">
      {t('action.manual')}
    </a>
  );
}

type BlockProps = {
  title?: string;
  /**
   * The read that the block requires. Without its permission, the block shows the missing
   * permission.
   */
  needs?: OperationId;
  actions?: ReactNode;
  children: ReactNode;
};

export function Block({ title, needs, actions, children }: BlockProps) {
  const lacks = useAccess()(needs ?? 'me');
  return (
    <section className={css['block']}>
      {(title !== undefined || actions !== undefined) && (
        <div className={css['blockHead']}>
          {title !== undefined && <h2>{title}</h2>}
          {actions !== undefined && <div className={css['row']}>{actions}</div>}
        </div>
      )}
      {lacks === null ? children : <Forbidden permission={lacks} />}
    </section>
  );
}

export type Fact = readonly [label: string, value: ReactNode];

/** Shows facts, without null values. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={css['facts']}>
      {facts
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([label, value]) => (
          <div key={label} className={css['fact']}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

type TabsProps = { tabs: readonly (readonly [id: string, label: string])[]; current: string };

export function Tabs({ tabs, current }: TabsProps) {
  const { pathname } = useLocation();
  return (
    <nav className={css['tabs']} aria-label={t('nav.tabs')}>
      {tabs.map(([id, label]) => (
        <Link
          key={id}
          to={pathname}
          search={
            ((search: object) => ({
              ...search,
              tab: id,
              page: undefined,
              sort: undefined,
            })) as never
          }
          aria-current={id === current ? 'page' : undefined}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
