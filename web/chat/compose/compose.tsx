/** The compose box, or the buttons that open it. */
import { t } from '../../shared/texts/texts';
import { Icon } from '../../shared/ui/icon';
import { selectedMessage, useSelection } from '../list/selection';
import { openReply, openToPeople, openToStream, useCompose } from './state';
import { ComposeBox } from './compose-box';
import classes from './compose.module.css';

export function Compose() {
  const isOpen = useCompose((state) => state.draft !== undefined);
  return (
    <section className={classes.compose} aria-label={t('compose.label')}>
      {isOpen ? <ComposeBox /> : <Openers />}
    </section>
  );
}

function Openers() {
  const hasSelection = useSelection((state) => state.id !== undefined);
  const reply = (): void => {
    const message = selectedMessage();
    if (message) openReply(message);
  };
  return (
    <div className={classes.openers}>
      <button type="button" onClick={() => openToStream(0)}>
        <Icon name="hash" size={16} />
        {t('compose.newTopic')}
      </button>
      <button type="button" onClick={() => openToPeople([])}>
        <Icon name="mail" size={16} />
        {t('compose.newPrivate')}
      </button>
      {hasSelection && (
        <button type="button" onClick={reply}>
          <Icon name="reply" size={16} />
          {t('compose.reply')}
        </button>
      )}
    </div>
  );
}
