import { EN } from './texts/en.ts';
import { RU } from './texts/ru.ts';

/** A text that depends on `{count}`, by plural category of the language. */
type Plural = Readonly<{ other: string } & Partial<Record<Intl.LDMLPluralRule, string>>>;
type Text = string | Plural;

export type TextKey = keyof typeof RU;
type Texts = Readonly<Record<TextKey, Text>>;
export type Language = 'ru' | 'en';

type Placeholders<S extends string> = S extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;
type TextOf<K extends TextKey> = (typeof RU)[K] extends Plural
  ? (typeof RU)[K]['other']
  : (typeof RU)[K];
type NamesOf<K extends TextKey> = TextOf<K> extends string ? Placeholders<TextOf<K>> : never;
type ValueOf<Name extends string> = Name extends 'count' ? number : string | number;
/** The values of a text's placeholders; no argument if the text has none. */
export type Values<K extends TextKey> = [NamesOf<K>] extends [never]
  ? []
  : [values: { [Name in NamesOf<K>]: ValueOf<Name> }];

/** Languages of the shop. `locale` formats numbers and times, on a 24-hour clock like the API. */
export const LANGUAGES: Readonly<Record<Language, { name: string; locale: string; texts: Texts }>> =
  {
    ru: { name: 'Русский', locale: 'ru-RU', texts: RU },
    en: { name: 'English', locale: 'en-GB', texts: EN },
  };

/** The first language of `wishes` (BCP 47 tags) that the shop supports, else English (STO-19). */
export function chooseLanguage(wishes: readonly (string | null)[]): Language {
  const codes = wishes.map((wish) => wish?.split('-')[0]?.toLowerCase());
  return (
    codes.find((code): code is Language => code !== undefined && Object.hasOwn(LANGUAGES, code)) ??
    'en'
  );
}

/** A text with its placeholders filled, in the plural form of `{count}` (STO-19). */
export function textIn<K extends TextKey>(language: Language, key: K, ...args: Values<K>): string {
  const { locale, texts } = LANGUAGES[language];
  const text: Text = texts[key];
  const [filled = {}] = args as readonly Readonly<Record<string, string | number>>[];
  const form =
    typeof text === 'string'
      ? text
      : (text[new Intl.PluralRules(locale).select(Number(filled['count']))] ?? text.other);
  return form.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = filled[name] ?? '';
    return typeof value === 'number' ? value.toLocaleString(locale) : value;
  });
}
