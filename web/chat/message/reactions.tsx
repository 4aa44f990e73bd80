/** The reactions to a message: one button per emoji, pressed if the reader has reacted. */
import { tell } from '../../shared/ui/toasts';
import { t } from '../../shared/texts/texts';
import { toggleReaction, type Emoji } from '../data/actions';
import { emojiUrl } from '../data/emoji';
import { isInArchive } from '../data/store';
import type { Message } from '../data/wire';
import classes from './reactions.module.css';

interface Pile {
  readonly emoji: Emoji;
  readonly names: string[];
  isOwn: boolean;
}

function pilesOf(message: Message, ownId: number): Pile[] {
  const piles = new Map<string, Pile>();
  for (const { user, ...emoji } of message.reactions) {
    const key = `${emoji.reaction_type} ${emoji.emoji_code}`;
    const pile = piles.get(key) ?? { emoji, names: [], isOwn: false };
    pile.names.push(user.id === ownId ? t('reaction.you') : user.full_name);
    pile.isOwn ||= user.id === ownId;
    piles.set(key, pile);
  }
  return [...piles.values()];
}

/** `ownId` is the reader's id. */
export function Reactions({ message, ownId }: { message: Message; ownId: number }) {
  return (
    <div className={classes.reactions}>
      {pilesOf(message, ownId).map(({ emoji, names, isOwn }) => {
        const label = t('reaction.label', { names: names.join(', '), name: `:${emoji.emoji_name}:` });
        return (
          <button
            key={`${emoji.reaction_type} ${emoji.emoji_code}`}
            type="button"
            className={classes.reaction}
            aria-pressed={isOwn}
            title={label}
            disabled={isInArchive(message)}
            onClick={() => tell(toggleReaction(message, emoji))}
          >
            <span className="pl-hidden">{label}</span>
            <img src={emojiUrl(emoji)} alt="" />
            <span aria-hidden="true">{names.length}</span>
          </button>
        );
      })}
    </div>
  );
}
