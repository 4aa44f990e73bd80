import { t } from '../../shared/texts/texts';
import { Dialog } from '../../shared/ui/dialog';
import { closeDialog } from '../shell/dialogs';
import { SHORTCUTS } from './shortcuts';
import classes from './shortcuts-dialog.module.css';

const GROUPS = ['general', 'reading', 'narrowing', 'writing', 'message'] as const;

export function ShortcutsDialog() {
  return (
    <Dialog opened onClose={closeDialog} title={t('shortcuts.title')} size="xl">
      <div className={classes.groups}>
        {GROUPS.map((group) => (
          <section key={group}>
            <h3>{t(`shortcuts.${group}`)}</h3>
            <dl>
              {SHORTCUTS.filter((each) => each.group === group).map(({ keys, text }) => (
                <div key={text}>
                  <dt>
                    {keys.map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dt>
                  <dd>{t(text)}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
