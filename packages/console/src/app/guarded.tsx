import type { ComponentType, ReactNode } from 'react';
import { useAccess } from '../data/access.tsx';
import type { OperationId } from '../data/api.ts';
import { LinkButton } from '../parts/button.tsx';
import { Page } from '../parts/page.tsx';
import { EmptyState, ErrorState, Forbidden } from '../parts/states.tsx';
import { t } from '../texts/texts.ts';

/** Shows the missing permission instead of the screen. */
export function guarded(needs: OperationId, Screen: ComponentType): () => ReactNode {
  return function Guarded() {
    const lacks = useAccess()(needs);
    if (lacks === null) return <Screen />;

    return (
      <Page title={t('error.noAccess')}>
        <Forbidden permission={lacks} />
      </Page>
    );
  };
}

export function Failed({ error }: { error: unknown }) {
  return (
    <Page title={t('error.failed')}>
      <ErrorState error={error} onRetry={() => location.reload()} />
    </Page>
  );
}

export function NotFound() {
  return (
    <Page title={t('error.notFound')}>
      <EmptyState
        text={t('error.notFoundText')}
        action={<LinkButton to="/">{t('now.title')}</LinkButton>}
      />
    </Page>
  );
}
