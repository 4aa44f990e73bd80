/** Offers to subscribe to a stream that one reads without being subscribed. */
import { t } from '../../shared/texts/texts';
import { tell } from '../../shared/ui/toasts';
import { subscribe } from '../data/actions';
import type { Narrow } from '../data/narrow';
import { useChat } from '../data/store';
import classes from './subscribe-bar.module.css';

export function SubscribeBar({ narrow }: { narrow: Narrow }) {
  const streamId = 'streamId' in narrow ? narrow.streamId : 0;
  const stream = useChat((state) => state.streams.get(streamId));
  const isSubscribed = useChat((state) => state.subscriptions.has(streamId));
  if (!stream || isSubscribed) return null;
  return (
    <div className={classes.bar} role="status">
      <span>{t('stream.notSubscribed')}</span>
      <button type="button" onClick={() => tell(subscribe([stream.name]))}>
        {t('stream.subscribe')}
      </button>
    </div>
  );
}
