import { useRef } from 'react';
import { useAction } from '../../data/action.ts';
import { call } from '../../data/read.ts';
import { Form, type Field } from '../../parts/form.tsx';
import type { ItemOf } from '../../parts/resource.tsx';
import { announce } from '../../parts/toast.tsx';
import {
  sentSetting,
  settingFields,
  shownSetting,
  type SettingField,
  type SettingSchema,
} from '../../pure/setting.ts';
import { code, t } from '../../texts/texts.ts';

type Setting = ItemOf<'listSettings'>;

/** A form that is derived from the JSON Schema of the setting. */
export function SettingForm({ setting, close }: { setting: Setting; close: () => void }) {
  const change = useAction('changeSetting');
  const schema = setting.schema as SettingSchema;
  const fields = settingFields(schema);
  /** The value that edited members are merged into. */
  const stored = useRef(setting.value);
  const toRow = ({ version, value }: Setting) => ({ version, value: shownSetting(fields, value) });

  return (
    <Form
      fields={fields.map((field) => inputOf(field, setting))}
      record={toRow(setting)}
      reload={async () => {
        const fresh = await call('getSetting', [{ key: setting.key }], {});
        stored.current = fresh.value;
        return toRow(fresh);
      }}
      save={async ({ version, ...edited }) => {
        if (!('value' in edited)) return close();
        const value = sentSetting({ fields, schema }, stored.current, edited);
        await change.run({ key: setting.key }, { version: Number(version), value });
        close();
        announce(t('action.saved'));
      }}
      onCancel={close}
    />
  );
}

/** Members of an object are named by their own labels. */
function inputOf({ members, words, isJson, ...field }: SettingField, setting: Setting): Field {
  const { title, unitTitle } = setting;
  const name = members.length === 0 ? title : members.map(memberOf).join(', ');
  const isEmptyAllowed = !field.isRequired && (field.kind === 'text' || field.kind === 'number');

  return {
    ...field,
    label: unitTitle === null ? name : `${name}, ${unitTitle}`,
    options: words.map((word) => [word, translateWord(word)]),
    ...(isJson ? { hint: t('settings.jsonHint') } : {}),
    ...(field.kind === 'lines' ? { hint: t('settings.linesHint') } : {}),
    ...(isEmptyAllowed ? { hint: t('settings.emptyHint') } : {}),
  };
}

const memberOf = (name: string): string => code('settingField', name);

export const translateWord = (word: string): string => code('settingValue', word);
