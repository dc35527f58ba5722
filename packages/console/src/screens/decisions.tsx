import { useRead } from '../data/read.ts';
import { useUrl } from '../data/url.ts';
import { Page, Tabs } from '../parts/page.tsx';
import { readOne } from '../pure/search.ts';
import { t } from '../texts/texts.ts';
import { Candidates, Conflicts, Unauthorized } from './parts/gift-decisions.tsx';

/** Gifts that require a decision: phrases, conflicts, gifts without a right. */
export function Screen() {
  const [search] = useUrl();
  const tab = readOne(search, 'tab') ?? 'candidates';
  const work = useRead('getWork', []);
  /** The name of a tab with the number of decisions that wait there. */
  const named = (name: string, kind: string): string => {
    const count = work.data?.kinds.find((open) => open.kind === kind)?.count ?? 0;
    return count === 0 ? name : `${name} (${count})`;
  };

  return (
    <Page title={t('decisions.title')} lead={t('decisions.lead')}>
      <Tabs
        current={tab}
        tabs={[
          ['candidates', named(t('decisions.candidates'), 'GIFT_CANDIDATES')],
          ['conflicts', named(t('decisions.conflicts'), 'GIFT_CONFLICTS')],
          ['unauthorized', named(t('decisions.unauthorized'), 'GIFTS_UNAUTHORIZED')],
        ]}
      />
      {tab === 'candidates' && <Candidates />}
      {tab === 'conflicts' && <Conflicts />}
      {tab === 'unauthorized' && <Unauthorized />}
    </Page>
  );
}
