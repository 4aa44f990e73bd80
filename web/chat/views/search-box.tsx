/** The search box, with suggestions. */
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { t } from '../../shared/texts/texts';
import { Icon } from '../../shared/ui/icon';
import { tell } from '../../shared/ui/toasts';
import { useFoundTopics } from '../topics/find-topics';
import { listOf } from '../data/lists';
import { loadList } from '../data/load';
import { pathOf } from '../data/narrow';
import { dateIn, withAddresses } from '../data/search-terms';
import { PersonRow } from '../people/person-row';
import { jumpToDate } from '../reading/jump-to-date';
import { addressOf, suggestSearches, topicWords } from './search-suggestions';
import classes from './search-box.module.css';

export function SearchBox({ query }: { query: string }) {
  const [text, setText] = useState(query);
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState(-1);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => setText(query), [query]);
  const topics = useFoundTopics(isOpen ? topicWords(text) : '');
  const suggestions = isOpen ? suggestSearches(text, topics) : [];
  const search = (wanted: string): void => {
    setOpen(false);
    const trimmed = wanted.trim();
    if (trimmed === '') return;
    input.current?.blur();
    const narrow = { kind: 'search', query: withAddresses(trimmed, addressOf) } as const;
    const date = dateIn(narrow.query);
    if (date) return tell(jumpToDate(narrow, date));
    const isRepeated = listOf(narrow) !== undefined;
    navigate(pathOf(narrow));
    // No event adds to what was found before.
    if (isRepeated) void loadList(narrow);
  };
  const pick = (suggestion: { text: string; isWhole: boolean }): void => {
    if (suggestion.isWhole) return search(suggestion.text);
    setText(suggestion.text);
    setChosen(-1);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && suggestions.length > 0) {
      event.preventDefault();
      setChosen((before) => Math.max(-1, Math.min(suggestions.length - 1, before + step)));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const suggestion = suggestions[chosen];
      if (suggestion) pick(suggestion);
      else search(text);
    } else if (event.key === 'Escape') {
      event.stopPropagation();
      setOpen(false);
      input.current?.blur();
    }
  };
  return (
    <div className={classes.search} role="search" onClick={() => input.current?.focus()}>
      <Icon name="search" size={16} />
      <input
        ref={input}
        id="search"
        role="combobox"
        aria-expanded={suggestions.length > 0}
        aria-controls="search-suggestions"
        aria-autocomplete="list"
        aria-activedescendant={chosen >= 0 ? `search-suggestion-${chosen}` : undefined}
        aria-label={t('search.label')}
        placeholder={t('search.label')}
        autoComplete="off"
        value={text}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setOpen(true);
          setChosen(-1);
        }}
        onKeyDown={onKeyDown}
      />
      <ul
        id="search-suggestions"
        role="listbox"
        aria-label={t('search.suggestions')}
        className={classes.suggestions}
        hidden={suggestions.length === 0}
      >
        {suggestions.map((suggestion, index) => (
          <li
            key={suggestion.text}
            id={`search-suggestion-${index}`}
            role="option"
            aria-selected={index === chosen}
            // Keeps the focus in the input until the click is handled.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => {
              pick(suggestion);
              if (!suggestion.isWhole) input.current?.focus();
            }}
          >
            {suggestion.person ? (
              <>
                <b>{suggestion.text.slice(0, suggestion.text.lastIndexOf(':') + 1)}</b>
                <PersonRow person={suggestion.person} size={22} />
              </>
            ) : (
              <b>{suggestion.text}</b>
            )}
            {suggestion.hint !== '' && <span className={classes.hint}>{suggestion.hint}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}
