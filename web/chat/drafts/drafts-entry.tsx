/** The entry of the side bar that opens the list of drafts, with their number. */
import { Count } from '../../shared/shell/count';
import { t } from '../../shared/texts/texts';
import { Icon } from '../../shared/ui/icon';
import { showDialog } from '../dialogs/dialogs';
import { allDrafts, useDrafts } from './drafts';
import nav from '../../shared/shell/nav.module.css';
import classes from './drafts-entry.module.css';

export function DraftsEntry() {
  useDrafts((state) => state.version);
  return (
    <li>
      <button type="button" className={`${nav.entry} ${classes.entry}`} onClick={() => showDialog({ kind: 'drafts' })}>
        <Icon name="edit" size={16} />
        <span className={nav.label}>{t('drafts.title')}</span>
        <Count count={allDrafts().length} isQuiet />
      </button>
    </li>
  );
}
