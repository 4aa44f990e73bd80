/** The emoji picker: all emoji in groups, or those that a search found. Only the lines on the screen are drawn. */
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { t } from '../../shared/texts/texts';
import { isForFingers } from '../../shared/ui/touch';
import type { Emoji } from '../data/actions';
import { emojiUrl, loadEmoji, type KnownEmoji } from '../data/emoji';
import { noteUse } from '../data/usage';
import { emojiGroups, GRIDS, linesOfGroups, linesOfSearch, positionFrom, type Line } from './emoji-lines';
import { GroupBar } from './group-bar';
import classes from './emoji-picker.module.css';

const LINES = 7;
/** What is above and below the emoji, and around the picker. */
const AROUND = 220;
/** Lines beyond the edges, so that scrolling shows no gaps. */
const MARGIN = 3;

export function EmojiPicker({ onPick }: { onPick: (emoji: Emoji) => void }) {
  const [grid] = useState(() => GRIDS[isForFingers() ? 'fingers' : 'pointer']);
  const { lineHeight } = grid;
  const [height] = useState(() => Math.max(2 * lineHeight, Math.min(LINES * lineHeight, innerHeight - AROUND)));
  const [text, setText] = useState('');
  const [isLoaded, setLoaded] = useState(false);
  const [chosen, setChosen] = useState(0);
  const [top, setTop] = useState(0);
  const scroller = useRef<HTMLDivElement>(null);
  useEffect(() => void loadEmoji().then(() => setLoaded(true)), []);
  const groups = useMemo(() => (isLoaded ? emojiGroups(grid) : []), [isLoaded, grid]);
  const lines = useMemo(
    () => (text.trim() === '' ? linesOfGroups(groups, grid) : isLoaded ? linesOfSearch(text, grid) : []),
    [groups, text, isLoaded, grid],
  );
  const chosenEmoji = emojiAt(lines, chosen);
  const pick = (emoji: KnownEmoji): void => {
    noteUse('emoji', emoji.emoji_name);
    onPick(emoji);
  };
  const scrollTo = (offset: number): void => {
    scroller.current?.scrollTo(0, offset);
    setTop(offset);
  };
  const choose = (position: number): void => {
    setChosen(position);
    const offset = lines.findIndex((line) => holds(line, position)) * lineHeight;
    if (offset < top) scrollTo(offset);
    else if (offset + lineHeight > top + height) scrollTo(offset + lineHeight - height);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key.startsWith('Arrow')) choose(positionFrom(lines, chosen, event.key));
    else if (event.key === 'Enter' && chosenEmoji) pick(chosenEmoji);
    else return;
    event.preventDefault();
  };
  const goTo = (group: number): void => {
    const line = lines.findIndex((each) => 'title' in each && each.title === groups[group]?.title);
    const next = lines[line + 1];
    if (next && 'first' in next) setChosen(next.first);
    scrollTo(line * lineHeight);
  };
  const from = Math.max(0, Math.floor(top / lineHeight) - MARGIN);
  const drawn = lines.slice(from, Math.ceil((top + height) / lineHeight) + MARGIN);
  return (
    <div className={classes.picker}>
      <input
        data-autofocus
        type="search"
        value={text}
        placeholder={t('emoji.search')}
        aria-label={t('emoji.search')}
        aria-controls="emoji-grid"
        aria-activedescendant={chosenEmoji && `emoji-${chosen}`}
        autoComplete="off"
        onChange={(event) => {
          setText(event.currentTarget.value);
          setChosen(0);
          scrollTo(0);
        }}
        onKeyDown={onKeyDown}
      />
      {text.trim() === '' && <GroupBar groups={groups} onGo={goTo} />}
      <div
        ref={scroller}
        className={classes.scroller}
        style={{ height }}
        onScroll={(event) => setTop(event.currentTarget.scrollTop)}
        onKeyDown={onKeyDown}
        tabIndex={0}
      >
        <div
          id="emoji-grid"
          className={classes.grid}
          style={{ height: lines.length * lineHeight }}
          role="group"
          aria-label={t('emoji.label')}
        >
          {drawn.map((line, index) => (
            <div
              key={from + index}
              className={classes.line}
              style={{
                top: (from + index) * lineHeight,
                height: lineHeight,
                gridTemplateColumns: `repeat(${grid.perLine}, 1fr)`,
              }}
            >
              {'title' in line ? (
                <h3>{t(line.title)}</h3>
              ) : (
                line.emoji.map((emoji, column) => (
                  <EmojiButton
                    key={column}
                    emoji={emoji}
                    position={line.first + column}
                    isChosen={line.first + column === chosen}
                    onPick={pick}
                    onPoint={setChosen}
                  />
                ))
              )}
            </div>
          ))}
        </div>
        {isLoaded && lines.length === 0 && <p>{t('emoji.none')}</p>}
      </div>
      <NamePreview emoji={chosenEmoji} />
    </div>
  );
}

const holds = (line: Line, position: number): boolean =>
  'emoji' in line && position >= line.first && position < line.first + line.emoji.length;

function emojiAt(lines: readonly Line[], position: number): KnownEmoji | undefined {
  const line = lines.find((each) => holds(each, position));
  return line && 'emoji' in line ? line.emoji[position - line.first] : undefined;
}

interface ButtonProps {
  readonly emoji: KnownEmoji;
  readonly position: number;
  readonly isChosen: boolean;
  readonly onPick: (emoji: KnownEmoji) => void;
  readonly onPoint: (position: number) => void;
}

function EmojiButton({ emoji, position, isChosen, onPick, onPoint }: ButtonProps) {
  return (
    <button
      id={`emoji-${position}`}
      type="button"
      tabIndex={-1}
      data-chosen={isChosen || undefined}
      aria-label={emoji.emoji_name.replaceAll('_', ' ')}
      onClick={() => onPick(emoji)}
      onPointerMove={() => onPoint(position)}
    >
      <img key={emoji.emoji_code} src={emojiUrl(emoji)} alt="" />
    </button>
  );
}

function NamePreview({ emoji }: { emoji: KnownEmoji | undefined }) {
  return (
    <div className={classes.preview} aria-hidden="true">
      {emoji && (
        <>
          <img src={emojiUrl(emoji)} alt="" />
          <b>{emoji.emoji_name.replaceAll('_', ' ')}</b>
          <span>{emoji.names.map((name) => `:${name}:`).join(' ')}</span>
        </>
      )}
    </div>
  );
}
