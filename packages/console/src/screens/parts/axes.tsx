import { useState } from 'react';
import { useAction } from '../../data/action.ts';
import { call } from '../../data/read.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Form, type Field } from '../../parts/form.tsx';
import css from '../../parts/parts.module.css';
import { Resource, type ItemOf } from '../../parts/resource.tsx';
import { announce } from '../../parts/toast.tsx';
import { toText } from '../../pure/fields.ts';
import { code, needs, t } from '../../texts/texts.ts';

type Axis = ItemOf<'listVariantAxes'>;
type Option = Axis['options'][number];

const shared = (): readonly Field[] => [
  { name: 'name', kind: 'text', label: t('product.name'), isRequired: true },
  {
    name: 'uiType',
    kind: 'choice',
    label: t('modifiers.ui'),
    options: ['SEGMENTED', 'LIST'].map((value) => [value, code('uiType', value)]),
  },
];

const codeField = (): Field => ({
  name: 'code',
  kind: 'text',
  label: t('badges.code'),
  hint: t('axes.codeHint'),
  isRequired: true,
});

const OPTION = /^([A-Z0-9][A-Z0-9_.-]{0,49})\s+(\S.*)$/;

const splitLines = (value: unknown): string[] =>
  toText(value)
    .split('\n')
    .filter((line) => line.trim() !== '');

/** Differences between variants of a product, such as size. */
export function Axes() {
  const add = useAction('addVariantOption');
  const create = useAction('createVariantAxis');
  const [shown, setShown] = useState<Axis | null>(null);

  return (
    <>
      <Resource
        isBlock
        title={t('modifiers.axes')}
        list="listVariantAxes"
        rowId={({ id }) => String(id)}
        empty={t('axes.none')}
        columns={[
          { id: 'name', header: t('product.name'), cell: ({ name }) => name },
          { id: 'code', header: t('badges.code'), cell: ({ code: value }) => <code>{value}</code> },
          { id: 'ui', header: t('modifiers.ui'), cell: ({ uiType }) => code('uiType', uiType) },
          {
            id: 'options',
            header: t('axes.options'),
            cell: ({ options }) => options.map(({ name }) => name).join(', '),
          },
        ]}
        fields={shared}
        actions={
          <ActionButton
            look="primary"
            action={create}
            label={t('axes.create')}
            fields={[
              codeField(),
              ...shared(),
              {
                name: 'options',
                kind: 'lines',
                label: t('axes.options'),
                hint: t('axes.optionsHint'),
                isRequired: true,
                check: (value) =>
                  splitLines(value).every((line) => OPTION.test(line.trim()))
                    ? null
                    : t('axes.optionsWrong'),
              },
            ]}
            input={({ options, ...values }) => [
              {
                ...values,
                options: (options as string[]).map((line) => {
                  const [, of = '', name = ''] = OPTION.exec(line) ?? [];
                  return { code: of, name };
                }),
              } as never,
            ]}
          />
        }
        edit={{ operation: 'editVariantAxis', key: ({ id }) => ({ id }) }}
        more={(axis) => (
          <>
            <Button small onPress={() => setShown(axis)}>
              {t('axes.options')}
            </Button>
            <ActionButton
              small
              action={add}
              label={t('axes.add')}
              fields={[
                codeField(),
                { name: 'name', kind: 'text', label: t('product.name'), isRequired: true },
                { name: 'shortName', kind: 'text', label: t('axes.shortName') },
              ]}
              input={(values) => [{ id: axis.id }, values as never]}
            />
          </>
        )}
      />
      <Dialog title={shown?.name ?? ''} isOpen={shown !== null} onClose={() => setShown(null)}>
        {shown !== null && <Options axis={shown} />}
      </Dialog>
    </>
  );
}

function Options({ axis }: { axis: Axis }) {
  const [options, setOptions] = useState<readonly Option[]>(axis.options);
  const [edited, setEdited] = useState<Option | null>(null);
  const edit = useAction('editVariantOption');
  const findOption = (all: readonly Option[], id: number) => all.find((option) => option.id === id);
  if (edited !== null)
    return (
      <Form
        fields={[
          { name: 'name', kind: 'text', label: t('product.name'), isRequired: true },
          { name: 'shortName', kind: 'text', label: t('axes.shortName') },
          { name: 'position', kind: 'number', label: t('modifiers.position'), min: 0 },
        ]}
        record={edited}
        reload={async () => {
          const { items } = await call('listVariantAxes', [{ size: 200 }], {});
          return (
            findOption(items.find(({ id }) => id === axis.id)?.options ?? [], edited.id) ?? edited
          );
        }}
        save={async (body) => {
          const next = await edit.run({ id: axis.id, option_id: edited.id }, body as never);
          setOptions(next.options);
          setEdited(null);
          announce(t('action.saved'));
        }}
        onCancel={() => setEdited(null)}
      />
    );

  return (
    <ul className={css['list']}>
      {options.map((option) => (
        <li key={option.id}>
          <span className={css['grow']}>
            {option.name} <code>{option.code}</code>
          </span>
          <Button small reason={needs(edit.lacks)} onPress={() => setEdited(option)}>
            {t('action.edit')}
          </Button>
        </li>
      ))}
    </ul>
  );
}
