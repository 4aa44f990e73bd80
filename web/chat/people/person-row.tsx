/** A person in a list: picture, name, status and, quietly, the address. Every list of people has these rows. */
import { Avatar } from '../../shared/ui/avatar';
import type { Person } from '../data/wire';
import { StatusOf } from './status-emoji';
import classes from './person-row.module.css';

export function PersonRow({ person, size = 28 }: { person: Person; size?: number }) {
  const { full_name: name, user_id: id, avatar_url: url, email } = person;
  return (
    <span className={classes.row}>
      <Avatar name={name} id={id} url={url} size={size} />
      <span className={classes.words}>
        <span className={classes.name}>
          {name} <StatusOf id={id} />
        </span>
        <small>{email}</small>
      </span>
    </span>
  );
}
