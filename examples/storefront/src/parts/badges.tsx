import type { ReactNode } from 'react';
import { textOfCode } from '../texts.ts';

/**
 * Badges that the shop has a text for. Staff choose the codes, so `src/texts/` lists those of your
 * restaurants.
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
