import type { ReactNode } from 'react';
import { textOfCode } from '../texts.ts';

/**
 * Badges for which the shop has a text. Staff choose the codes, so add the codes of your
 * restaurants to `src/texts/`.
 */
export const Badges = ({ codes }: { codes: readonly string[] }): ReactNode =>
  codes.map((code) => {
    const text = textOfCode('badge', code);
    return (
      text !== null && (
        <span key={code} className="badge">
          {text}
        </span>
      )
    );
  });
