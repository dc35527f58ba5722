import { useRead } from '../../data/read.ts';
import css from '../../parts/parts.module.css';
import { EmptyState, Loaded } from '../../parts/states.tsx';
import { Person, When } from '../../parts/values.tsx';
import { t } from '../../texts/texts.ts';

/** Dishes of the ERP to which a variant was bound, newest first. */
export function BindingHistory({ id }: { id: number }) {
  const query = useRead('listBindingHistory', [{ id, size: 50 }]);
  return (
    <Loaded query={query}>
      {({ items }) =>
        items.length === 0 ? (
          <EmptyState text={t('variants.noHistory')} />
        ) : (
          <ul className={css['list']}>
            {items.map(({ id: change, changedAt, changedBy, from, to, reason }) => (
              <li key={change}>
                <span className={css['grow']}>
                  {from.name ?? '—'} <code>{from.sku}</code> →{' '}
                  {to === null ? t('variants.removed') : (to.name ?? '—')}{' '}
                  {to !== null && <code>{to.sku}</code>}
                  {reason !== null && (
                    <div className={css['muted']} translate="no">
                      {reason}
                    </div>
                  )}
                </span>
                <Person author={changedBy} />
                <When at={changedAt} />
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}
