import { useAction } from '../../data/action.ts';
import type { Data } from '../../data/api.ts';
import { call, useRead } from '../../data/read.ts';
import { Form, type Field } from '../../parts/form.tsx';
import { Block } from '../../parts/page.tsx';
import { Loaded } from '../../parts/states.tsx';
import { announce } from '../../parts/toast.tsx';
import type { Values } from '../../pure/fields.ts';
import { code, needs, t } from '../../texts/texts.ts';
import type { RestaurantProps } from './restaurant-props.ts';

type Answer = Data<'getOrganizationPayments'>;
type Row = Record<string, string[]> & { version: number };

const toRow = ({ methods, version }: Answer): Row =>
  ({
    version,
    ...Object.fromEntries(
      methods.map(({ code: method, fulfillmentTypes }) => [method, fulfillmentTypes]),
    ),
  }) as Row;

export function Payments({ id }: RestaurantProps) {
  const query = useRead('getOrganizationPayments', [{ id }]);
  const set = useAction('setOrganizationPayments');
  const options = ['DELIVERY', 'PICKUP'].map(
    (value) => [value, code('fulfillment', value)] as const,
  );

  return (
    <Block title={t('setup.payments')} needs="getOrganizationPayments">
      <Loaded query={query}>
        {(payments) => {
          const fields = payments.methods.map(({ code: method, name, isEnabled }): Field => ({
            name: method,
            kind: 'choices',
            label: `${name} (${code('payment', method)})`,
            options,
            ...(isEnabled ? {} : { hint: t('payments.isDisabled') }),
          }));

          const save = async ({ version, ...changed }: Values) => {
            const all = { ...toRow(payments), ...changed } as Record<string, unknown>;
            const methods = payments.methods.map(({ code: method }) => ({
              code: method,
              fulfillmentTypes: all[method],
            }));
            await set.run({ id }, { version, methods } as never);
            announce(t('action.saved'));
          };

          return (
            <Form
              key={id}
              fields={fields}
              record={toRow(payments)}
              reload={async () => toRow(await call('getOrganizationPayments', [{ id }], {}))}
              reason={needs(set.lacks)}
              save={save}
            />
          );
        }}
      </Loaded>
    </Block>
  );
}
