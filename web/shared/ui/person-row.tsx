/** A person in a list: face, name and, quietly, the address. Every list of people, on every page, has these rows. */
import type { ReactNode } from 'react';
import { Avatar } from './avatar';
import classes from './person-row.module.css';

interface PersonRowProps {
  readonly name: string;
  readonly id: number;
  readonly url?: string | null | undefined;
  readonly address: string;
  readonly size?: number;
  /** At the corner of the face: whether they are there. */
  readonly presence?: ReactNode;
  /** Behind the name. */
  readonly status?: ReactNode;
  /** Whether the address stands below the name, in narrow lists. */
  readonly isNarrow?: boolean;
}

export const PersonRow = ({ name, id, url, address, size = 28, presence, status, isNarrow }: PersonRowProps) => (
  <span className={classes.row} data-narrow={isNarrow || undefined}>
    <Face name={name} id={id} url={url} size={size} presence={presence} />
    <span className={classes.words}>
      <span className={classes.name}>
        {name} {status}
      </span>
      <small>{address}</small>
    </span>
  </span>
);

type FaceProps = Pick<PersonRowProps, 'name' | 'id' | 'url' | 'presence'> & { readonly size: number };

export const Face = ({ presence, ...rest }: FaceProps) => (
  <span className={classes.face}>
    <Avatar {...rest} />
    {presence}
  </span>
);
