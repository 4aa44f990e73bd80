/** The emoji picker: popular emoji, or the search results. */
import { useEffect, useState, type KeyboardEvent } from 'react';
import { t } from '../../shared/texts/texts';
import type { Emoji } from '../data/actions';
import { emojiUrl, findEmoji, loadEmoji } from '../data/emoji';
import classes from './emoji-picker.module.css';

const MAX = 64;
const PER_LINE = 8;

export function EmojiPicker({ onPick }: { onPick: (emoji: Emoji) => void }) {
  const [text, setText] = useState('');
  const [isLoaded, setLoaded] = useState(false);
  const [chosen, setChosen] = useState(0);
  useEffect(() => void loadEmoji().then(() => setLoaded(true)), []);
  const found = isLoaded ? findEmoji(text.trim(), MAX) : [];
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: PER_LINE, ArrowUp: -PER_LINE }[event.key];
    if (step !== undefined) setChosen((before) => Math.max(0, Math.min(found.length - 1, before + step)));
    else if (event.key === 'Enter' && found[chosen]) onPick(found[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <div className={classes.picker}>
      <input
        data-autofocus
        type="search"
        value={text}
        placeholder={t('emoji.search')}
        aria-label={t('emoji.search')}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div className={classes.grid} role="group" aria-label={t('emoji.label')}>
        {found.map((emoji, index) => (
          <button
            key={`${emoji.reaction_type} ${emoji.emoji_code}`}
            type="button"
            data-chosen={index === chosen || undefined}
            aria-label={emoji.emoji_name.replaceAll('_', ' ')}
            title={`:${emoji.emoji_name}:`}
            onClick={() => onPick(emoji)}
          >
            <img src={emojiUrl(emoji)} alt="" loading="lazy" />
          </button>
        ))}
      </div>
      {isLoaded && found.length === 0 && <p>{t('emoji.none')}</p>}
    </div>
  );
}
