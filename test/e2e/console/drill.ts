import { IntlMessageFormat } from 'intl-messageformat';
import { en, type TextKey } from '../../../packages/console/src/texts/en/index.ts';
import { ru } from '../../../packages/console/src/texts/ru/index.ts';
import type { Browser } from '../../support/browser.ts';
import type { ConsolePage } from './console-page.ts';

export type Language = 'en' | 'ru';
const TEXTS = { en, ru };

export const formatText = (
  language: Language,
  key: TextKey,
  values: Record<string, string | number> = {},
): string => String(new IntlMessageFormat(TEXTS[language][key], language).format(values));

/** The actions of a person. Clicks and submitting keys are counted, typing is not. */
export type Hands = {
  language: Language;
  text: (key: TextKey, values?: Record<string, string | number>) => string;
  click: (selector: string, text?: string) => Promise<void>;
  /** Submits a form or opens a search hit. */
  enter: () => Promise<void>;
  type: (text: string) => Promise<void>;
  /** Opens the search with Ctrl K. Enter then opens the first hit. */
  find: (text: string) => Promise<void>;
};

export type Result = {
  name: string;
  language: Language;
  clicks: number;
  most: number;
  seconds: number;
};

type Place = { page: ConsolePage; browser: Browser; log: (line: string) => void };

/** Runs a drill from the screen "Now". Logs each step with its time. */
export async function recordDrill(
  { page, browser, log }: Place,
  { name, language, most }: { name: string; language: Language; most: number },
  work: (hands: Hands) => Promise<void>,
): Promise<Result> {
  await page.show('/');
  const begun = performance.now();
  const seconds = () => Math.round((performance.now() - begun) / 100) / 10;
  let clicks = 0;
  const step = (what: string) => log(`  ${seconds().toFixed(1)} s  ${what}`);
  const counted = async (what: string, act: () => Promise<void>) => {
    await act();
    clicks += 1;
    step(`${clicks}. ${what}`);
  };
  log(`${name} (${language})`);
  await work({
    language,
    text: (key, values) => formatText(language, key, values),
    click: (selector, text = '') =>
      counted(`click ${text === '' ? selector : `"${text}"`}`, () => page.press(selector, text)),
    enter: () => counted('Enter', () => browser.press('Enter')),
    async type(text) {
      await browser.until(
        'a field has the focus',
        `document.activeElement?.matches('input, textarea')`,
      );
      await browser.type(text);
      step(`type "${text}"`);
    },
    async find(text) {
      await browser.press('k', { control: true });
      await browser.until('the search', `document.activeElement?.matches('[role=combobox]')`);
      await browser.type(text);
      await browser.until('a hit', `document.querySelector('[role=option]')`);
      step(`Ctrl K, type "${text}"`);
    },
  });
  log(`${name} (${language}): ${clicks} of ${most} clicks, ${seconds().toFixed(1)} s`);
  return { name, language, clicks, most, seconds: seconds() };
}
