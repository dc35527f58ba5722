/** Formats kopecks as a JSON number: 25000 is `250.00`. Throws on a fraction of a kopeck. */
export function moneyText(kopecks: number): string {
  if (!Number.isSafeInteger(kopecks))
    throw new Error(`${kopecks} is not a whole number of kopecks`);
  const digits = String(Math.abs(kopecks)).padStart(3, '0');
  return `${kopecks < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Null for a fraction of a kopeck. */
export function toKopecks(rubles: number): number | null {
  const kopecks = Math.round(rubles * 100);
  return Math.abs(rubles * 100 - kopecks) < 1e-6 ? kopecks : null;
}
