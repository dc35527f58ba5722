import { setAt, toText, valueAt, type FieldShape, type Values } from './fields.ts';

/** The parts of a JSON Schema that decide the controls of a setting. */
export type SettingSchema = {
  type?: string | readonly string[];
  enum?: readonly string[];
  minimum?: number;
  maximum?: number;
  properties?: Readonly<Record<string, SettingSchema>>;
};

/** A control of a setting: the whole value, or a member of an object. */
export type SettingField = FieldShape & {
  /** Names of the members that lead to it; empty for the whole value. */
  members: readonly string[];
  words: readonly string[];
  /** Typed as JSON, because its members have no fixed names. */
  isJson: boolean;
  isRequired: boolean;
  min?: number;
  max?: number;
  step?: number;
};

const isNullable = ({ type = [] }: SettingSchema): boolean => [type].flat().includes('null');

/** The controls of a setting by its schema: one for each member of an object. */
export function settingFields(
  schema: SettingSchema,
  members: readonly string[] = [],
  isOptional = false,
): SettingField[] {
  const { properties } = schema;
  const optional = isOptional || isNullable(schema);

  return properties === undefined
    ? [fieldOf(schema, members, optional)]
    : Object.entries(properties).flatMap(([name, member]) =>
        settingFields(member, [...members, name], optional),
      );
}

function fieldOf(
  { type = [], enum: words = [], minimum: min, maximum: max }: SettingSchema,
  members: readonly string[],
  isOptional: boolean,
): SettingField {
  const types = [type].flat();
  const is = (name: string): boolean => types.includes(name);
  const kind =
    words.length > 0
      ? 'choice'
      : is('integer') || is('number')
        ? 'number'
        : is('array')
          ? 'lines'
          : is('string')
            ? 'text'
            : 'long';

  return {
    name: ['value', ...members].join('.'),
    kind,
    members,
    words,
    isJson: kind === 'long',
    isRequired: !isOptional && kind !== 'long' && kind !== 'lines',
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
    ...(is('number') ? { step: 0.01 } : {}),
  };
}

/** The value as the controls show it: members without fixed names are JSON. */
export function shownSetting(fields: readonly SettingField[], value: unknown): unknown {
  const shown: Values = { value: structuredClone(value) };
  for (const { name, isJson } of fields)
    if (isJson) setAt(shown, name, JSON.stringify(valueAt(shown, name), null, 2));
  return shown['value'];
}

/**
 * The value to send: the stored one with what was edited. An object that may be null is null
 * without any content.
 */
export function sentSetting(
  { fields, schema }: { fields: readonly SettingField[]; schema: SettingSchema },
  stored: unknown,
  edited: Values,
): unknown {
  const sent: Values = { value: structuredClone(stored) };

  for (const { name, isJson } of fields) {
    const value = valueAt(edited, name);
    // Members that the stored value lacks are empty.
    if (value !== undefined) setAt(sent, name, isJson ? parsed(toText(value)) : value);
    else if (valueAt(sent, name) === undefined) setAt(sent, name, null);
  }

  const isEmpty = fields.every(({ name }) => valueAt(sent, name) === null);

  return isEmpty && isNullable(schema) ? null : sent['value'];
}

/** The value of a text in JSON; the API rejects a text that is none. */
function parsed(text: string): unknown {
  if (text.trim() === '') return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
