/** Shows and hides the panel of people. In a stream it says how many members there are. */
import { t } from '../../shared/texts/texts';
import { Icon } from '../../shared/ui/icon';
import { useChat } from '../data/store';
import { togglePanel, useIsRoomy, usePanel } from './panel-state';
import classes from './panel-button.module.css';

export function PanelButton({ streamId }: { streamId: number }) {
  const { isBeside, isDrawer } = usePanel();
  const isRoomy = useIsRoomy();
  const count = useChat((state) => state.members.get(streamId)?.size);
  const label = count === undefined ? t('people.label') : t('directory.members', { count });
  return (
    <button
      type="button"
      className={classes.button}
      title={label}
      aria-expanded={isRoomy ? isBeside : isDrawer}
      onClick={togglePanel}
    >
      <Icon name="users" size={18} />
      <span className="pl-hidden">{t('people.label')}</span>
      {count}
    </button>
  );
}
