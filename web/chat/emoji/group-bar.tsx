/** Buttons that lead to the groups of the emoji picker. */
import { t } from '../../shared/texts/texts';
import type { EmojiGroup } from './emoji-lines';
import classes from './emoji-picker.module.css';

export function GroupBar({ groups, onGo }: { groups: readonly EmojiGroup[]; onGo: (group: number) => void }) {
  return (
    <div className={classes.groups} role="toolbar" aria-label={t('emoji.groups')}>
      {groups.map(({ name, title, sign }, index) => (
        <button key={name} type="button" title={t(title)} aria-label={t(title)} onClick={() => onGo(index)}>
          <img src={`/static/generated/emoji/images-google-64/${sign}.png`} alt="" />
        </button>
      ))}
    </div>
  );
}
