const ROUBLES = new Intl.NumberFormat('ru', { style: 'currency', currency: 'RUB', minimumFractionDigits: 0 });

export const roubles = (money: number): string => ROUBLES.format(money);

/** The wall clock of a date with an offset, `HH:MM`. */
export const clock = (at: string): string => at.slice(11, 16);

/** The text of a field without blanks around it; empty if the form has no such field. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
}
