/** A private conversation in the side bar. */
import { Count } from '../../shared/shell/count';
import { Icon } from '../../shared/ui/icon';
import { Face } from '../../shared/ui/person-row';
import { MenuRow, RowMenu } from '../../shared/menus/row-menu';
import { t } from '../../shared/texts/texts';
import { pathOf } from '../data/narrow';
import { namesOf, useChat } from '../data/store';
import { countOf, privateConversation } from '../data/unread';
import { PresenceDot } from '../people/presence-dot';
import { privateEntries } from '../people/private-entries';
import { PlaceLink } from './place-link';
import nav from '../../shared/shell/nav.module.css';
import classes from './chat-side.module.css';

export function PrivateRow({ userIds, isCurrent }: { userIds: readonly number[]; isCurrent: boolean }) {
  const people = useChat((state) => state.people);
  const count = useChat((state) => countOf(state.unread, privateConversation(userIds)));
  const names = namesOf(people, userIds);
  return (
    <li>
      <MenuRow menu={<RowMenu label={t('private.menu', { names })} entries={() => privateEntries(userIds)} />}>
        <PlaceLink
          href={pathOf({ kind: 'private', userIds })}
          className={nav.entry}
          data-unread={count > 0 || undefined}
          aria-current={isCurrent ? 'page' : undefined}
        >
          <Faces userIds={userIds} />
          <span className={nav.label}>{names}</span>
          <Count count={count} />
        </PlaceLink>
      </MenuRow>
    </li>
  );
}

/** The face of the other person with their presence, or a sign for several people. */
function Faces({ userIds }: { userIds: readonly number[] }) {
  const person = useChat((state) => state.people.get(userIds[0]!));
  if (userIds.length > 1 || !person)
    return (
      <span className={classes.group}>
        <Icon name="users" size={14} />
      </span>
    );
  const { full_name: name, user_id: id, avatar_url: url } = person;
  return <Face name={name} id={id} url={url} size={22} presence={<PresenceDot id={id} />} />;
}
