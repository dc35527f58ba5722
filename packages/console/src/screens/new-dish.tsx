import { Link, useParams } from '@tanstack/react-router';
import { useAction } from '../data/action.ts';
import { useRead } from '../data/read.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { Block, Facts, Page } from '../parts/page.tsx';
import css from '../parts/parts.module.css';
import { Loaded } from '../parts/states.tsx';
import { CodeStatus } from '../parts/values.tsx';
import { t } from '../texts/texts.ts';
import { SellDish } from './parts/sell-dish.tsx';

/** One dish of the ERP, and the form that puts it on sale. */
export function Screen() {
  const { id } = useParams({ strict: false }) as { id: string };
  const query = useRead('getErpItem', [{ item_id: id }]);
  const triage = useAction('triageErpItem');

  return (
    <Page
      manual="new-dish"
      title={query.data?.name ?? t('dishes.title')}
      lead={<Link to="/new-dishes">{t('dishes.all')}</Link>}
    >
      <Loaded query={query}>
        {(item) => (
          <div className={css['columns']}>
            <Block
              title={t('dishes.atErp')}
              actions={
                <ActionButton
                  action={triage}
                  label={t(item.triage === 'IGNORED' ? 'dishes.restore' : 'dishes.ignore')}
                  reason={item.boundProduct === null ? null : t('dishes.linked')}
                  input={() => [
                    { item_id: id },
                    { status: item.triage === 'IGNORED' ? ('NEW' as const) : ('IGNORED' as const) },
                  ]}
                />
              }
            >
              <Facts
                facts={[
                  [t('dishes.state'), <CodeStatus key="s" group="triage" value={item.triage} />],
                  [t('incident.sku'), item.sku],
                  [t('dishes.category'), item.productCategory?.name ?? null],
                  [t('dishes.description'), item.description],
                  [
                    t('dishes.restaurants'),
                    String(new Set(item.prices.map(({ organizationId }) => organizationId)).size),
                  ],
                  [
                    t('find.product'),
                    item.boundProduct === null ? null : (
                      <Link key="p" to={`/products/${item.boundProduct.id}`}>
                        {item.boundProduct.name}
                      </Link>
                    ),
                  ],
                ]}
              />
            </Block>
            <SellDish id={id} erpCategoryId={item.productCategory?.id} />
          </div>
        )}
      </Loaded>
    </Page>
  );
}
