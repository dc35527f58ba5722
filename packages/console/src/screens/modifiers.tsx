import { useUrl } from '../data/url.ts';
import type { Filter } from '../parts/filters.tsx';
import { Page, Tabs } from '../parts/page.tsx';
import { Resource } from '../parts/resource.tsx';
import { Status } from '../parts/values.tsx';
import { oneOf } from '../pure/search.ts';
import { code, t } from '../texts/texts.ts';
import { Axes, Badges } from './parts/badges-and-axes.tsx';

const find = (): Filter => ({ name: 'q', kind: 'text', label: t('missing.find') });

/** The look of modifiers for guests, and the badges and axes of products. */
export function Screen() {
  const [search] = useUrl();
  const tab = oneOf(search, 'tab') ?? 'groups';
  return (
    <Page title={t('modifiers.title')} lead={t('modifiers.lead')}>
      <Tabs
        current={tab}
        tabs={[
          ['groups', t('modifiers.groups')],
          ['modifiers', t('modifiers.modifiers')],
          ['badges', t('modifiers.badges')],
          ['axes', t('modifiers.axes')],
        ]}
      />
      {tab === 'groups' && <Groups />}
      {tab === 'modifiers' && <Modifiers />}
      {tab === 'badges' && <Badges />}
      {tab === 'axes' && <Axes />}
    </Page>
  );
}

function Groups() {
  return (
    <Resource
      isBlock
      title={t('modifiers.groups')}
      list="listModifierGroups"
      filters={[find()]}
      rowId={({ groupKey }) => groupKey}
      empty={t('modifiers.noGroups')}
      columns={[
        { id: 'name', header: t('modifiers.erpName'), sort: 'name', cell: ({ name }) => name },
        {
          id: 'shown',
          header: t('modifiers.displayName'),
          sort: 'displayName',
          cell: ({ displayName }) => displayName ?? '—',
        },
        { id: 'ui', header: t('modifiers.ui'), cell: ({ uiType }) => (uiType === null ? '—' : code('uiType', uiType)) },
        {
          id: 'sizes',
          header: t('modifiers.dishes'),
          sort: 'sizeCount',
          isNumber: true,
          cell: ({ sizeCount }) => String(sizeCount),
        },
        {
          id: 'hidden',
          header: t('modifiers.isHidden'),
          cell: ({ isHidden }) => (isHidden ? <Status tone="warn">{t('filter.yes')}</Status> : '—'),
        },
      ]}
      fields={() => [
        { name: 'displayName', kind: 'text', label: t('modifiers.displayName') },
        {
          name: 'uiType',
          kind: 'choice',
          label: t('modifiers.ui'),
          options: ['RADIO', 'CHECKBOX', 'COUNTER'].map((value) => [value, code('uiType', value)]),
        },
        { name: 'isHidden', kind: 'flag', label: t('modifiers.isHidden') },
        { name: 'isCollapsed', kind: 'flag', label: t('modifiers.isCollapsed') },
      ]}
      edit={{ operation: 'editModifierGroup', key: ({ groupKey }) => ({ group_key: groupKey }) }}
    />
  );
}

function Modifiers() {
  return (
    <Resource
      isBlock
      title={t('modifiers.modifiers')}
      list="listModifiers"
      filters={[find()]}
      rowId={({ erpItemId }) => erpItemId}
      empty={t('modifiers.none')}
      columns={[
        { id: 'name', header: t('modifiers.erpName'), sort: 'name', cell: ({ name }) => name },
        { id: 'sku', header: t('incident.sku'), sort: 'sku', cell: ({ sku }) => sku ?? '—' },
        {
          id: 'shown',
          header: t('modifiers.displayName'),
          sort: 'displayName',
          cell: ({ displayName }) => displayName ?? '—',
        },
        {
          id: 'hidden',
          header: t('modifiers.isHidden'),
          cell: ({ isHidden }) => (isHidden ? <Status tone="warn">{t('filter.yes')}</Status> : '—'),
        },
      ]}
      fields={() => [
        { name: 'displayName', kind: 'text', label: t('modifiers.displayName') },
        { name: 'position', kind: 'number', label: t('modifiers.position') },
        { name: 'isHidden', kind: 'flag', label: t('modifiers.isHidden') },
      ]}
      edit={{ operation: 'editModifier', key: ({ erpItemId }) => ({ erp_item_id: erpItemId }) }}
    />
  );
}
