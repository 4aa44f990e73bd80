/** A banner while the connection is lost, or while the server takes long to answer. */
import { t } from '../../shared/texts/texts';
import { Icon } from '../../shared/ui/icon';
import { isLate, useOutbox } from '../data/outbox';
import { useChat } from '../data/store';
import classes from './banner.module.css';

export function Banner() {
  const connection = useChat((state) => state.connection);
  const waiting = useOutbox(({ entries }) => entries.filter(({ state }) => state === 'waiting').length);
  const isSlow = useOutbox(({ entries }) => entries.some(isLate));
  if (connection !== 'offline') return isSlow ? <SlowServer /> : null;
  return (
    <div role="status" className={classes.banner}>
      <Icon name="offline" size={16} />
      {waiting > 0 ? t('connection.lostWithUnsent', { count: waiting }) : t('connection.lost')}
    </div>
  );
}

/** The row of the message announces it. */
const SlowServer = () => (
  <div className={classes.banner}>
    <Icon name="offline" size={16} />
    {t('connection.slow')}
  </div>
);
