import { createContext, use } from 'react';
import { Button } from '../parts/button.tsx';
import { currentLanguage, type Language } from '../texts/texts.ts';
import css from './frame.module.css';

export const ChangeLanguage = createContext<(language: Language) => void>(() => undefined);

const NAMES: Readonly<Record<Language, string>> = { en: 'English', ru: 'Русский' };

export function LanguageSwitch() {
  const change = use(ChangeLanguage);
  const other: Language = currentLanguage() === 'en' ? 'ru' : 'en';

  return (
    <span className={css['languages']}>
      <Button small look="quiet" onPress={() => change(other)}>
        <span translate="no">{NAMES[other]}</span>
      </Button>
    </span>
  );
}
