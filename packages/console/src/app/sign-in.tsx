import { isProblem } from '@carte/client/admin';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { session, type Data } from '../data/api.ts';
import { Button } from '../parts/button.tsx';
import form from '../parts/form.module.css';
import { ErrorState } from '../parts/states.tsx';
import { currentLanguage, t } from '../texts/texts.ts';
import css from './frame.module.css';
import { LanguageSwitch } from './language-switch.tsx';

type Typed = { email: string; password: string; code: string };

/** The session would first wait for an access token. */
async function publicConfig({
  signal,
}: {
  signal: AbortSignal;
}): Promise<Data<'getConsoleConfig'>> {
  const headers = { 'Accept-Language': currentLanguage() };
  const answer = await fetch('/api/admin/v1/console-config', { signal, headers });
  if (!answer.ok) throw new Error(`The configuration of the console answers ${answer.status}.`);
  return (await answer.json()) as Data<'getConsoleConfig'>;
}

/** Signs in with single sign-on, or with a password and, if set up, a second factor. */
export function SignIn({ signedIn }: { signedIn: () => Promise<unknown> }) {
  const { register, handleSubmit, formState } = useForm<Typed>();
  const [error, setError] = useState<unknown>(null);
  const [needsCode, setNeedsCode] = useState(false);
  const { data: config } = useQuery({ queryKey: ['publicConsoleConfig'], queryFn: publicConfig });

  const send = async ({ email, password, code }: Typed) => {
    setError(null);
    try {
      await session.signIn({ email, password, ...(needsCode ? { code } : {}) });
      await signedIn();
    } catch (failure) {
      if (isProblem(failure, 'second-factor-required')) setNeedsCode(true);
      if (needsCode || !isProblem(failure, 'second-factor-required')) setError(failure);
    }
  };

  const signOn = config?.signOn.startPath ?? null;

  return (
    <main className={css['signIn']}>
      <form className={css['card']} onSubmit={(event) => void handleSubmit(send)(event)}>
        <h1>
          {config === undefined ? t('signIn.title') : `${config.chainName}: ${t('signIn.title')}`}
        </h1>
        <label className={form['field']}>
          <span className={form['label']}>{t('signIn.email')}</span>
          <input
            className={form['input']}
            type="email"
            autoComplete="username"
            required
            {...register('email')}
          />
        </label>
        <label className={form['field']}>
          <span className={form['label']}>{t('signIn.password')}</span>
          <input
            className={form['input']}
            type="password"
            autoComplete="current-password"
            required
            {...register('password')}
          />
        </label>
        {needsCode && (
          <label className={form['field']}>
            <span className={form['label']}>{t('signIn.code')}</span>
            <input
              className={form['input']}
              inputMode="numeric"
              autoComplete="one-time-code"
              autoFocus
              required
              {...register('code')}
            />
          </label>
        )}
        {error !== null && <ErrorState error={error} />}
        <Button submit look="primary" isPending={formState.isSubmitting}>
          {t('signIn.submit')}
        </Button>
        {signOn !== null && (
          <Button look="quiet" onPress={() => location.assign(signOn)}>
            {t('signIn.signOn')}
          </Button>
        )}
        <LanguageSwitch />
      </form>
    </main>
  );
}
