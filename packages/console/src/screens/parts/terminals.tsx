import { useAll } from '../../data/read.ts';
import { Table } from '../../parts/data-table.tsx';
import { Block } from '../../parts/page.tsx';
import { Loaded } from '../../parts/states.tsx';
import { Status, When } from '../../parts/values.tsx';
import { t } from '../../texts/texts.ts';
import type { RestaurantProps } from './restaurant-props.ts';

/** Orders arrive at terminals that are awake. */
export function Terminals({ id, zone }: RestaurantProps) {
  const query = useAll('listTerminals', { organization_id: id });
  return (
    <Block title={t('restaurants.terminals')} needs="listTerminals">
      <Loaded query={query}>
        {({ items }) => (
          <Table
            label={t('restaurants.terminals')}
            rows={items}
            rowId={({ id: terminal }) => String(terminal)}
            empty={{ text: t('terminals.none') }}
            columns={[
              {
                id: 'name',
                header: t('product.name'),
                cell: ({ name }) => <span translate="no">{name}</span>,
              },
              {
                id: 'state',
                header: t('incidents.status'),
                cell: ({ isAsleep, inactiveAt }) =>
                  inactiveAt === null ? (
                    <Status tone={isAsleep ? 'bad' : 'good'}>
                      {t(isAsleep ? 'terminals.asleep' : 'terminals.awake')}
                    </Status>
                  ) : (
                    <Status>{t('terminals.gone')}</Status>
                  ),
              },
              {
                id: 'at',
                header: t('connections.imported'),
                cell: ({ synchronizedAt }) => <When at={synchronizedAt} zone={zone} />,
              },
            ]}
          />
        )}
      </Loaded>
    </Block>
  );
}
