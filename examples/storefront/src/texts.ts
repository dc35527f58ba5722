import {
  chooseLanguage,
  LANGUAGES,
  textIn,
  type Language,
  type TextKey,
  type Values,
} from './languages.ts';
import { shop, update } from './store.ts';

const KEPT = 'carte.language';

/** A text in the language of the guest. Components render again when the language changes. */
export const t = <K extends TextKey>(key: K, ...values: Values<K>): string =>
  textIn(shop().language, key, ...values);

/** The text for a code of the server; null if the code is newer than the shop. */
export function textOfCode(
  group: 'address' | 'badge' | 'field' | 'order' | 'problem' | 'repair',
  code: string,
): string | null {
  const text = LANGUAGES[shop().language].texts[`${group}.${code}` as TextKey] as unknown;
  return typeof text === 'string' ? text : null;
}

/** Starts in the language of `?lang=`, else the stored language, else the browser's. */
export function startLanguage(): void {
  const wish = new URLSearchParams(location.search).get('lang');
  showIn(chooseLanguage([wish, localStorage.getItem(KEPT), ...navigator.languages]));
  if (wish !== null) localStorage.setItem(KEPT, shop().language);
}

export function switchLanguage(language: Language): void {
  localStorage.setItem(KEPT, language);
  const url = new URL(location.href);
  if (url.searchParams.has('lang')) {
    url.searchParams.set('lang', language);
    history.replaceState(history.state, '', url);
  }
  showIn(language);
}

function showIn(language: Language): void {
  update({ language, message: '', news: '' });
  document.documentElement.lang = language;
  document.querySelector<HTMLMetaElement>('meta[name=description]')!.content =
    t('shop.description');
}
