import { staffText } from '../../kernel/staff-text.ts';
import type { PublishViolation } from './rules/publish-rules.ts';

/** In the language of staff (HTTP-110). */
export const withTexts = (
  violations: readonly PublishViolation[],
): { code: PublishViolation; message: string }[] =>
  violations.map((code) => ({ code, message: staffText(`violation.${code}`) }));
