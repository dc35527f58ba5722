import { useState } from 'react';
import { useAction } from '../data/action.ts';
import { call, useRead } from '../data/read.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { Button } from '../parts/button.tsx';
import { Table } from '../parts/data-table.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Form, type Field } from '../parts/form.tsx';
import { Block, Page } from '../parts/page.tsx';
import css from '../parts/parts.module.css';
import type { ItemOf } from '../parts/resource.tsx';
import { Loaded } from '../parts/states.tsx';
import { announce } from '../parts/toast.tsx';
import { When } from '../parts/values.tsx';
import { code, t } from '../texts/texts.ts';
import { textOf } from '../pure/fields.ts';

type Setting = ItemOf<'listSettings'>;
type Row = { version: number; value: string };

const rowOf = ({ version, value }: Setting): Row => ({
  version,
  value: typeof value === 'object' ? JSON.stringify(value, null, 2) : textOf(value),
});

/** The value that the person typed, in the type of the setting. Objects are JSON. */
function valueOf(text: string, before: unknown): unknown {
  if (text.trim() === '') return null;
  if (typeof before === 'string') return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Settings of the product, which apply at once. */
export function Screen() {
  const query = useRead('listSettings', [{ size: 100 }]);
  const change = useAction('changeSetting');
  const [setting, setSetting] = useState<Setting | null>(null);
  const lacks = change.lacks === null ? null : t('error.needs', { permission: change.lacks });
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
                  cell: ({ key }) => (
                    <>
                      {code('setting', key)}{' '}
                      <div className={css['muted']}>
                        <code>{key}</code>
                      </div>
                    </>
                  ),
                },
                { id: 'value', header: t('settings.value'), cell: ({ value }) => <code>{textOf(value)}</code> },
                {
                  id: 'default',
                  header: t('settings.default'),
                  cell: ({ defaultValue }) => <code>{textOf(defaultValue)}</code>,
                },
                { id: 'at', header: t('products.updated'), cell: ({ updatedAt }) => <When at={updatedAt} /> },
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
        title={setting === null ? '' : code('setting', setting.key)}
        isOpen={setting !== null}
        onClose={() => setSetting(null)}
      >
        {setting !== null && (
          <Form
            fields={[valueField(setting)]}
            record={rowOf(setting)}
            reload={async () => rowOf(await call('getSetting', [{ key: setting.key }], {}))}
            save={async ({ version, value }) => {
              await change.run(
                { key: setting.key },
                { version: Number(version), value: valueOf(textOf(value), setting.value) },
              );
              setSetting(null);
              announce(t('action.saved'));
            }}
            onCancel={() => setSetting(null)}
          />
        )}
      </Dialog>
    </Page>
  );
}

const valueField = ({ value }: Setting): Field => ({
  name: 'value',
  kind: typeof value === 'object' && value !== null ? 'long' : 'text',
  label: t('settings.value'),
});
