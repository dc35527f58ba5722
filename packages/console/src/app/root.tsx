import { lazy, Suspense, useState } from 'react';
import { useProfile } from '../data/access.tsx';
import { Button } from '../parts/button.tsx';
import parts from '../parts/parts.module.css';
import { Skeleton } from '../parts/states.tsx';
import { Toasts } from '../parts/toast.tsx';
import { t } from '../texts/texts.ts';
import css from './frame.module.css';
import { Frame } from './frame.tsx';
import { LanguageSwitch } from './language-switch.tsx';

const Account = lazy(() =>
  import('../screens/account.tsx').then(({ Screen }) => ({ default: Screen })),
);

/**
 * Shows only the account while the password must be changed or a second factor set up, until the
 * person continues: recovery codes are shown only once.
 */
export function Root() {
  const { mustChangePassword, secondFactor } = useProfile();
  const isDemanded = mustChangePassword || secondFactor.isDemanded;
  const [isFrame, setFrame] = useState(!isDemanded);
  if (isDemanded && isFrame) setFrame(false);
  if (isFrame) return <Frame />;

  return (
    <main id="content" className={css['content']} tabIndex={-1}>
      <Suspense fallback={<Skeleton />}>
        <Account />
      </Suspense>
      <div className={parts['row']}>
        {!isDemanded && (
          <Button look="primary" onPress={() => setFrame(true)}>
            {t('account.goOn')}
          </Button>
        )}
        <LanguageSwitch />
      </div>
      <Toasts />
    </main>
  );
}
