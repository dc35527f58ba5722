import type { ReactNode } from 'react';
import { Link } from '../routes.tsx';
import { openRestaurant } from '../restaurant.ts';
import { accessToken, canSignIn, signIn, signOut } from '../sign-in.ts';
import { useShop } from '../store.ts';

export function Header(): ReactNode {
  const organizations = useShop((state) => state.organizations);
  const organizationId = useShop((state) => state.organizationId);
  return (
    <header>
      <Link to="/" className="brand">
        Carte <span>демонстрационный магазин</span>
      </Link>
      <label className="restaurant">
        <span>Ресторан</span>
        <select id="restaurant" value={organizationId} onChange={(event) => openRestaurant(event.currentTarget.value)}>
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
      <Account />
    </header>
  );
}

function Status(): ReactNode {
  const context = useShop((state) => state.context);
  if (context === null) return null;
  const { status, organization } = context;
  const hours = status.schedule.map(({ days, pickup }) => `${days} ${pickup}`).join('; ');
  return `${status.open ? 'Открыто' : 'Закрыто'}. ${organization.address ?? ''} ${hours}`;
}

function Account(): ReactNode {
  if (!canSignIn) return null;
  const isSignedIn = accessToken() !== null;
  return (
    <div id="account">
      {isSignedIn && <span>Вы вошли. </span>}
      <button type="button" onClick={() => (isSignedIn ? signOut() : void signIn())}>
        {isSignedIn ? 'Выйти' : 'Войти'}
      </button>
    </div>
  );
}
