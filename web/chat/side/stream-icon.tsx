/** An icon for the kind of stream, in the user's colour for it. */
import { Icon, type IconName } from '../../shared/ui/icon';
import type { Stream } from '../data/wire';
import classes from './stream-icon.module.css';

interface StreamIconProps {
  readonly stream: Pick<Stream, 'invite_only' | 'is_announcement_only' | 'is_archived'>;
  readonly color?: string | undefined;
  readonly size?: number;
}

function nameOf({ invite_only, is_announcement_only, is_archived }: StreamIconProps['stream']): IconName {
  if (is_archived) return 'archive';
  if (invite_only) return 'lock';
  return is_announcement_only ? 'megaphone' : 'hash';
}

export function StreamIcon({ stream, color, size = 16 }: StreamIconProps) {
  const name = nameOf(stream);
  return (
    <span className={classes.icon} style={color === undefined ? {} : { color }}>
      <Icon name={name} size={size} />
    </span>
  );
}
