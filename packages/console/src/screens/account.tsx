import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { THEMES, chosenTheme, showTheme, type Theme } from '../app/theme.ts';
import { useProfile } from '../data/access.tsx';
import { useAction } from '../data/action.ts';
import { session } from '../data/api.ts';
import { useRead } from '../data/read.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { Button } from '../parts/button.tsx';
import { Form } from '../parts/form.tsx';
import form from '../parts/form.module.css';
import { Block, Facts, Page } from '../parts/page.tsx';
import css from '../parts/parts.module.css';
import { Loaded } from '../parts/states.tsx';
import { announce } from '../parts/toast.tsx';
import { Status, When } from '../parts/values.tsx';
import { code, t } from '../texts/texts.ts';
import { SecondFactor } from './parts/second-factor.tsx';

export function Screen() {
  const { fullName, email, roles, mustChangePassword, secondFactor } = useProfile();
  const client = useQueryClient();
  const signOut = async () => {
    await session.signOut().catch(() => undefined);
    client.clear();
    location.reload();
  };

  return (
    <Page
      title={t('account.title')}
      actions={<Button onPress={() => void signOut()}>{t('account.signOut')}</Button>}
    >
      <div className={css['columns']}>
        <Block title={t('account.me')}>
          <Facts
            facts={[
              [
                t('users.fullName'),
                <span key="n" translate="no">
                  {fullName}
                </span>,
              ],
              [
                t('signIn.email'),
                <span key="e" translate="no">
                  {email}
                </span>,
              ],
              [t('account.roles'), roles.map((role) => code('role', role)).join(', ')],
            ]}
          />
          <ThemeChoice />
        </Block>
        <Password />
        {!mustChangePassword && <SecondFactor />}
        {!mustChangePassword && !secondFactor.isDemanded && <Sessions />}
      </div>
    </Page>
  );
}

function ThemeChoice() {
  const [theme, setTheme] = useState<Theme>(chosenTheme());
  return (
    <label className={form['field']}>
      <span className={form['label']}>{t('account.theme')}</span>
      <select
        className={form['input']}
        value={theme}
        onChange={({ target }) => {
          setTheme(target.value as Theme);
          showTheme(target.value as Theme);
        }}
      >
        {THEMES.map((value) => (
          <option key={value} value={value}>
            {code('theme', value)}
          </option>
        ))}
      </select>
    </label>
  );
}

function Password() {
  const { mustChangePassword } = useProfile();
  const change = useAction('changePassword');
  const [round, setRound] = useState(0);
  const save = async (body: object) => {
    await change.run(body as never);
    announce(t('account.passwordChanged'));
    setRound(round + 1);
  };

  return (
    <Block title={t('account.password')}>
      {mustChangePassword && <p className={css['error']}>{t('account.mustChange')}</p>}
      <Form
        key={round}
        fields={[
          {
            name: 'currentPassword',
            kind: 'password',
            label: t('account.currentPassword'),
            isRequired: true,
          },
          {
            name: 'newPassword',
            kind: 'password',
            label: t('account.newPassword'),
            isRequired: true,
          },
        ]}
        save={save}
      />
    </Block>
  );
}

function Sessions() {
  const query = useRead('listSessions', [{}]);
  const end = useAction('endSession');
  const endOthers = useAction('endOtherSessions');

  return (
    <Block
      title={t('account.sessions')}
      actions={
        <ActionButton
          small
          action={endOthers}
          label={t('account.endOthers')}
          confirm={t('account.endOthersText')}
          input={() => []}
        />
      }
    >
      <Loaded query={query}>
        {({ items }) => (
          <ul className={css['list']}>
            {items.map(({ id, userAgent, lastUsedAt, isCurrent }) => (
              <li key={id}>
                <span className={css['grow']}>
                  <span translate="no">{userAgent ?? '—'}</span> <When at={lastUsedAt} />
                </span>
                {isCurrent ? (
                  <Status tone="good">{t('account.thisSession')}</Status>
                ) : (
                  <ActionButton
                    small
                    action={end}
                    label={t('account.end')}
                    input={() => [{ session_id: id }]}
                  />
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Block>
  );
}
