import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { invalidField } from '../../kernel/problem.ts';

/**
 * A hundred million: at the attempts that a sign-in allows this takes longer than a life, and much
 * less for a stolen hash.
 */
const ENOUGH_GUESSES = 1e8;
/**
 * The number of checked characters: later ones make nothing weaker, and longer texts would keep the
 * process busy.
 */
const MOST_CHARACTERS = 32;
/** Guesses that are specific to this product. */
const OURS = ['carte', 'restaurant', 'ресторан'];

const RUSSIAN_KEYS = 'ёйцукенгшщзхъфывапролджэячсмитьбю';
const ENGLISH_KEYS = "`qwertyuiop[]asdfghjkl;'zxcvbnm,.";
const toEnglish = new Map(Array.from(RUSSIAN_KEYS, (key, at) => [key, ENGLISH_KEYS[at]!]));

let estimator: Promise<ZxcvbnFactory> | undefined;

/** Loaded at the first use: few processes set passwords, and the lists take 15 MB. */
async function makeEstimator(): Promise<ZxcvbnFactory> {
  const [core, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new core.ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: MOST_CHARACTERS });
}

/** The same keys on an English keyboard: «пароль» is as common there as «password» is here. */
function englishKeys(text: string): string {
  return Array.from(text.toLowerCase(), (key) => toEnglish.get(key) ?? key).join('');
}

/**
 * Returns whether a password is found soon by guessing common passwords, sequences, repetitions and
 * `known` facts of the user (e-mail, name) (rule ACC-17).
 */
export async function isGuessable(password: string, known: readonly (string | null)[]): Promise<boolean> {
  estimator ??= makeEstimator();
  const own = [...OURS, ...known.flatMap((text) => (text === null ? [] : [text, ...text.split(/[\s@.]+/)]))];
  const words = [...new Set(own.flatMap((text) => [text, englishKeys(text)]))].filter((text) => text.length > 2);
  const judge = await estimator;
  const texts = /[а-яё]/i.test(password) ? [password, englishKeys(password)] : [password];
  return texts.some((text) => judge.check(text, words).guesses < ENOUGH_GUESSES);
}

/** Rejects with `validation` for a new password that is guessed soon. */
export async function refuseGuessable(
  field: string,
  password: string,
  known: readonly (string | null)[],
): Promise<void> {
  if (await isGuessable(password, known))
    throw invalidField(field, 'guessable', 'is easy to guess: use several unrelated words');
}
