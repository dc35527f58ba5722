import { useUrl } from '../data/url.ts';
import { Page, Tabs } from '../parts/page.tsx';
import { oneOf } from '../pure/search.ts';
import { t } from '../texts/texts.ts';
import { Candidates, Conflicts, Unauthorized } from './parts/gift-decisions.tsx';

/** Gifts that require a decision: phrases, conflicts, gifts without a right. */
export function Screen() {
  const [search] = useUrl();
  const tab = oneOf(search, 'tab') ?? 'candidates';
  return (
    <Page title={t('decisions.title')} lead={t('decisions.lead')}>
      <Tabs
        current={tab}
        tabs={[
          ['candidates', t('decisions.candidates')],
          ['conflicts', t('decisions.conflicts')],
          ['unauthorized', t('decisions.unauthorized')],
        ]}
      />
      {tab === 'candidates' && <Candidates />}
      {tab === 'conflicts' && <Conflicts />}
      {tab === 'unauthorized' && <Unauthorized />}
    </Page>
  );
}
