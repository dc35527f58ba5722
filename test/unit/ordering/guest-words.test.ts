import { describe, expect, test } from '@jest/globals';
import { guestWords } from '../../../domain/ordering/guest-words.ts';

describe('the words of a guest', () => {
  test.each([
    ['nothing', undefined, null],
    ['only spaces', ' \n\t ', null],
    ['words', '  Без  лука ', 'Без лука'],
    ['control characters', 'Без\u0000 лука\u202e!', 'Без лука !'],
    ['a mark of a gift', 'Привет [COMP]Ролл[/COMP] всем', 'Привет всем'],
    ['a mark in small letters over lines', 'а [comp]Ролл\nс сыром[/Comp] б', 'а б'],
    ['half a mark', 'а [COMP] б [/COMP', 'а б [/COMP'],
    ['a mark inside a mark', 'а [CO[COMP]x[/COMP]MP] б', 'а [CO MP] б'],
    ['only a mark', '[COMP]Ролл[/COMP]', null],
  ])('are cleaned: %s', (_, text, words) => {
    expect(guestWords(text)).toBe(words);
  });
});
