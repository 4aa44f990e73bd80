/** Stands in the place of the compose box while one reads an archived stream. */
import { t } from '../../shared/texts/texts';
import { Icon } from '../../shared/ui/icon';
import { tell } from '../../shared/ui/toasts';
import { unarchiveStream } from '../data/actions';
import { useIsAdmin } from '../data/store';
import classes from './subscribe-bar.module.css';

export function ArchivedBar({ streamId }: { streamId: number }) {
  const isAdmin = useIsAdmin();
  return (
    <div className={classes.bar} role="status">
      <span>
        <Icon name="archive" size={16} /> {t('stream.isArchived')}
      </span>
      {isAdmin && (
        <button type="button" onClick={() => tell(unarchiveStream(streamId), t('stream.unarchived'))}>
          {t('stream.unarchive')}
        </button>
      )}
    </div>
  );
}
