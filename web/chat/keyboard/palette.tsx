/** The command palette: finds places and commands by a few letters. */
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { useLocation } from 'wouter';
import { t } from '../../shared/texts/texts';
import { Dialog } from '../../shared/ui/dialog';
import { Icon } from '../../shared/ui/icon';
import { useFoundTopics } from '../topics/find-topics';
import { rankOfName } from '../data/rank';
import { closeDialog } from '../dialogs/dialogs';
import { PersonRow } from '../people/person-row';
import { paletteEntries, type PaletteEntry } from './palette-entries';
import classes from './palette.module.css';

const MAX = 50;

/** Every word must match. The name that was typed comes first, then names that begin with it, then with its first word. */
function find(entries: readonly PaletteEntry[], text: string): readonly PaletteEntry[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return entries.slice(0, MAX);
  const found = entries.filter(({ name, hint, isCommand }) => {
    const whole = (isCommand === true ? name : `${name} ${hint}`).toLowerCase();
    return words.every((word) => whole.includes(word));
  });
  const whole = words.join(' ');
  return found.sort((a, b) => rankOf(a.name, whole) - rankOf(b.name, whole)).slice(0, MAX);
}

function rankOf(name: string, typed: string): number {
  const rank = rankOfName(name, typed);
  if (rank !== undefined && rank < 2) return rank;
  return name.toLowerCase().startsWith(typed.split(' ')[0]!) ? 2 : 3;
}

export function Palette() {
  const [, go] = useLocation();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const topics = useFoundTopics(text);
  const entries = useMemo(() => paletteEntries(go, topics), [go, topics]);
  const found = find(entries, text);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' }), [chosen]);
  const run = (entry: PaletteEntry | undefined): void => {
    if (!entry) return;
    closeDialog();
    entry.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setChosen((before) => (before + step + found.length) % Math.max(1, found.length));
    else if (event.key === 'Enter') run(found[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog
      opened
      onClose={closeDialog}
      withCloseButton={false}
      padding={0}
      size="lg"
      yOffset="10vh"
      centered={false}
      attributes={{ content: { 'aria-label': t('palette.open') } }}
    >
      <input
        data-autofocus
        className={classes.input}
        role="combobox"
        aria-expanded={found.length > 0}
        aria-controls="palette-entries"
        aria-activedescendant={found[chosen] ? `palette-${chosen}` : undefined}
        aria-label={t('palette.label')}
        placeholder={t('palette.label')}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul id="palette-entries" ref={list} role="listbox" aria-label={t('palette.entries')} className={classes.list}>
        {found.map((entry, index) => (
          <li
            key={entry.key}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === chosen}
            onClick={() => run(entry)}
          >
            <EntryText entry={entry} />
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className={classes.none}>{t('palette.none')}</p>}
    </Dialog>
  );
}

function EntryText({ entry: { icon, name, hint, person } }: { entry: PaletteEntry }) {
  if (person) return <PersonRow person={person} size={24} />;
  return (
    <>
      <Icon name={icon} size={16} />
      <b>{name}</b>
      <span className={classes.hint}>{hint}</span>
    </>
  );
}
