import { useState } from 'react';
import { useAction } from '../../data/action.ts';
import type { Data } from '../../data/api.ts';
import { useRestaurants } from '../../data/restaurants.ts';
import { Button } from '../../parts/button.tsx';
import { Table } from '../../parts/data-table.tsx';
import { Form } from '../../parts/form.tsx';
import { Block } from '../../parts/page.tsx';
import { announce } from '../../parts/toast.tsx';
import { code, t } from '../../texts/texts.ts';
import type { RestaurantProps } from './restaurant-props.ts';

type Part = Data<'copyOrdering'>['changes'][number]['part'];
const PARTS: readonly Part[] = ['CONFIG', 'SCHEDULE', 'EXCEPTIONS', 'PAYMENT_METHODS'];

const textOf = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value ?? null)).slice(0, 100);

/** Copies how another restaurant takes orders: first the plan, then the change. */
export function CopyOrdering({ id }: RestaurantProps) {
  const copy = useAction('copyOrdering');
  const restaurants = useRestaurants();
  const [plan, setPlan] = useState<{
    request: { fromOrganizationId: number; parts: Part[] };
    answer: Data<'copyOrdering'>;
  } | null>(null);
  const apply = async () => {
    await copy.run({ id }, { ...plan!.request, mode: 'APPLY' });
    setPlan(null);
    announce(t('copy.done'));
  };
  return (
    <Block title={t('setup.copy')}>
      <Form
        fields={[
          {
            name: 'fromOrganizationId',
            kind: 'choice',
            isNumeric: true,
            label: t('copy.from'),
            isRequired: true,
            options: restaurants.filter((other) => other.id !== id).map((other) => [String(other.id), other.name]),
          },
          {
            name: 'parts',
            kind: 'choices',
            label: t('copy.parts'),
            options: PARTS.map((part) => [part, code('copyPart', part)]),
          },
        ]}
        defaults={{ parts: PARTS }}
        label={t('copy.plan')}
        reason={copy.lacks === null ? null : t('error.needs', { permission: copy.lacks })}
        save={async (body) => {
          const request = body as { fromOrganizationId: number; parts: Part[] };
          setPlan({ request, answer: await copy.run({ id }, { ...request, mode: 'PLAN' }) });
        }}
      />
      {plan !== null && (
        <>
          <Table
            label={t('copy.plan')}
            rows={plan.answer.changes}
            rowId={({ part, field }) => `${part} ${field}`}
            empty={{ text: t('copy.same') }}
            columns={[
              { id: 'part', header: t('copy.parts'), cell: ({ part }) => code('copyPart', part) },
              { id: 'field', header: t('conflict.field'), cell: ({ field }) => <code>{field}</code> },
              { id: 'before', header: t('plan.from'), cell: ({ before }) => <code>{textOf(before)}</code> },
              { id: 'after', header: t('plan.to'), cell: ({ after }) => <code>{textOf(after)}</code> },
            ]}
          />
          <div>
            <Button
              look="primary"
              isPending={copy.isPending}
              reason={plan.answer.changes.length === 0 ? t('copy.same') : null}
              onPress={() => void apply().catch(() => undefined)}
            >
              {t('bulk.apply')}
            </Button>
          </div>
        </>
      )}
    </Block>
  );
}
