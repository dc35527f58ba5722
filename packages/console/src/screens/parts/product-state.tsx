import { useAction } from '../../data/action.ts';
import { useRead } from '../../data/read.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { LinkButton } from '../../parts/button.tsx';
import { Block, Facts } from '../../parts/page.tsx';
import css from '../../parts/parts.module.css';
import { Loaded } from '../../parts/states.tsx';
import { CodeStatus, Status, When } from '../../parts/values.tsx';
import { code, t } from '../../texts/texts.ts';
import type { Product } from '../../data/records.ts';

const REMEDIES: Readonly<Record<string, string>> = {
  NO_MAIN_IMAGE: 'pictures',
  NO_PLACEMENT: 'places',
};

export function ProductState({
  product: { id, status, statusReason, publishedAt },
}: {
  product: Product;
}) {
  const check = useRead('checkPublish', [{ id }]);
  const publish = useAction('publishProduct');
  const unpublish = useAction('unpublishProduct');
  const archive = useAction('archiveProduct');
  const restore = useAction('restoreProduct');
  const input = (): [{ id: number }] => [{ id }];
  const isArchived = status === 'ARCHIVED';
  const blocked =
    check.data?.canPublish === false
      ? t('product.violated', { count: check.data.violations.length })
      : null;

  return (
    <Block
      title={t('product.state')}
      actions={
        <>
          <ActionButton
            look="primary"
            action={publish}
            label={t('product.publish')}
            reason={status === 'PUBLISHED' ? t('product.isPublished') : blocked}
            input={input}
          />
          <ActionButton
            action={unpublish}
            label={t('product.unpublish')}
            reason={status === 'PUBLISHED' ? null : t('product.notPublished')}
            confirm={t('product.unpublishText')}
            input={input}
          />
          {isArchived ? (
            <ActionButton action={restore} label={t('product.restore')} input={input} />
          ) : (
            <ActionButton
              look="danger"
              action={archive}
              label={t('product.archive')}
              confirm={t('product.archiveText')}
              input={input}
            />
          )}
          <LinkButton to="/missing" search={{ product: String(id) }}>
            {t('missing.title')}
          </LinkButton>
        </>
      }
    >
      <Facts
        facts={[
          [t('products.status'), <CodeStatus key="s" group="productStatus" value={status} />],
          [t('product.reason'), statusReason === null ? null : code('statusReason', statusReason)],
          [
            t('product.publishedAt'),
            publishedAt === null ? null : <When key="p" at={publishedAt} />,
          ],
        ]}
      />
      <Loaded query={check}>
        {({ violations }) =>
          violations.length === 0 ? (
            <Status tone="good">{t('product.ready')}</Status>
          ) : (
            <ul className={css['list']}>
              {violations.map(({ code: name }) => (
                <li key={name}>
                  <Status tone="bad">{code('bulkReason', name)}</Status>
                  <LinkButton
                    small
                    to={`/products/${id}`}
                    search={{ tab: REMEDIES[name] ?? 'variants' }}
                  >
                    {t('missing.repair')}
                  </LinkButton>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Block>
  );
}
