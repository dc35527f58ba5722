const NUMBER = /^[+-]?\d{1,3}(\.\d+)?$/;

/**
 * A longitude or latitude of the ERP in degrees, null when it is none or lies beyond `most` degrees. Some installations write the number
 * as text: it is the same number then (rule MIR-51). Text that is anything else, a decimal comma included, is not guessed at.
 */
export function degrees(value: unknown, most: 90 | 180): number | null {
  const number = typeof value === 'string' && NUMBER.test(value.trim()) ? Number(value) : value;
  return typeof number === 'number' && Math.abs(number) <= most ? number : null;
}
