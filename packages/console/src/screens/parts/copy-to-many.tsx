import { useState } from 'react';
import { useAction } from '../../data/action.ts';
import type { Data } from '../../data/api.ts';
import { useRestaurants } from '../../data/restaurants.ts';
import { Button } from '../../parts/button.tsx';
import { Form } from '../../parts/form.tsx';
import { Block } from '../../parts/page.tsx';
import css from '../../parts/parts.module.css';
import { ErrorState } from '../../parts/states.tsx';
import { announce } from '../../parts/toast.tsx';
import { Status } from '../../parts/values.tsx';
import { needs, t } from '../../texts/texts.ts';
import { COPY_PARTS, CopyChanges, partsField, type CopyPart } from './copy-changes.tsx';
import type { RestaurantProps } from './restaurant-props.ts';

type Request = { toOrganizationIds: number[]; parts: CopyPart[] };

/** Copies the set-up of this restaurant to others, after a plan. */
export function CopyToMany({ id }: RestaurantProps) {
  const copy = useAction('copyOrderingToMany');
  const others = useRestaurants().filter((other) => other.id !== id);
  const [plan, setPlan] = useState<{ request: Request; answer: Data<'copyOrderingToMany'> } | null>(
    null,
  );
  const findName = (of: number) => others.find((other) => other.id === of)?.name ?? String(of);
  const changed = plan?.answer.copies.filter(({ changes }) => changes.length > 0).length ?? 0;
  const apply = async () => {
    await copy.run({ id }, { ...plan!.request, mode: 'APPLY' });
    setPlan(null);
    announce(t('copy.doneIn', { count: changed }));
  };

  return (
    <Block title={t('copy.toTitle')}>
      <Form
        fields={[
          {
            name: 'toOrganizationIds',
            kind: 'choices',
            isNumeric: true,
            label: t('copy.to'),
            isRequired: true,
            options: others.map((other) => [String(other.id), other.name]),
          },
          partsField(),
        ]}
        defaults={{ parts: COPY_PARTS }}
        label={t('copy.plan')}
        reason={needs(copy.lacks)}
        save={async (body) => {
          const request = body as Request;
          setPlan({ request, answer: await copy.run({ id }, { ...request, mode: 'PLAN' }) });
        }}
      />
      {plan !== null && (
        <>
          <ul className={css['list']} data-plan="many">
            {plan.answer.copies.map(({ organizationId, changes }) => (
              <li key={organizationId}>
                <details className={css['grow']}>
                  <summary>
                    {findName(organizationId)}{' '}
                    <Status tone={changes.length === 0 ? 'good' : 'warn'}>
                      {t('copy.changes', { count: changes.length })}
                    </Status>
                  </summary>
                  <CopyChanges changes={changes} />
                </details>
              </li>
            ))}
          </ul>
          {copy.error !== null && <ErrorState error={copy.error} />}
          <div>
            <Button
              look="primary"
              isPending={copy.isPending}
              reason={changed === 0 ? t('copy.same') : null}
              onPress={() => void apply().catch(() => undefined)}
            >
              {t('copy.applyIn', { count: changed })}
            </Button>
          </div>
        </>
      )}
    </Block>
  );
}
