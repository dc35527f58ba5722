import type { ReactNode } from 'react';
import { LANGUAGES, type Language } from '../languages.ts';
import { Link } from '../routes.tsx';
import { openRestaurant, rereadTexts } from '../restaurant.ts';
import { accessToken, canSignIn, signIn, signOut } from '../sign-in.ts';
import { useShop } from '../store.ts';
import { switchLanguage, t } from '../texts.ts';

export function Header(): ReactNode {
  const organizations = useShop((state) => state.organizations);
  const organizationId = useShop((state) => state.organizationId);
  return (
    <header>
      <Link to="/" className="brand">
        Carte <span>{t('shop.name')}</span>
      </Link>
      <label className="restaurant">
        <span>{t('header.restaurant')}</span>
        <select
          id="restaurant"
          value={organizationId}
          onChange={(event) => openRestaurant(event.currentTarget.value)}
        >
          {organizations.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <p id="status" role="status">
        <Status />
      </p>
      <LanguageSwitch />
      <Account />
    </header>
  );
}

function Status(): ReactNode {
  const context = useShop((state) => state.context);
  if (context === null) return null;
  const { status, organization } = context;
  const hours = status.schedule.map(({ days, pickup }) => `${days} ${pickup}`).join('; ');
  const parts = [
    t(status.open ? 'header.open' : 'header.closed'),
    hours,
    organization.address ?? '',
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

function Account(): ReactNode {
  if (!canSignIn) return null;
  const isSignedIn = accessToken() !== null;
  return (
    <div id="account">
      {isSignedIn && <span>{t('header.signedIn')} </span>}
      <button type="button" onClick={() => (isSignedIn ? signOut() : void signIn())}>
        {t(isSignedIn ? 'header.signOut' : 'header.signIn')}
      </button>
    </div>
  );
}

/** A button for the other language, named in that language. */
function LanguageSwitch(): ReactNode {
  const other: Language = useShop((state) => state.language) === 'ru' ? 'en' : 'ru';
  return (
    <button
      type="button"
      id="language"
      lang={other}
      onClick={() => {
        switchLanguage(other);
        rereadTexts();
      }}
    >
      {LANGUAGES[other].name}
    </button>
  );
}
