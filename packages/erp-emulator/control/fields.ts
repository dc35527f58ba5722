import type { Body } from '../wire.ts';

/** An invalid control request: status 400 with this text. */
export class ControlError extends Error {}

function wrong(name: string, expected: string): ControlError {
  return new ControlError(`${name}: ${expected} expected`);
}

/** Throws ControlError for a wrong type. */
export type Fields = {
  text(name: string): string;
  optionalText(name: string): string | undefined;
  number(name: string): number;
  optionalNumber(name: string): number | undefined;
  flag(name: string, fallback: boolean): boolean;
  optionalTexts(name: string): string[] | undefined;
  oneOf<T extends string>(name: string, values: readonly T[]): T;
  optionalOneOf<T extends string>(name: string, values: readonly T[]): T | undefined;
  has(name: string): boolean;
  /** Undefined if missing or null. */
  optionalBody(name: string): Body | undefined;
  object(name: string): Fields;
  /** Empty if missing. */
  objects(name: string): Fields[];
  names(): string[];
  isNull(name: string): boolean;
};

export function readFields(body: Body): Fields {
  const optional = <T>(
    name: string,
    expected: string,
    is: (value: unknown) => value is T,
  ): T | undefined => {
    const value = body[name];
    if (value === undefined || value === null) return undefined;
    if (!is(value)) throw wrong(name, expected);
    return value;
  };

  const required = <T>(name: string, expected: string, value: T | undefined): T => {
    if (value === undefined) throw wrong(name, expected);
    return value;
  };

  const isText = (value: unknown): value is string => typeof value === 'string';
  const isNumber = (value: unknown): value is number => typeof value === 'number';
  const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';
  const isTexts = (value: unknown): value is string[] =>
    Array.isArray(value) && value.every(isText);
  const isBody = (value: unknown): value is Body =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const isBodies = (value: unknown): value is Body[] => Array.isArray(value) && value.every(isBody);
  const optionalOneOf = <T extends string>(name: string, values: readonly T[]): T | undefined =>
    optional(name, `one of ${values.join(', ')}`, (value): value is T =>
      values.some((entry) => entry === value),
    );

  return {
    text: (name) => required(name, 'text', optional(name, 'text', isText)),
    optionalText: (name) => optional(name, 'text', isText),
    number: (name) => required(name, 'number', optional(name, 'number', isNumber)),
    optionalNumber: (name) => optional(name, 'number', isNumber),
    flag: (name, fallback) => optional(name, 'true or false', isFlag) ?? fallback,
    optionalBody: (name) => optional(name, 'object', isBody),
    optionalTexts: (name) => optional(name, 'list of texts', isTexts),
    oneOf: (name, values) =>
      required(name, `one of ${values.join(', ')}`, optionalOneOf(name, values)),
    optionalOneOf,
    object: (name) => readFields(required(name, 'object', optional(name, 'object', isBody))),
    objects: (name) => (optional(name, 'list of objects', isBodies) ?? []).map(readFields),
    names: () => Object.keys(body),
    has: (name) => body[name] !== undefined,
    isNull: (name) => body[name] === null,
  };
}
