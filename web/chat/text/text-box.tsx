/** The message text, with completions and keys for formatting. */
import { forwardRef, useLayoutEffect, useRef, type ClipboardEvent, type KeyboardEvent } from 'react';
import { loadPart } from '../../shared/lazy-part';
import { t } from '../../shared/texts/texts';
import { changeDraft, closeCompose, sendDraft } from '../compose/state';
import { placeAt } from '../data/narrow';
import { useSetting } from '../data/store';
import type { Draft } from '../drafts/drafts';
import { editOwn } from '../message/message-commands';
import { applyEdit, insertText } from './apply-edit';
import { Completions } from './completions';
import { formatted, type Format } from './formatting';
import { useCompletions } from './use-completions';
import classes from './text-box.module.css';

const MAX_HEIGHT = 0.4;

interface TextBoxProps {
  readonly draft: Draft;
  readonly placeholder: string;
}

export const TextBox = forwardRef<HTMLTextAreaElement, TextBoxProps>(function TextBox({ draft, placeholder }, outer) {
  const area = useRef<HTMLTextAreaElement | null>(null);
  const isSentByEnter = useSetting('enter_sends', false);
  const { completions, chosen, look, complete, takes, hide } = useCompletions(area);
  const isPlainPaste = useRef(false);
  useLayoutEffect(() => {
    const element = area.current;
    if (!element) return;
    // The place keeps its height while the text is measured: a list of messages that grew and shrank would lose its end.
    const place = element.parentElement!;
    place.style.minHeight = `${place.offsetHeight}px`;
    element.style.height = 'auto';
    element.style.height = `${Math.min(element.scrollHeight, innerHeight * MAX_HEIGHT)}px`;
    place.style.minHeight = '';
  }, [draft.content]);
  const leave = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (draft.content.trim() === '') closeCompose();
    area.current?.blur();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (takes(event)) return;
    isPlainPaste.current = isControl(event) && event.shiftKey && event.key.toLowerCase() === 'v';
    if (event.key === 'Escape') return leave(event);
    const format = formatOf(event);
    if (format) applyFormat(event.currentTarget, format);
    else if (sends(event, isSentByEnter)) {
      hide();
      sendDraft();
    } else if (event.key !== 'ArrowUp' || draft.content !== '' || !editLast()) return;
    event.preventDefault();
  };
  /** Formatted text becomes Markdown. It never gets into the page: only its text is read. */
  const onPaste = (event: ClipboardEvent<HTMLTextAreaElement>): void => {
    const html = event.clipboardData.getData('text/html');
    const plain = event.clipboardData.getData('text/plain');
    if (html === '' || isPlainPaste.current || event.clipboardData.files.length > 0) return;
    event.preventDefault();
    const element = event.currentTarget;
    void loadPart(() => import('./paste-markdown')).then(({ markdownOf }) =>
      insertText(element, markdownOf(html) ?? plain),
    );
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
        placeholder={placeholder}
        aria-label={t('compose.text')}
        aria-description={`${placeholder}. ${t(isSentByEnter ? 'compose.enterSends' : 'compose.controlSends')}`}
        aria-autocomplete="list"
        aria-controls={completions.length > 0 ? 'compose-completions' : undefined}
        aria-activedescendant={completions.length > 0 ? `compose-completion-${chosen}` : undefined}
        onChange={(event) => {
          changeDraft({ content: event.currentTarget.value });
          look();
        }}
        onBlur={hide}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
      />
    </div>
  );
});

const isControl = (event: KeyboardEvent): boolean => event.ctrlKey || event.metaKey;
const editLast = (): boolean => editOwn(placeAt(location.pathname)?.narrow);

function applyFormat(area: HTMLTextAreaElement, format: Format): void {
  const { value: text, selectionStart: from, selectionEnd: to } = area;
  applyEdit(area, formatted(format, { text, from, to }));
}

/** The keys of Zulip. */
function formatOf(event: KeyboardEvent): Format | undefined {
  if (!isControl(event) || event.altKey) return undefined;
  const key = event.key.toLowerCase();
  if (event.shiftKey) return key === 'l' ? 'link' : undefined;
  return key === 'b' ? 'bold' : key === 'i' ? 'italic' : undefined;
}

/** Enter sends if the user's setting says so, otherwise Ctrl or Cmd with Enter. */
function sends(event: KeyboardEvent, isSentByEnter: boolean): boolean {
  if (event.key !== 'Enter' || event.nativeEvent.isComposing) return false;
  return isControl(event) || (isSentByEnter && !event.shiftKey && !event.altKey);
}
