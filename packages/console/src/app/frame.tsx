import { Outlet, useLocation, useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useLive } from '../data/live.ts';
import { useRead } from '../data/read.ts';
import { useFrameZone, ZoneContext } from '../data/restaurants.ts';
import { Button, LinkButton } from '../parts/button.tsx';
import { Toasts } from '../parts/toast.tsx';
import { count } from '../pure/format.ts';
import { currentLanguage, t } from '../texts/texts.ts';
import css from './frame.module.css';
import { FindBox } from './find-box.tsx';
import { LanguageSwitch } from './language-switch.tsx';
import { Navigation } from './navigation.tsx';
import { RestaurantPicker } from './restaurant-picker.tsx';

export function Frame() {
  const connection = useLive();
  const zone = useFrameZone();
  const { pathname } = useLocation();
  const shown = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [pathname]);

  return (
    <div className={css['frame']}>
      <a href="#content" className={css['skip']}>
        {t('nav.skip')}
      </a>
      <Navigation isOpen={isOpen} />
      <div className={css['main']}>
        <header className={css['top']}>
          <span className={css['menu']}>
            <Button small onPress={() => setOpen(!isOpen)} label={t('nav.menu')}>
              ☰
            </Button>
          </span>
          <FindBox />
          <RestaurantPicker />
          <span className={css['space']} />
          <span
            className={css['dot']}
            data-state={connection}
            role="status"
            title={t(`connection.${connection}`)}
          >
            <span>{t(`connection.${connection}`)}</span>
          </span>
          <Bell />
          <LanguageSwitch />
          <LinkButton to="/account" small look="quiet">
            {t('account.title')}
          </LinkButton>
        </header>
        <main
          id="content"
          className={css['content']}
          tabIndex={-1}
          data-screen={shown}
          aria-busy={shown !== pathname}
        >
          <ZoneContext value={zone}>
            <Outlet />
          </ZoneContext>
        </main>
      </div>
      <Toasts />
    </div>
  );
}

const BellIcon = () => (
  <svg
    aria-hidden="true"
    width="16"
    height="16"
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.5"
  >
    <path
      d="M3.5 11.5h9L11.4 10V7a3.4 3.4 0 0 0-6.8 0v3zM6.6 13.4a1.6 1.6 0 0 0 2.8 0"
      strokeLinejoin="round"
    />
  </svg>
);

/** Counts open notifications. The stream keeps it up to date. */
function Bell() {
  const { data } = useRead('getWork', []);
  const open = data?.kinds.find(({ kind }) => kind === 'NOTIFICATIONS')?.count ?? 0;

  return (
    <LinkButton to="/notifications" search={{ open: 'true' }} small look="quiet">
      <BellIcon />
      <span>{t('nav.bell', { count: open, shown: count(open, currentLanguage()) })}</span>
    </LinkButton>
  );
}
