import { useState } from 'react';
import { useAction } from '../../data/action.ts';
import type { Data } from '../../data/api.ts';
import { useRead } from '../../data/read.ts';
import type { Overview } from '../../data/records.ts';
import { useRestaurants } from '../../data/restaurants.ts';
import { Button } from '../../parts/button.tsx';
import { Table } from '../../parts/data-table.tsx';
import { Form } from '../../parts/form.tsx';
import { Block } from '../../parts/page.tsx';
import { ErrorState, Loaded } from '../../parts/states.tsx';
import { announce } from '../../parts/toast.tsx';
import { code, t } from '../../texts/texts.ts';
import type { RestaurantProps } from './restaurant-props.ts';

type Part = Data<'copyOrdering'>['changes'][number]['part'];
const PARTS: readonly Part[] = ['CONFIG', 'SCHEDULE', 'EXCEPTIONS', 'PAYMENT_METHODS'];

const textOf = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value ?? null)).slice(0, 100);

/** The restaurant to copy: one that takes orders, in the same time zone if there is one. */
const sourceFor = (organizations: readonly Overview[], id: number, zone: string): number | undefined => {
  const ready = organizations.filter(({ organizationId, missing }) => organizationId !== id && missing.length === 0);
  return (ready.find(({ timeZone }) => timeZone === zone) ?? ready[0])?.organizationId;
};

/** Copies how another restaurant takes orders: first the plan, then the change. */
export function CopyOrdering({ id, zone }: RestaurantProps) {
  const overview = useRead('getOrganizationsOverview', [{}]);
  return (
    <Block title={t('setup.copy')} needs="getOrganizationsOverview">
      <Loaded query={overview}>
        {({ organizations }) => <CopyForm id={id} source={sourceFor(organizations, id, zone)} />}
      </Loaded>
    </Block>
  );
}

function CopyForm({ id, source }: { id: number; source: number | undefined }) {
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
  if (restaurants.length === 0) return null;
  return (
    <>
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
        defaults={{ parts: PARTS, fromOrganizationId: source }}
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
          {copy.error !== null && <ErrorState error={copy.error} />}
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
    </>
  );
}
