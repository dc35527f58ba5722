import { createMessage } from '../../kernel/pure/messages/message.ts';
import { staffLanguage, textIn } from '../../kernel/staff-text.ts';
import { NOTIFICATIONS, type NotificationKind } from './schemas/notifications.ts';

/**
 * Returns texts in the language of the request, otherwise in English (rule NOT-7). A kind of a
 * newer version has its name as text.
 */
export function notificationTexts(
  kind: string,
  language = staffLanguage(),
): { title: string; text: string } {
  if (!Object.hasOwn(NOTIFICATIONS, kind)) return { title: kind, text: kind };
  const known = kind as NotificationKind;

  return {
    title: textIn(language, createMessage(`notification.${known}.title`)),
    text: textIn(language, createMessage(`notification.${known}.text`)),
  };
}
