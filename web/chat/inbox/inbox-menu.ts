/** The name of a menu in the Inbox. No React here: the first paint uses it too. */
import { t } from '../../shared/texts/texts';
import type { InboxGroup, InboxRow } from './inbox-groups';

export function menuName({ stream }: InboxGroup, row?: InboxRow): string {
  if (!row) return t('stream.menu', { stream: stream?.name ?? '' });
  return stream ? t('topic.menu', { topic: row.name }) : t('private.menu', { names: row.name });
}
