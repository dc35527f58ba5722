import { useUrl } from '../data/url.ts';
import { Page, Tabs } from '../parts/page.tsx';
import { readOne } from '../pure/search.ts';
import { t } from '../texts/texts.ts';
import { Composition } from './parts/composition.tsx';
import { Discounts } from './parts/discounts.tsx';
import { Expectation, Notices } from './parts/guest-rules.tsx';
import { Promocodes } from './parts/promocodes.tsx';

/** Discounts, promo codes, notices, waiting times and composition. */
export function Screen() {
  const [search] = useUrl();
  const tab = readOne(search, 'tab') ?? 'discounts';

  return (
    <Page manual="promo-codes" title={t('offers.title')} lead={t('offers.lead')}>
      <Tabs
        current={tab}
        tabs={[
          ['discounts', t('offers.discounts')],
          ['promocodes', t('offers.promocodes')],
          ['notices', t('offers.notices')],
          ['expectation', t('offers.expectation')],
          ['composition', t('offers.composition')],
        ]}
      />
      {tab === 'discounts' && <Discounts />}
      {tab === 'promocodes' && <Promocodes />}
      {tab === 'notices' && <Notices />}
      {tab === 'expectation' && <Expectation />}
      {tab === 'composition' && <Composition />}
    </Page>
  );
}
