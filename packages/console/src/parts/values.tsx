import { age, count, money, moment, zoneName } from '../pure/format.ts';
import { code, currentLanguage } from '../texts/texts.ts';
import { useZone } from '../data/restaurants.ts';
import css from './parts.module.css';

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'plain';

export function Status({ tone = 'plain', children }: { tone?: Tone; children: string }) {
  return (
    <span className={`${css['status']} ${tone === 'plain' ? '' : css[tone]}`}>{children}</span>
  );
}

const TONES: Readonly<Record<string, Tone>> = Object.fromEntries(
  Object.entries({
    good: 'SUCCESS DELIVERED CLOSED PUBLISHED REDEEMED OK TAKEN ACTIVE GRANTED CONFIRMED',
    warn: 'SKIPPED DRAFT UNPUBLISHED SNOOZED BLOCKED UNKNOWN INFO PENDING DISABLED HALF_OPEN WAITING',
    bad: 'FAILED CANCELLED CRITICAL REFUSED MISSING EXHAUSTED EXPIRED',
    info: 'RUNNING ACCEPTED SENT COOKING READY ON_THE_WAY OPEN NEW RESERVED',
  }).flatMap(([tone, words]) => words.split(' ').map((word) => [word, tone as Tone])),
);

/** `group` is the group of codes that contains the sentence. */
export function CodeStatus({ group, value, tone }: { group: string; value: string; tone?: Tone }) {
  return <Status tone={tone ?? TONES[value] ?? 'plain'}>{code(group, value)}</Status>;
}

export function When({ at, zone }: { at: string | null | undefined; zone?: string | undefined }) {
  const shown = useZone(zone);
  if (at === null || at === undefined) return <>—</>;
  const language = currentLanguage();

  return (
    <time dateTime={at} className={css['number']} title={shown}>
      {moment(at, shown, language)}{' '}
      <span className={css['muted']} translate="no">
        {zoneName(shown, language, new Date(at))}
      </span>
    </time>
  );
}

export const Money = ({ amount }: { amount: number | null | undefined }) => (
  <span className={css['number']}>
    {amount === null || amount === undefined ? '—' : money(amount, currentLanguage())}
  </span>
);

export const Count = ({ value }: { value: number }) => (
  <span className={css['number']}>{count(value, currentLanguage())}</span>
);

export const Age = ({ seconds }: { seconds: number | null | undefined }) => (
  <span className={css['number']}>
    {seconds === null || seconds === undefined ? '—' : age(seconds, currentLanguage())}
  </span>
);

export function Person({ author }: { author: { name: string } | null }) {
  return author === null ? '—' : <span translate="no">{author.name}</span>;
}

export function Prose({ text }: { text: string }) {
  return text.split('`').map((part, at) => (at % 2 === 0 ? part : <code key={at}>{part}</code>));
}
