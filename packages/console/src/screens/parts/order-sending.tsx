import { useAction } from '../../data/action.ts';
import type { Data } from '../../data/api.ts';
import { call, useRead } from '../../data/read.ts';
import { useRestaurants } from '../../data/restaurants.ts';
import type { Option } from '../../parts/filters.tsx';
import { Form, type Field } from '../../parts/form.tsx';
import { Block } from '../../parts/page.tsx';
import css from '../../parts/parts.module.css';
import { Loaded } from '../../parts/states.tsx';
import { announce } from '../../parts/toast.tsx';
import { Status, When } from '../../parts/values.tsx';
import { code, needs, t } from '../../texts/texts.ts';

type Sending = Data<'getOrderSending'>;
type Choice = NonNullable<Sending['choices']>['paymentTypes'][number];

/** Payment methods for which the ERP must have a name. */
const METHODS = ['CASH', 'CARD_COURIER'] as const;

const toOptions = (choices: readonly Choice[] | undefined): readonly Option[] =>
  (choices ?? []).map(({ id, name, kind }) => [id, [name ?? id, kind].filter(Boolean).join(', ')]);

/** A choice of the ERP's names; a text until they are read. */
const buildField = (name: string, label: string, choices: readonly Choice[] | undefined): Field =>
  choices === undefined
    ? { name, kind: 'text', label, hint: t('sending.unknown') }
    : { name, kind: 'choice', label, options: toOptions(choices) };

/** ERP names for the orders of a connection, with those that are missing. */
export function OrderSending({ id }: { id: number }) {
  const query = useRead('getOrderSending', [{ id }]);
  const edit = useAction('editOrderSending');

  return (
    <Block needs="getOrderSending">
      <Loaded query={query}>
        {(sending) => (
          <>
            <Missing sending={sending} />
            <Form
              fields={[
                ...METHODS.map((method) =>
                  buildField(
                    `paymentTypes.${method}`,
                    code('payment', method),
                    sending.choices?.paymentTypes,
                  ),
                ),
                buildField('discountTypeId', t('sending.discount'), sending.choices?.discountTypes),
                {
                  name: 'marketingSourceId',
                  kind: 'text',
                  label: t('sending.marketing'),
                  hint: t('sending.marketingHint'),
                },
              ]}
              record={sending}
              reload={() => call('getOrderSending', [{ id }], {})}
              reason={needs(edit.lacks)}
              save={async (body) => {
                await edit.run({ id }, body as never);
                announce(t('action.saved'));
              }}
            />
            {sending.choices !== null && (
              <p className={css['muted']}>
                {t('sending.readAt')} <When at={sending.choices.readAt} />
              </p>
            )}
          </>
        )}
      </Loaded>
    </Block>
  );
}

/** Restaurants whose orders wait for a name in the ERP. */
function Missing({ sending: { missing } }: { sending: Sending }) {
  const restaurants = useRestaurants();
  if (missing.length === 0) return <Status tone="good">{t('sending.complete')}</Status>;

  return (
    <div className={css['stack']}>
      <Status tone="bad">{t('sending.missing')}</Status>
      <ul className={css['list']}>
        {missing.map(({ organizationId, what }) => (
          <li key={`${organizationId} ${what}`}>
            <span className={css['grow']}>
              {restaurants.find((restaurant) => restaurant.id === organizationId)?.name ??
                organizationId}
            </span>
            {code('sendingName', what)}
          </li>
        ))}
      </ul>
    </div>
  );
}
