import { t } from '../../shared/texts/texts';
import { Dialog } from '../../shared/ui/dialog';
import { closeDialog } from '../dialogs/dialogs';
import { SHORTCUTS } from './shortcuts';
import classes from './shortcuts-dialog.module.css';

const GROUPS = ['general', 'reading', 'narrowing', 'writing', 'message'] as const;

/** Keys whose labels are translated. */
const WORDS = ['Ctrl', 'Shift', 'Space', 'Enter', 'Escape', 'Home', 'End', 'PageUp', 'PageDown'] as const;
const ARROWS: Readonly<Record<string, string>> = { ArrowUp: '↑', ArrowDown: '↓' };

function nameOf(key: string): string {
  const parts = key.length === 1 ? [key] : key.split('+');
  return parts.map((part) => wordOf(part) ?? ARROWS[part] ?? part).join('+');
}

function wordOf(part: string): string | undefined {
  const word = WORDS.find((each) => each === part);
  return word && t(`key.${word}`);
}

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
                      <kbd key={key}>{nameOf(key)}</kbd>
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
