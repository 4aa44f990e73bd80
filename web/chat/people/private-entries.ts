/** What can be done with a private conversation: the entries of its menus. */
import { t } from '../../shared/texts/texts';
import { copyText } from '../../shared/ui/copy-text';
import type { MenuEntry } from '../../shared/menus/menu-button';
import { tell } from '../../shared/ui/toasts';
import { openToPeople } from '../compose/state';
import { pathOf } from '../data/narrow';
import { chat } from '../data/store';
import { privateConversation } from '../data/unread';
import { showPerson } from '../dialogs/dialogs';
import { markConversationRead } from '../reading/mark-as-read';

export function privateEntries(userIds: readonly number[]): MenuEntry[] {
  const [only, another] = userIds;
  const person = another === undefined && only !== undefined ? chat().people.get(only) : undefined;
  return [
    {
      icon: 'check',
      text: t('private.markRead'),
      run: () => tell(markConversationRead(privateConversation(userIds))),
    },
    { icon: 'edit', text: t('private.write'), run: () => openToPeople(userIds) },
    ...(person ? [{ icon: 'users', text: t('private.card'), run: () => showPerson(person.user_id) } as const] : []),
    {
      icon: 'link',
      text: t('private.copyLink'),
      run: () => tell(copyText(location.origin + pathOf({ kind: 'private', userIds }))),
    },
  ];
}
