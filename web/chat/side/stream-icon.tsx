/** An icon for the kind of stream, in the user's colour for it. */
import { Icon } from '../../shared/ui/icon';
import type { Stream } from '../data/wire';
import classes from './stream-icon.module.css';

interface StreamIconProps {
  readonly stream: Pick<Stream, 'invite_only' | 'is_announcement_only'>;
  readonly color?: string | undefined;
  readonly size?: number;
}

export function StreamIcon({ stream, color, size = 16 }: StreamIconProps) {
  const name = stream.invite_only ? 'lock' : stream.is_announcement_only ? 'megaphone' : 'hash';
  return (
    <span className={classes.icon} style={color === undefined ? {} : { color }}>
      <Icon name={name} size={size} />
    </span>
  );
}
