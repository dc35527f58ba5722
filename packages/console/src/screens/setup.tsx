import { Link } from '@tanstack/react-router';
import { useRead } from '../data/read.ts';
import { useUrl } from '../data/url.ts';
import { Table } from '../parts/data-table.tsx';
import { Filters, indexKinds, type Filter } from '../parts/filters.tsx';
import { Block, Page } from '../parts/page.tsx';
import { Loaded } from '../parts/states.tsx';
import { Status } from '../parts/values.tsx';
import { toParams } from '../pure/filters.ts';
import { code, t } from '../texts/texts.ts';

const filters = (): readonly Filter[] => [
  { name: 'q', kind: 'text', label: t('restaurants.find') },
];

/** Restaurants, and what prevents them from taking orders. */
export function Screen() {
  const [search] = useUrl();
  const query = useRead('getOrganizationsOverview', [{}]);
  const { q = '' } = toParams(indexKinds(filters()), search) as { q?: string };

  return (
    <Page title={t('setup.title')} lead={t('setup.lead')}>
      <Filters filters={filters()} />
      <Block needs="getOrganizationsOverview">
        <Loaded query={query}>
          {({ organizations }) => (
            <Table
              label={t('setup.title')}
              rows={organizations.filter(({ name }) =>
                name.toLowerCase().includes(q.toLowerCase()),
              )}
              rowId={({ organizationId }) => String(organizationId)}
              empty={{ text: t('setup.none') }}
              columns={[
                {
                  id: 'name',
                  header: t('missing.restaurant'),
                  cell: ({ organizationId, name, missing }) => (
                    <Link
                      to={`/setup/${organizationId}`}
                      search={(missing.length === 0 ? {} : { tab: 'readiness' }) as never}
                    >
                      {name}
                    </Link>
                  ),
                },
                {
                  id: 'zone',
                  header: t('setup.timeZone'),
                  cell: ({ timeZone }) => <code>{timeZone}</code>,
                },
                {
                  id: 'ready',
                  header: t('restaurants.missing'),
                  cell: ({ missing }) =>
                    missing.length === 0 ? (
                      <Status tone="good">{t('setup.ready')}</Status>
                    ) : (
                      <Status tone="warn">
                        {missing.map((part) => code('readiness', part)).join(', ')}
                      </Status>
                    ),
                },
              ]}
            />
          )}
        </Loaded>
      </Block>
    </Page>
  );
}
