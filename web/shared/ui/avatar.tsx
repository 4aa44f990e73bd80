/** A person's avatar. Initials stand for those who have none, and below one of another server until it is there. */
import type { SyntheticEvent } from 'react';
import classes from './avatar.module.css';
import { ownPicture } from './own-picture';

interface AvatarProps {
  readonly name: string;
  readonly id: number;
  readonly url?: string | null | undefined;
  readonly size?: number;
}

const HUES = 24;

export function Avatar({ name, id, url, size = 36 }: AvatarProps) {
  const box = { width: size, height: size };
  const src = ownPicture(url ?? '');
  if (src !== undefined && src === url) {
    return <img className={classes.avatar} src={src} alt="" style={box} loading="lazy" />;
  }
  const hue = ((id * 7) % HUES) * (360 / HUES);
  const style = { ...box, fontSize: size * 0.4, backgroundColor: `hsl(${hue} 45% 32%)` };
  // Drawn by CSS, so that a screen reader does not read the initials.
  return (
    <span className={classes.avatar} style={style} data-initials={initialsOf(name)} aria-hidden="true">
      {src !== undefined && <img src={src} alt="" loading="lazy" onError={hide} />}
    </span>
  );
}

/** A picture that cannot be had uncovers the initials. */
function hide({ currentTarget: picture }: SyntheticEvent<HTMLImageElement>): void {
  picture.hidden = true;
}

function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return letters
    .map((word) => Array.from(word ?? '')[0] ?? '')
    .join('')
    .toUpperCase();
}
