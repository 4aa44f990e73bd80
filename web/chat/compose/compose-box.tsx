/** The open compose box: one line that grows, with its recipients above it where they are not those of the view. */
import { Suspense, useEffect, useRef, useState, type ClipboardEvent, type RefObject } from 'react';
import { lazyPart } from '../../shared/lazy-part';
import { t } from '../../shared/texts/texts';
import { Icon } from '../../shared/ui/icon';
import { narrow } from '../../shared/ui/media';
import { IconButton } from '../../shared/ui/icon-button';
import { useChat } from '../data/store';
import { readStored, writeStored } from '../data/stored';
import { contentOf, isBlank } from '../drafts/drafts';
import { insertWord } from '../text/apply-edit';
import { TextBox } from '../text/text-box';
import { FileChips } from './file-chips';
import { mayWriteTo, whyNot } from './may-write';
import { Preview } from './preview';
import { SendButton } from './send-button';
import { closeCompose, useCompose } from './state';
import { placeholderFor } from './target';
import { TargetFields } from './target-fields';
import { attachFiles } from './uploads';
import { useTyping } from './use-typing';
import classes from './compose.module.css';

const FormatBar = lazyPart(() => import('../text/format-bar'), 'FormatBar');
const EmojiPopover = lazyPart(() => import('../emoji/emoji-popover'), 'EmojiPopover');

const BAR_SHOWN = 'format-bar';

export function ComposeBox() {
  const draft = useCompose((state) => state.draft)!;
  const { isPreviewing, isTargetShown } = useCompose();
  const mayWrite = useChat((state) => draft.type === 'private' || mayWriteTo(state, draft.streamId));
  const named = useChat((state) => placeholderFor(draft, state));
  // Beside the buttons is no room for names, and the head of the page has them.
  const placeholder = narrow.useMatches() ? t('compose.placeholder') : named;
  const [isBarShown, setBarShown] = useState(() => readStored(BAR_SHOWN, false));
  const area = useRef<HTMLTextAreaElement>(null);
  useTyping(draft);
  useFocus(area);
  const onPaste = (event: ClipboardEvent): void => {
    if (attachFiles(event.clipboardData.files)) event.preventDefault();
  };
  const toggleBar = (): void => {
    writeStored(BAR_SHOWN, !isBarShown);
    setBarShown(!isBarShown);
  };
  if (!mayWrite) return <NotAllowed isTargetShown={isTargetShown} />;
  return (
    <div className={classes.box} onPaste={onPaste}>
      {isTargetShown && <TargetFields draft={draft} />}
      <FileChips draft={draft} />
      <div className={classes.line} data-filled={!isBlank(draft) || undefined}>
        {isPreviewing ? (
          <Preview content={contentOf(draft)} />
        ) : (
          <TextBox ref={area} draft={draft} placeholder={placeholder} />
        )}
        <div className={classes.tools}>
          <IconButton icon="format" label={t('compose.format')} aria-pressed={isBarShown} onClick={toggleBar} />
          <EmojiButton area={area} />
          <AttachButton />
          <SendButton draft={draft} />
        </div>
      </div>
      {isBarShown && (
        <Suspense fallback={<div className={classes.bar} />}>
          <FormatBar area={area} className={classes.bar} />
        </Suspense>
      )}
      {isTargetShown && <CloseButton />}
    </div>
  );
}

/** Stands beside the recipients; behind the text for those who go from field to field. */
const CloseButton = () => (
  <span className={classes.close}>
    <IconButton icon="close" size={16} label={t('compose.close')} onClick={closeCompose} />
  </span>
);

function NotAllowed({ isTargetShown }: { isTargetShown: boolean }) {
  const draft = useCompose((state) => state.draft)!;
  const isArchived = useChat((state) => state.streams.get(draft.streamId)?.is_archived === true);
  const reason = useChat((state) => whyNot(state, draft.streamId));
  return (
    <div className={classes.box}>
      {isTargetShown && <TargetFields draft={draft} />}
      <p className={classes.notAllowed} role="note">
        <Icon name={isArchived ? 'archive' : 'megaphone'} size={16} />
        {reason}
      </p>
      {isTargetShown && <CloseButton />}
    </div>
  );
}

function EmojiButton({ area }: { area: RefObject<HTMLTextAreaElement | null> }) {
  const [isOpen, setOpen] = useState(false);
  const button = <IconButton icon="smile" label={t('compose.emoji')} onClick={() => setOpen(!isOpen)} />;
  if (!isOpen) return button;
  return (
    <Suspense fallback={button}>
      <EmojiPopover
        button={button}
        position="top-end"
        onClose={() => setOpen(false)}
        onPick={(emoji) => {
          setOpen(false);
          if (area.current) insertWord(area.current, `:${emoji.emoji_name}:`);
        }}
      />
    </Suspense>
  );
}

function AttachButton() {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          attachFiles(event.currentTarget.files);
          // The same file may be chosen again.
          event.currentTarget.value = '';
        }}
      />
      <IconButton icon="clip" label={t('compose.attach')} onClick={() => picker.current?.click()} />
    </>
  );
}

function useFocus(area: RefObject<HTMLTextAreaElement | null>): void {
  const { focusWanted, focusField } = useCompose();
  useEffect(() => {
    if (focusWanted === 0) return;
    const field = focusField === 'content' ? area.current : document.getElementById(`compose-${focusField}`);
    field?.focus();
    if (area.current) area.current.selectionStart = area.current.value.length;
  }, [focusWanted, focusField, area]);
}
