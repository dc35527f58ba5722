import { useAction } from '../../data/action.ts';
import { call } from '../../data/read.ts';
import { Form, type Field } from '../../parts/form.tsx';
import type { ItemOf } from '../../parts/resource.tsx';
import { announce } from '../../parts/toast.tsx';
import { textOf } from '../../pure/fields.ts';
import { code, t } from '../../texts/texts.ts';

type Setting = ItemOf<'listSettings'>;
type Schema = { type?: string | string[]; enum?: string[]; minimum?: number; maximum?: number };

/** A form that is derived from the JSON Schema of the setting. */
export function SettingForm({ setting, close }: { setting: Setting; close: () => void }) {
  const change = useAction('changeSetting');
  const field = fieldOf(setting);
  const isJson = field.kind === 'long';
  const rowOf = ({ version, value }: Setting) => ({
    version,
    value: isJson ? JSON.stringify(value, null, 2) : value,
  });
  return (
    <Form
      fields={[field]}
      record={rowOf(setting)}
      reload={async () => rowOf(await call('getSetting', [{ key: setting.key }], {}))}
      save={async ({ version, value }) => {
        if (value === undefined) return close();
        const next = isJson ? parsed(textOf(value)) : value;
        await change.run({ key: setting.key }, { version: Number(version), value: next });
        close();
        announce(t('action.saved'));
      }}
      onCancel={close}
    />
  );
}

/** Returns a choice for codes, limits for numbers, and JSON for objects. */
function fieldOf({ schema, unitTitle, title }: Setting): Field {
  const { enum: words, minimum: min, maximum: max, ...rest } = schema as Schema;
  const types = [rest.type ?? []].flat();
  const shared = {
    name: 'value',
    label: unitTitle === null ? title : `${title}, ${unitTitle}`,
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
  };
  if (words !== undefined)
    return {
      ...shared,
      kind: 'choice',
      isRequired: true,
      options: words.map((word) => [word, wordOf(word)]),
    };
  if (types.includes('integer')) return { ...shared, kind: 'number', isRequired: true };
  if (types.includes('number'))
    return { ...shared, kind: 'number', step: 0.01, hint: t('settings.emptyHint') };
  if (types.includes('array')) return { ...shared, kind: 'lines', hint: t('settings.linesHint') };
  if (types.includes('string')) return { ...shared, kind: 'text', hint: t('settings.emptyHint') };
  return { ...shared, kind: 'long', hint: t('settings.jsonHint') };
}

export const wordOf = (word: string): string => code('settingValue', word);

/** Invalid JSON is sent as text, and the API rejects it. */
function parsed(text: string): unknown {
  if (text.trim() === '') return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
