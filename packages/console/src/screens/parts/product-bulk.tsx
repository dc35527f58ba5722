import { useState } from 'react';
import { useAction } from '../../data/action.ts';
import { useAccess } from '../../data/access.tsx';
import type { Data, Input } from '../../data/api.ts';
import { useAll } from '../../data/read.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import form from '../../parts/form.module.css';
import css from '../../parts/parts.module.css';
import { ErrorState } from '../../parts/states.tsx';
import { announce } from '../../parts/toast.tsx';
import { code, needs, t } from '../../texts/texts.ts';

type Body = Input<'bulkProducts'>[0];
type Result = Data<'bulkProducts'>;

const ACTIONS = [
  'PUBLISH',
  'UNPUBLISH',
  'ARCHIVE',
  'ADD_TO_CATEGORY',
  'REMOVE_FROM_CATEGORY',
] as const;

const FILTER_NAMES: Readonly<Record<string, string>> = {
  q: 'q',
  status: 'status',
  category_id: 'categoryId',
  badge_id: 'badgeId',
  has_image: 'hasImage',
  erp_issue: 'erpIssue',
  organization_id: 'organizationId',
};

const toFilter = (params: Readonly<Record<string, unknown>>): NonNullable<Body['filter']> =>
  Object.fromEntries(
    Object.entries(FILTER_NAMES).flatMap(([from, to]) =>
      params[from] === undefined ? [] : [[to, params[from]]],
    ),
  );

type BulkProps = {
  ids: readonly number[];
  params: Readonly<Record<string, unknown>>;
  total: number;
  onDone: () => void;
};

/**
 * Runs one action for the selected products, or for all found. Shows a dry run first, then the
 * results.
 */
export function ProductBulk({ ids, params, total, onDone }: BulkProps) {
  const bulk = useAction('bulkProducts');
  const lacks = useAccess();
  const categories = useAll('listCategories', {});
  const [action, setAction] = useState<(typeof ACTIONS)[number]>('PUBLISH');
  const [categoryId, setCategoryId] = useState('');
  const [plan, setPlan] = useState<{ body: Body; result: Result; isDone: boolean } | null>(null);
  const needsCategory = action.endsWith('CATEGORY');
  const permission = lacks('bulkProducts', action);
  const reason =
    needs(permission) ?? (needsCategory && categoryId === '' ? t('bulk.chooseCategory') : null);

  const preview = async (which: Pick<Body, 'productIds' | 'filter'>) => {
    const body: Body = {
      ...which,
      action,
      ...(needsCategory ? { payload: { categoryId: Number(categoryId) } } : {}),
    };

    setPlan({ body, result: await bulk.run({ ...body, dryRun: true }), isDone: false });
  };

  const apply = async () => {
    const result = await bulk.run(plan!.body);
    announce(t('bulk.done', { count: result.succeeded.length }));
    setPlan(result.failed.length === 0 ? null : { body: plan!.body, result, isDone: true });
    onDone();
  };

  return (
    <div className={css['row']}>
      <select
        className={form['input']}
        style={{ width: 'auto' }}
        aria-label={t('bulk.action')}
        value={action}
        onChange={({ target }) => setAction(target.value as typeof action)}
      >
        {ACTIONS.map((value) => (
          <option key={value} value={value}>
            {code('bulkAction', value)}
          </option>
        ))}
      </select>
      {needsCategory && (
        <select
          className={form['input']}
          style={{ width: 'auto' }}
          aria-label={t('products.category')}
          value={categoryId}
          onChange={({ target }) => setCategoryId(target.value)}
        >
          <option value="">{t('products.category')}</option>
          {(categories.data?.items ?? []).map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
      <Button
        reason={reason ?? (ids.length === 0 ? t('bulk.chooseFirst') : null)}
        onPress={() => void preview({ productIds: [...ids] }).catch(() => undefined)}
      >
        {t('bulk.chosen', { count: ids.length })}
      </Button>
      <Button
        reason={reason}
        onPress={() => void preview({ filter: toFilter(params) }).catch(() => undefined)}
      >
        {t('bulk.all', { count: total })}
      </Button>
      {bulk.error !== null && plan === null && <ErrorState error={bulk.error} />}
      <Dialog
        title={code('bulkAction', action)}
        isOpen={plan !== null}
        onClose={() => setPlan(null)}
        isBox
      >
        {plan !== null && (
          <Results
            plan={plan}
            isPending={bulk.isPending}
            close={() => setPlan(null)}
            apply={() => void apply().catch(() => undefined)}
          />
        )}
      </Dialog>
    </div>
  );
}

type ResultsProps = {
  plan: { result: Result; isDone: boolean };
  isPending: boolean;
  close: () => void;
  apply: () => void;
};

function Results({ plan: { result, isDone }, isPending, close, apply }: ResultsProps) {
  return (
    <>
      <p>
        {t('bulk.result', { succeeded: result.succeeded.length, failed: result.failed.length })}
      </p>
      <ul className={css['list']}>
        {result.failed.map(({ id, reason }) => (
          <li key={id}>
            <a className={css['grow']} href={`/console/products/${id}`}>
              {t('bulk.product', { id })}
            </a>
            <span>{code('bulkReason', reason)}</span>
          </li>
        ))}
      </ul>
      <div className={form['foot']}>
        <Button onPress={close}>{t(isDone ? 'action.close' : 'action.cancel')}</Button>
        {!isDone && (
          <Button
            look="primary"
            isPending={isPending}
            reason={result.succeeded.length === 0 ? t('bulk.nothing') : null}
            onPress={apply}
          >
            {t('bulk.apply')}
          </Button>
        )}
      </div>
    </>
  );
}
