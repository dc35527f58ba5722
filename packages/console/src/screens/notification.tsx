import { Link, useParams } from '@tanstack/react-router';
import { useAction } from '../data/action.ts';
import { useRead } from '../data/read.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { Block, Facts, Page } from '../parts/page.tsx';
import css from '../parts/parts.module.css';
import { Loaded } from '../parts/states.tsx';
import { CodeStatus, Person, Prose, When } from '../parts/values.tsx';
import { RESOLVED_BY_STAFF, subjectPath } from '../pure/subjects.ts';
import { t } from '../texts/texts.ts';

/** One notification: its cause, and the screen that handles it. */
export function Screen() {
  const { id } = useParams({ strict: false }) as { id: string };
  const query = useRead('getNotification', [{ id: Number(id) }]);
  const read = useAction('readNotification');
  const send = useAction('resendNotification');
  const resolve = useAction('resolveNotification');

  return (
    <Page
      title={query.data === undefined ? t('notifications.title') : query.data.title}
      lead={<Link to="/notifications">{t('notifications.all')}</Link>}
    >
      <Loaded query={query}>
        {(item) => (
          <Block
            actions={
              <>
                <ActionButton
                  action={read}
                  label={t('notifications.markRead')}
                  reason={item.readAt === null ? null : t('notifications.alreadyRead')}
                  input={() => [{ id: item.id }]}
                />
                <ActionButton
                  action={resolve}
                  label={t('notifications.resolve')}
                  reason={
                    item.resolvedAt !== null
                      ? t('notifications.isResolved')
                      : RESOLVED_BY_STAFF.includes(item.kind)
                        ? null
                        : t('notifications.endsItself')
                  }
                  confirm={t('notifications.resolveText')}
                  input={() => [{ id: item.id }]}
                />
                <ActionButton
                  action={send}
                  label={t('notifications.send')}
                  input={() => [{ id: item.id }]}
                />
              </>
            }
          >
            <p>
              <Prose text={item.text} />
            </p>
            <Facts
              facts={[
                [
                  t('notifications.severity'),
                  <CodeStatus key="s" group="severity" value={item.severity} />,
                ],
                [t('notifications.first'), <When key="f" at={item.raisedAt} />],
                [t('notifications.last'), <When key="l" at={item.lastRaisedAt} />],
                [t('notifications.repeated'), String(item.repeated)],
                [
                  t('notifications.resolvedAt'),
                  item.resolvedAt === null ? null : <When key="r" at={item.resolvedAt} />,
                ],
                [t('notifications.resolvedBy'), <Person key="by" author={item.resolvedBy} />],
                [
                  t('notifications.sentAt'),
                  item.sentAt === null ? null : <When key="m" at={item.sentAt} />,
                ],
              ]}
            />
            {subjectPath(item) !== null && (
              <p>
                <Link to={subjectPath(item)!}>{t('notifications.openSubject')}</Link>
              </p>
            )}
            <h2>{t('notifications.details')}</h2>
            <pre className={css['pre']} tabIndex={0}>
              <code>{JSON.stringify(item.details, null, 2)}</code>
            </pre>
          </Block>
        )}
      </Loaded>
    </Page>
  );
}
