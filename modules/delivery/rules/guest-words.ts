import type { ScheduleWords } from './display-schedule.ts';

export type GuestWords = ScheduleWords & {
  /** BCP 47 tag. */
  locale: string;
  today: string;
  tomorrow: string;
  busy(minutes: number, until: string): { title: string; text: string };
};

export const GUEST_WORDS: Readonly<Record<'RU' | 'EN', GuestWords>> = {
  RU: {
    locale: 'ru',
    weekdays: ['Пн', 'Вт', 'Ср', 'Чт', 'Пт', 'Сб', 'Вс'],
    closed: 'закрыто',
    allDay: 'круглосуточно',
    today: 'Сегодня',
    tomorrow: 'Завтра',
    busy: (minutes, until) => ({
      title: 'Много заказов',
      text: `До ${until} заказы занимают примерно на ${minutes} мин больше.`,
    }),
  },
  EN: {
    locale: 'en',
    weekdays: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
    closed: 'closed',
    allDay: 'around the clock',
    today: 'Today',
    tomorrow: 'Tomorrow',
    busy: (minutes, until) => ({
      title: 'Busy kitchen',
      text: `Until ${until} orders take about ${minutes} min longer.`,
    }),
  },
};

/** `date`: `YYYY-MM-DD`. */
export function dayLabel(
  date: string,
  daysAhead: number,
  { locale, today, tomorrow }: GuestWords,
): string {
  if (daysAhead < 2) return daysAhead === 0 ? today : tomorrow;
  const options = { weekday: 'short', day: 'numeric', month: 'long' } as const;
  return Temporal.PlainDate.from(date).toLocaleString(locale, options);
}
