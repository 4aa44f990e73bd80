/** A banner while the connection is lost. */
import { t } from '../../shared/texts/texts';
import { Icon } from '../../shared/ui/icon';
import { useOutbox } from '../data/outbox';
import { useChat } from '../data/store';
import classes from './banner.module.css';

export function Banner() {
  const connection = useChat((state) => state.connection);
  const waiting = useOutbox(({ entries }) => entries.filter(({ state }) => state === 'waiting').length);
  if (connection !== 'offline') return null;
  return (
    <div role="status" className={classes.banner}>
      <Icon name="offline" size={16} />
      {waiting > 0 ? t('connection.lostWithUnsent', { count: waiting }) : t('connection.lost')}
    </div>
  );
}
