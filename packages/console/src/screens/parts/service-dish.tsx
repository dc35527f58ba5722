import { useState } from 'react';
import type { Action } from '../../data/action.ts';
import { useRead } from '../../data/read.ts';
import { Button } from '../../parts/button.tsx';
import form from '../../parts/form.module.css';
import css from '../../parts/parts.module.css';
import { EmptyState, ErrorState, Loaded } from '../../parts/states.tsx';
import { code, t } from '../../texts/texts.ts';

/** Suggested roles. A chain may have others. */
const ROLES = [
  'CUTLERY',
  'FREE_SOY',
  'PAID_SOY',
  'FREE_WASABI',
  'PAID_WASABI',
  'SUGAR',
  'LEAVE_AT_DOOR',
  'DELIVERY_FEE',
] as const;

type DishProps = {
  action: Action<'replaceServiceRoles'>;
  choose: (role: string, erpItemId: string) => Promise<void>;
};

export function ServiceDish({ action, choose }: DishProps) {
  const [role, setRole] = useState<string>(ROLES[0]);
  const [q, setQ] = useState('');
  const query = useRead('listErpItems', [{ q, size: 20 }], { enabled: q.trim().length > 1 });

  return (
    <div className={css['stack']}>
      <label className={form['field']}>
        <span className={form['label']}>{t('composition.role')}</span>
        <select
          className={form['input']}
          value={role}
          onChange={({ target }) => setRole(target.value)}
        >
          {ROLES.map((value) => (
            <option key={value} value={value}>
              {code('serviceRole', value)}
            </option>
          ))}
        </select>
      </label>
      <label className={form['field']}>
        <span className={form['label']}>{t('dishes.find')}</span>
        <input
          className={form['input']}
          type="search"
          value={q}
          onChange={({ target }) => setQ(target.value)}
        />
      </label>
      {action.error !== null && <ErrorState error={action.error} />}
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState text={t('find.none')} />
          ) : (
            <ul className={css['list']}>
              {items.map(({ itemId, name, sku }) => (
                <li key={itemId}>
                  <span className={css['grow']}>
                    {name} <code>{sku}</code>
                  </span>
                  <Button
                    small
                    isPending={action.isPending}
                    onPress={() => void choose(role, itemId).catch(() => undefined)}
                  >
                    {t('service.choose')}
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </div>
  );
}
