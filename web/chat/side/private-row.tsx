/** A private conversation in the side bar. */
import { Count } from '../../shared/shell/count';
import { Avatar } from '../../shared/ui/avatar';
import { Icon } from '../../shared/ui/icon';
import { pathOf } from '../data/narrow';
import { namesOf, useChat } from '../data/store';
import { countOf, privateConversation } from '../data/unread';
import { PresenceDot } from '../people/presence-dot';
import { PlaceLink } from './place-link';
import nav from '../../shared/shell/nav.module.css';
import classes from './chat-side.module.css';

export function PrivateRow({ userIds, isCurrent }: { userIds: readonly number[]; isCurrent: boolean }) {
  const people = useChat((state) => state.people);
  const count = useChat((state) => countOf(state.unread, privateConversation(userIds)));
  return (
    <li>
      <div className={classes.row}>
        <PlaceLink
          href={pathOf({ kind: 'private', userIds })}
          className={nav.entry}
          data-unread={count > 0 || undefined}
          aria-current={isCurrent ? 'page' : undefined}
        >
          <Faces userIds={userIds} />
          <span className={nav.label}>{namesOf(people, userIds)}</span>
          <Count count={count} />
        </PlaceLink>
      </div>
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
  return (
    <span className={classes.face}>
      <Avatar name={person.full_name} id={person.user_id} url={person.avatar_url} size={22} />
      <PresenceDot id={person.user_id} />
    </span>
  );
}
