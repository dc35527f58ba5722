import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { invalidField } from '../../kernel/problem.ts';

/** Guessing takes more than a lifetime at the sign-in limits, but far less with a stolen hash. */
const ENOUGH_GUESSES = 1e8;
/** More characters do not weaken a password, but slow down the check. */
const MOST_CHARACTERS = 32;
const OURS = ['carte', 'restaurant', 'ресторан'];

const RUSSIAN_KEYS = 'ёйцукенгшщзхъфывапролджэячсмитьбю';
const ENGLISH_KEYS = "`qwertyuiop[]asdfghjkl;'zxcvbnm,.";
const toEnglish = new Map(Array.from(RUSSIAN_KEYS, (key, at) => [key, ENGLISH_KEYS[at]!]));

let estimator: Promise<ZxcvbnFactory> | undefined;

/** Loaded on first use, because the lists take 15 MB. */
async function makeEstimator(): Promise<ZxcvbnFactory> {
  const [core, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);

  return new core.ZxcvbnFactory({
    dictionary,
    graphs: adjacencyGraphs,
    maxLength: MOST_CHARACTERS,
  });
}

/** Converts «пароль» to `gfhjkm`, the English letters on the same keys. */
function englishKeys(text: string): string {
  return Array.from(text.toLowerCase(), (key) => toEnglish.get(key) ?? key).join('');
}

/** Also checks `known` facts about the user (rule ACC-17). */
export async function isGuessable(
  password: string,
  known: readonly (string | null)[],
): Promise<boolean> {
  estimator ??= makeEstimator();
  const own = [
    ...OURS,
    ...known.flatMap((text) => (text === null ? [] : [text, ...text.split(/[\s@.]+/)])),
  ];

  const words = [...new Set(own.flatMap((text) => [text, englishKeys(text)]))].filter(
    (text) => text.length > 2,
  );
  const judge = await estimator;
  const texts = /[а-яё]/i.test(password) ? [password, englishKeys(password)] : [password];

  return texts.some((text) => judge.check(text, words).guesses < ENOUGH_GUESSES);
}

export async function refuseGuessable(
  field: string,
  password: string,
  known: readonly (string | null)[],
): Promise<void> {
  if (await isGuessable(password, known))
    throw invalidField(field, 'guessable', 'is easy to guess: use several unrelated words');
}
