import { useState } from 'react';
import { useAction } from '../../data/action.ts';
import type { Data } from '../../data/api.ts';
import { useRead } from '../../data/read.ts';
import type { Overview } from '../../data/records.ts';
import { useRestaurants } from '../../data/restaurants.ts';
import { Button } from '../../parts/button.tsx';
import { Form } from '../../parts/form.tsx';
import { Block } from '../../parts/page.tsx';
import css from '../../parts/parts.module.css';
import { ErrorState, Loaded } from '../../parts/states.tsx';
import { announce } from '../../parts/toast.tsx';
import { needs, t } from '../../texts/texts.ts';
import { COPY_PARTS, CopyChanges, partsField, type CopyPart } from './copy-changes.tsx';
import { CopyToMany } from './copy-to-many.tsx';
import type { RestaurantProps } from './restaurant-props.ts';

type Request = { fromOrganizationId: number; parts: CopyPart[] };

/** Copies the set-up from another restaurant and to others, after a plan. */
export function CopyOrdering(props: RestaurantProps) {
  return (
    <div className={css['stack']}>
      <CopyFrom {...props} />
      <CopyToMany {...props} />
    </div>
  );
}

/** A restaurant that takes orders, preferably in the same time zone. */
const sourceFor = (
  organizations: readonly Overview[],
  id: number,
  zone: string,
): number | undefined => {
  const ready = organizations.filter(
    ({ organizationId, missing }) => organizationId !== id && missing.length === 0,
  );
  return (ready.find(({ timeZone }) => timeZone === zone) ?? ready[0])?.organizationId;
};

export function CopyFrom({ id, zone }: RestaurantProps) {
  const overview = useRead('getOrganizationsOverview', [{}]);
  return (
    <Block title={t('copy.fromTitle')} needs="getOrganizationsOverview">
      <Loaded query={overview}>
        {({ organizations }) => <CopyForm id={id} source={sourceFor(organizations, id, zone)} />}
      </Loaded>
    </Block>
  );
}

function CopyForm({ id, source }: { id: number; source: number | undefined }) {
  const copy = useAction('copyOrdering');
  const restaurants = useRestaurants();
  const [plan, setPlan] = useState<{ request: Request; answer: Data<'copyOrdering'> } | null>(null);
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
            options: restaurants
              .filter((other) => other.id !== id)
              .map((other) => [String(other.id), other.name]),
          },
          partsField(),
        ]}
        defaults={{ parts: COPY_PARTS, fromOrganizationId: source }}
        label={t('copy.plan')}
        reason={needs(copy.lacks)}
        save={async (body) => {
          const request = body as Request;
          setPlan({ request, answer: await copy.run({ id }, { ...request, mode: 'PLAN' }) });
        }}
      />
      {plan !== null && (
        <>
          <CopyChanges changes={plan.answer.changes} />
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
