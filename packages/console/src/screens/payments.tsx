import { Resource } from '../parts/resource.tsx';
import { Status } from '../parts/values.tsx';
import { code, t } from '../texts/texts.ts';

/** Payment methods. Restaurants determine where they are available. */
export function Screen() {
  return (
    <Resource
      title={t('payments.title')}
      lead={t('payments.lead')}
      list="listPaymentMethods"
      rowId={({ code: method }) => method}
      empty={t('payments.none')}
      columns={[
        { id: 'name', header: t('product.name'), cell: ({ name }) => name },
        {
          id: 'code',
          header: t('order.payment'),
          cell: ({ code: method }) => code('payment', method),
        },
        {
          id: 'on',
          header: t('payments.isEnabled'),
          cell: ({ isEnabled }) => (
            <Status tone={isEnabled ? 'good' : 'plain'}>
              {t(isEnabled ? 'filter.yes' : 'filter.no')}
            </Status>
          ),
        },
        {
          id: 'restaurants',
          header: t('products.restaurants'),
          isNumber: true,
          cell: ({ availability }) => String(availability.length),
        },
        {
          id: 'missing',
          header: t('payments.missingAt'),
          isNumber: true,
          cell: ({ missingAt }) => String(missingAt.length),
        },
      ]}
      fields={() => [
        { name: 'name', kind: 'text', label: t('product.name'), isRequired: true },
        { name: 'isEnabled', kind: 'flag', label: t('payments.isEnabled') },
        { name: 'allowsLeaveAtDoor', kind: 'flag', label: t('payments.leaveAtDoor') },
        { name: 'requiresChange', kind: 'flag', label: t('payments.change') },
        { name: 'sortOrder', kind: 'number', label: t('modifiers.position') },
      ]}
      edit={{
        operation: 'editPaymentMethod',
        read: 'getPaymentMethod',
        key: ({ code: method }) => ({ code: method }),
      }}
    />
  );
}
