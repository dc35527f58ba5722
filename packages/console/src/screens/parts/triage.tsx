import { useState } from 'react';
import { useAction } from '../../data/action.ts';
import type { Data, Input } from '../../data/api.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import form from '../../parts/form.module.css';
import css from '../../parts/parts.module.css';
import { ErrorState } from '../../parts/states.tsx';
import { announce } from '../../parts/toast.tsx';
import { needs, t } from '../../texts/texts.ts';

type TriageFilter = NonNullable<Input<'bulkTriageErpItems'>[0]['filter']>;

type TriageProps = {
  ids: readonly string[];
  total: number;
  filter: TriageFilter;
  onDone: () => void;
};

type Body = Input<'bulkTriageErpItems'>[0];

/** Marks many dishes as not needed, or as new again, after a dry run. */
export function Triage({ ids, total, filter, onDone }: TriageProps) {
  const bulk = useAction('bulkTriageErpItems');
  const [plan, setPlan] = useState<{ body: Body; result: Data<'bulkTriageErpItems'> } | null>(null);
  const lacks = needs(bulk.lacks);
  const status = filter.triage === 'IGNORED' ? ('NEW' as const) : ('IGNORED' as const);

  const preview = async (which: Pick<Body, 'itemIds' | 'filter'>) => {
    const body = { ...which, status };
    setPlan({ body, result: await bulk.run({ ...body, dryRun: true }) });
  };

  const apply = async () => {
    const { succeeded } = await bulk.run(plan!.body);
    announce(t('dishes.triaged', { count: succeeded.length }));
    setPlan(null);
    onDone();
  };

  const label = status === 'IGNORED' ? 'dishes.ignore' : 'dishes.restore';

  return (
    <div className={css['row']}>
      <Button
        reason={lacks ?? (ids.length === 0 ? t('dishes.chooseFirst') : null)}
        onPress={() => void preview({ itemIds: [...ids] }).catch(() => undefined)}
      >
        {t(`${label}Chosen`, { count: ids.length })}
      </Button>
      <Button
        reason={lacks ?? (total === 0 ? t('dishes.none') : null)}
        isPending={bulk.isPending}
        onPress={() => void preview({ filter }).catch(() => undefined)}
      >
        {t(`${label}All`, { count: total })}
      </Button>
      {bulk.error !== null && plan === null && <ErrorState error={bulk.error} />}
      <Dialog title={t('bulk.title')} isOpen={plan !== null} onClose={() => setPlan(null)} isBox>
        {plan !== null && (
          <>
            <p>
              {t('bulk.result', {
                succeeded: plan.result.succeeded.length,
                failed: plan.result.failed.length,
              })}
            </p>
            {bulk.error !== null && <ErrorState error={bulk.error} />}
            <div className={form['foot']}>
              <Button onPress={() => setPlan(null)}>{t('action.cancel')}</Button>
              <Button
                look="primary"
                isPending={bulk.isPending}
                onPress={() => void apply().catch(() => undefined)}
              >
                {t('bulk.apply')}
              </Button>
            </div>
          </>
        )}
      </Dialog>
    </div>
  );
}
