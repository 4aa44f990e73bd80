/** A person of the chat in a list, with their status. */
import { PersonRow as Row } from '../../shared/ui/person-row';
import type { Person } from '../data/wire';
import { PresenceDot } from './presence-dot';
import { StatusOf } from './status-emoji';

interface PersonRowProps {
  readonly person: Person;
  readonly size?: number;
  /** Whether their presence is shown, and the address below the name: in a column beside messages. */
  readonly isBeside?: boolean;
}

export const PersonRow = ({ person, size = 28, isBeside = false }: PersonRowProps) => (
  <Row
    name={person.full_name}
    id={person.user_id}
    url={person.avatar_url}
    address={person.email}
    size={size}
    status={<StatusOf id={person.user_id} />}
    isNarrow={isBeside}
    presence={isBeside && <PresenceDot id={person.user_id} />}
  />
);
