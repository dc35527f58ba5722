import { Resource } from '../../parts/resource.tsx';
import { code, t } from '../../texts/texts.ts';
import { ServiceRoles } from './service-roles.tsx';

/** Free units by number of persons, and their dishes at the ERP. */
export function Composition() {
  return (
    <>
      <Rules />
      <ServiceRoles />
    </>
  );
}

function Rules() {
  return (
    <Resource
      isBlock
      title={t('offers.composition')}
      list="listCompositionRules"
      rowId={({ id }) => String(id)}
      empty={t('composition.none')}
      columns={[
        {
          id: 'role',
          header: t('composition.role'),
          cell: ({ role }) => code('serviceRole', role),
        },
        {
          id: 'every',
          header: t('composition.every'),
          isNumber: true,
          cell: ({ everyPersons }) => String(everyPersons),
        },
        {
          id: 'free',
          header: t('composition.free'),
          isNumber: true,
          cell: ({ freeUnits }) => String(freeUnits),
        },
        {
          id: 'hidden',
          header: t('modifiers.isHidden'),
          cell: ({ isHidden }) => t(isHidden ? 'filter.yes' : 'filter.no'),
        },
      ]}
      fields={(row) => [
        ...(row === undefined
          ? [
              {
                name: 'role',
                kind: 'text',
                label: t('composition.role'),
                hint: t('composition.roleHint'),
                isRequired: true,
              } as const,
            ]
          : []),
        {
          name: 'everyPersons',
          kind: 'number',
          label: t('composition.every'),
          isRequired: true,
          min: 1,
        },
        {
          name: 'freeUnits',
          kind: 'number',
          label: t('composition.free'),
          isRequired: true,
          min: 0,
        },
        { name: 'isHidden', kind: 'flag', label: t('modifiers.isHidden') },
      ]}
      create={{ operation: 'createCompositionRule', label: t('composition.create') }}
      edit={{
        operation: 'editCompositionRule',
        read: 'getCompositionRule',
        key: ({ id }) => ({ id }),
      }}
      remove={{
        operation: 'deleteCompositionRule',
        key: ({ id }) => ({ id }),
        label: t('action.delete'),
        text: () => t('rules.deleteText'),
      }}
    />
  );
}
