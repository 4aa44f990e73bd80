/** The compose box, or the buttons that open it. */
import { t } from '../../shared/texts/texts';
import { Icon } from '../../shared/ui/icon';
import { useChat } from '../data/store';
import { selectedMessage, useSelection } from '../list/selection';
import { ComposeBox } from './compose-box';
import { openHome, openReply, openToPeople, openToStream, useCompose } from './state';
import { placeholderFor } from './target';
import classes from './compose.module.css';

export function Compose() {
  const isOpen = useCompose((state) => state.draft !== undefined);
  return (
    <section id="composer" className={classes.compose} aria-label={t('compose.label')}>
      {isOpen ? <ComposeBox /> : <Openers />}
    </section>
  );
}

/** A reply, or a message to the conversation of the view, is what most people want: it comes first. */
function Openers() {
  const hasSelection = useSelection((state) => state.id !== undefined);
  const home = useCompose((state) => state.home);
  const streams = useChat((state) => state.streams);
  const people = useChat((state) => state.people);
  const reply = (): void => {
    const message = selectedMessage();
    if (message) openReply(message);
    else openHome();
  };
  return (
    <div className={classes.openers}>
      {(hasSelection || home) && (
        <button type="button" className={classes.primary} onClick={reply}>
          <Icon name="reply" size={16} />
          {hasSelection || !home ? t('compose.reply') : placeholderFor(home, { streams, people })}
        </button>
      )}
      <button type="button" onClick={() => openToStream(home?.streamId ?? 0)}>
        <Icon name="hash" size={16} />
        {t('compose.newTopic')}
      </button>
      <button type="button" onClick={() => openToPeople([])}>
        <Icon name="mail" size={16} />
        {t('compose.newPrivate')}
      </button>
    </div>
  );
}
