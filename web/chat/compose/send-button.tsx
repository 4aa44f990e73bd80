/** The button that sends, and beside it the choice of the key that does. */
import { t } from '../../shared/texts/texts';
import { Icon } from '../../shared/ui/icon';
import { MenuButton } from '../../shared/menus/menu-button';
import { tell } from '../../shared/ui/toasts';
import { setEnterSends } from '../data/actions';
import { useSetting } from '../data/store';
import { showDialog } from '../dialogs/dialogs';
import { contentOf, type Draft } from '../drafts/drafts';
import { commandIn } from '../text/commands';
import { canSend, changeTarget, sendDraft, useCompose } from './state';
import classes from './compose.module.css';

export function SendButton({ draft }: { draft: Draft }) {
  const isMandatory = useSetting('realm_mandatory_topics', false);
  const isSentByEnter = useSetting('enter_sends', false);
  const { isTargetShown } = useCompose();
  useCompose((state) => state.uploading);
  const isSendable = canSend(draft, isMandatory);
  const canBeLater = isSendable && !commandIn(contentOf(draft));
  const change = { icon: 'hash', text: t('compose.changeTarget'), run: changeTarget } as const;
  return (
    <div className={classes.sending}>
      <button
        type="button"
        className={classes.send}
        title={t(isSentByEnter ? 'compose.enterSends' : 'compose.controlSends')}
        aria-label={t('compose.send')}
        disabled={!isSendable}
        onClick={sendDraft}
      >
        <Icon name="send" size={18} />
      </button>
      <MenuButton
        position="top-end"
        width={260}
        button={
          <button type="button" className={classes.keys} title={t('compose.ways')} aria-label={t('compose.ways')}>
            <Icon name="chevron" size={14} />
          </button>
        }
        entries={[
          ...(canBeLater
            ? ([
                { icon: 'clock', text: t('later.open'), run: () => showDialog({ kind: 'send-later' }) },
                'line',
              ] as const)
            : []),
          {
            icon: isSentByEnter ? 'check' : 'blank',
            text: t('compose.byEnter'),
            run: () => tell(setEnterSends(true)),
          },
          {
            icon: isSentByEnter ? 'blank' : 'check',
            text: t('compose.byControl'),
            run: () => tell(setEnterSends(false)),
          },
          ...(isTargetShown ? [] : (['line', change] as const)),
        ]}
      />
    </div>
  );
}
