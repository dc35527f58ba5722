import { staffText } from '../../kernel/staff-text.ts';
import type { PublishViolation } from './rules/publish-rules.ts';

/** Violations of publication with their sentences, in the language of staff (rule HTTP-110). */
export const withTexts = (violations: readonly PublishViolation[]): { code: PublishViolation; message: string }[] =>
  violations.map((code) => ({ code, message: staffText(`violation.${code}`) }));
