import { useUrl } from '../data/url.ts';
import type { Filter } from '../parts/filters.tsx';
import { Page, Tabs } from '../parts/page.tsx';
import { Resource } from '../parts/resource.tsx';
import { Status } from '../parts/values.tsx';
import { readOne } from '../pure/search.ts';
import { t } from '../texts/texts.ts';
import { Axes } from './parts/axes.tsx';
import { Badges } from './parts/badges.tsx';
import { ModifierGroups } from './parts/modifier-groups.tsx';

const find = (): Filter => ({ name: 'q', kind: 'text', label: t('missing.find') });

/** Modifiers for guests, and the badges and axes of products. */
export function Screen() {
  const [search] = useUrl();
  const tab = readOne(search, 'tab') ?? 'groups';

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
      {tab === 'groups' && <ModifierGroups find={find()} />}
      {tab === 'modifiers' && <Modifiers />}
      {tab === 'badges' && <Badges />}
      {tab === 'axes' && <Axes />}
    </Page>
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
