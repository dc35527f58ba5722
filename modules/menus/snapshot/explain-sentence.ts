import { staffText } from '../../../kernel/staff-text.ts';
import type { Conclusion } from '../rules/snapshot/conclusion.ts';

/** In the language of staff (CAT-30, HTTP-110). */
export function explainSentence({ inMenu, available, reason }: Conclusion): string {
  const sentence = staffText(`explain.${reason}`);
  return inMenu && !available ? `${staffText('explain.SOLD_OUT')} ${sentence}` : sentence;
}
