import { isProblem } from '@carte/client/admin';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useState } from 'react';
import { I18nProvider } from 'react-aria-components';
import { ProfileContext } from '../data/access.tsx';
import { ErrorState, Skeleton } from '../parts/states.tsx';
import { localeOf } from '../pure/format.ts';
import { currentLanguage, loadLanguage, type Language } from '../texts/texts.ts';
import { client, profileQuery } from './client.ts';
import css from './frame.module.css';
import { ChangeLanguage } from './language-switch.tsx';
import { router } from './router.tsx';
import { SignIn } from './sign-in.tsx';

export function App() {
  const [language, setLanguage] = useState<Language>(currentLanguage());
  const change = async (next: Language) => {
    await loadLanguage(next);
    setLanguage(next);
    // Texts of the server are in the language of the request. Those of other screens are forgotten.
    client.removeQueries({ type: 'inactive' });
    await client.invalidateQueries();
  };

  return (
    <I18nProvider locale={localeOf(language)}>
      <ChangeLanguage value={(next) => void change(next)}>
        <QueryClientProvider client={client}>
          <Signed key={language} />
        </QueryClientProvider>
      </ChangeLanguage>
    </I18nProvider>
  );
}

function Signed() {
  const { data, error, refetch } = useQuery(profileQuery);
  if (isProblem(error, 'unauthorized')) return <SignIn signedIn={() => refetch()} />;
  if (data === undefined)
    return (
      <main className={css['signIn']}>
        {error === null ? (
          <Skeleton />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )}
      </main>
    );

  return (
    <ProfileContext value={data}>
      <RouterProvider router={router} />
    </ProfileContext>
  );
}
