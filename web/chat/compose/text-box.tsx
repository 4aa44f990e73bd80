/** The message text, with completions. */
import { forwardRef, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { t } from '../../shared/texts/texts';
import { useSetting } from '../data/store';
import { changeDraft, closeCompose, sendDraft } from './state';
import { Completions } from './completions';
import { completionsAt, type Completion } from './complete';
import type { Draft } from './drafts';
import classes from './compose.module.css';

const MAX_HEIGHT = 0.4;
const NONE = { completions: [] as readonly Completion[], chosen: 0 };

export const TextBox = forwardRef<HTMLTextAreaElement, { draft: Draft }>(function TextBox({ draft }, outer) {
  const area = useRef<HTMLTextAreaElement | null>(null);
  const isSentByEnter = useSetting('enter_sends', false);
  const [{ completions, chosen }, setShown] = useState(NONE);
  /** Keys may be pressed before the newest completions are rendered, and refer to those. */
  const latest = useRef(NONE);
  const show = (next: typeof NONE): void => {
    latest.current = next;
    setShown(next);
  };
  const caret = useRef<number | undefined>(undefined);
  useLayoutEffect(() => {
    const element = area.current;
    if (!element) return;
    element.style.height = 'auto';
    element.style.height = `${Math.min(element.scrollHeight + 2, innerHeight * MAX_HEIGHT)}px`;
    if (caret.current !== undefined) element.setSelectionRange(caret.current, caret.current);
    caret.current = undefined;
  }, [draft.content]);
  const look = (): void => {
    const element = area.current;
    if (!element) return;
    const textBefore = (): string => element.value.slice(0, element.selectionStart);
    const asked = textBefore();
    void completionsAt(asked).then((found) => {
      // Completions that had to be loaded may arrive after the user typed more.
      if (textBefore() !== asked) return;
      show({ completions: found, chosen: 0 });
    });
  };
  const complete = ({ from, text }: Completion): void => {
    const at = area.current?.selectionStart ?? draft.content.length;
    caret.current = from + text.length;
    changeDraft({ content: draft.content.slice(0, from) + text + draft.content.slice(at) });
    show(NONE);
    area.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (latest.current.completions.length > 0 && completing(event)) return event.preventDefault();
    const isSend = event.key === 'Enter' && !event.nativeEvent.isComposing && sends(event, isSentByEnter);
    if (isSend) {
      event.preventDefault();
      show(NONE);
      sendDraft();
    } else if (event.key === 'Escape') {
      event.stopPropagation();
      if (draft.content.trim() === '') closeCompose();
      area.current?.blur();
    }
  };
  const completing = (event: KeyboardEvent): boolean => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const { completions: found, chosen: at } = latest.current;
    const picked = found[at];
    if (step !== undefined) show({ completions: found, chosen: (at + step + found.length) % found.length });
    else if ((event.key === 'Tab' || (event.key === 'Enter' && !event.ctrlKey)) && picked) complete(picked);
    else if (event.key === 'Escape') {
      show(NONE);
      event.stopPropagation();
    } else return false;
    return true;
  };
  return (
    <div className={classes.text}>
      <Completions completions={completions} chosen={chosen} onPick={complete} />
      <textarea
        ref={(element) => {
          area.current = element;
          if (typeof outer === 'function') outer(element);
          else if (outer) outer.current = element;
        }}
        id="compose-content"
        rows={1}
        value={draft.content}
        placeholder={t('compose.placeholder')}
        aria-label={t('compose.text')}
        aria-describedby="compose-keys"
        aria-autocomplete="list"
        aria-controls={completions.length > 0 ? 'compose-completions' : undefined}
        aria-activedescendant={completions.length > 0 ? `compose-completion-${chosen}` : undefined}
        onChange={(event) => {
          changeDraft({ content: event.currentTarget.value });
          look();
        }}
        onBlur={() => show(NONE)}
        onKeyDown={onKeyDown}
      />
    </div>
  );
});

/** Enter sends if the user's setting says so, otherwise Ctrl or Cmd with Enter. */
function sends(event: KeyboardEvent, isSentByEnter: boolean): boolean {
  if (event.ctrlKey || event.metaKey) return true;
  return isSentByEnter && !event.shiftKey && !event.altKey;
}
