/** Presence of a person: filled for active, half for idle, a ring for offline. */
import { t } from '../../shared/texts/texts';
import { AWAY_SECONDS } from '../notices/in-use';
import { useChat, type ChatState } from '../data/store';
import classes from './presence-dot.module.css';

export type Here = 'active' | 'idle' | 'offline' | 'bot';

export function presenceOf(
  { presence, people, ownId }: Pick<ChatState, 'presence' | 'people' | 'ownId'>,
  id: number,
): Here {
  if (people.get(id)?.is_bot) return 'bot';
  if (id === ownId) return 'active';
  const known = presence.get(id);
  if (!known || Date.now() / 1000 - known.at > AWAY_SECONDS) return 'offline';
  return known.status === 'active' ? 'active' : 'idle';
}

export function PresenceDot({ id }: { id: number }) {
  const here = useChat((state) => presenceOf(state, id));
  return (
    <span
      className={classes.dot}
      data-here={here}
      role="img"
      aria-label={t(`presence.${here}`)}
      title={t(`presence.${here}`)}
    />
  );
}
