import { useState } from 'react';
import { useAction } from '../data/action.ts';
import { useRead } from '../data/read.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { Button } from '../parts/button.tsx';
import { Table } from '../parts/data-table.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Block, Page } from '../parts/page.tsx';
import css from '../parts/parts.module.css';
import type { ItemOf } from '../parts/resource.tsx';
import { Loaded } from '../parts/states.tsx';
import { Person, When } from '../parts/values.tsx';
import { needs, t } from '../texts/texts.ts';
import { toText } from '../pure/fields.ts';
import { SettingForm, translateWord } from './parts/setting-form.tsx';

type Setting = ItemOf<'listSettings'>;

/** Settings apply at once. */
export function Screen() {
  const query = useRead('listSettings', [{ size: 100 }]);
  const change = useAction('changeSetting');
  const [setting, setSetting] = useState<Setting | null>(null);
  const lacks = needs(change.lacks);

  return (
    <Page title={t('settings.title')} lead={t('settings.lead')}>
      <Block needs="listSettings">
        <Loaded query={query} rows={8}>
          {({ items }) => (
            <Table
              label={t('settings.title')}
              rows={items}
              rowId={({ key }) => key}
              empty={{ text: t('run.nothing') }}
              columns={[
                {
                  id: 'key',
                  header: t('settings.setting'),
                  cell: ({ key, title }) => (
                    <>
                      {title}{' '}
                      <div className={css['muted']}>
                        <code>{key}</code>
                      </div>
                    </>
                  ),
                },
                {
                  id: 'value',
                  header: t('settings.value'),
                  cell: ({ value, unitTitle }) => <Value value={value} unit={unitTitle} />,
                },
                {
                  id: 'default',
                  header: t('settings.default'),
                  cell: ({ defaultValue, unitTitle }) => (
                    <Value value={defaultValue} unit={unitTitle} />
                  ),
                },
                {
                  id: 'at',
                  header: t('products.updated'),
                  cell: ({ updatedAt }) => <When at={updatedAt} />,
                },
                {
                  id: 'by',
                  header: t('settings.by'),
                  cell: ({ updatedBy }) => <Person author={updatedBy} />,
                },
                {
                  id: 'actions',
                  header: t('table.actions'),
                  cell: (row) => (
                    <div className={css['row']}>
                      <Button small reason={lacks} onPress={() => setSetting(row)}>
                        {t('action.edit')}
                      </Button>
                      <ActionButton
                        small
                        action={change}
                        label={t('settings.reset')}
                        reason={row.version === 0 ? t('settings.isDefault') : null}
                        confirm={t('settings.resetText')}
                        input={() => [{ key: row.key }, { version: row.version, value: null }]}
                      />
                    </div>
                  ),
                },
              ]}
            />
          )}
        </Loaded>
      </Block>
      <Dialog
        title={setting?.title ?? ''}
        isOpen={setting !== null}
        onClose={() => setSetting(null)}
      >
        {setting !== null && <SettingForm setting={setting} close={() => setSetting(null)} />}
      </Dialog>
    </Page>
  );
}

function Value({ value, unit }: { value: unknown; unit: string | null }) {
  if (typeof value === 'string') return translateWord(value);
  if (typeof value === 'number') return `${value} ${unit ?? ''}`;
  return <code>{toText(value)}</code>;
}
