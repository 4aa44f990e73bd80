/** The open compose box: recipients, text and actions. */
import { useEffect, useRef, useState, type ClipboardEvent, type DragEvent, type RefObject } from 'react';
import { t } from '../../shared/texts/texts';
import { Icon } from '../../shared/ui/icon';
import { IconButton } from '../../shared/ui/icon-button';
import { useSetting } from '../data/store';
import { showDialog } from '../dialogs/dialogs';
import { canSend, closeCompose, sendDraft, useCompose } from './state';
import { TextBox } from './text-box';
import { TargetFields } from './target-fields';
import { Preview } from './preview';
import { useUploads } from './use-uploads';
import { UploadList } from './upload-list';
import { useTyping } from './use-typing';
import { allDrafts, useDrafts } from './drafts';
import classes from './compose.module.css';

export function ComposeBox() {
  const draft = useCompose((state) => state.draft)!;
  const isPreviewing = useCompose((state) => state.isPreviewing);
  const isMandatory = useSetting('realm_mandatory_topics', false);
  const isSentByEnter = useSetting('enter_sends', false);
  const [isOver, setOver] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  const uploads = useUploads(area);
  useTyping(draft);
  useFocus(area);
  const take = (files: FileList | null | undefined): boolean => {
    if (!files || files.length === 0) return false;
    uploads.add([...files]);
    return true;
  };
  const onDrop = (event: DragEvent): void => {
    setOver(false);
    if (take(event.dataTransfer.files)) event.preventDefault();
  };
  const onPaste = (event: ClipboardEvent): void => {
    if (take(event.clipboardData.files)) event.preventDefault();
  };
  return (
    <>
      <div
        className={classes.box}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
        onPaste={onPaste}
      >
        <TargetFields draft={draft} />
        {isPreviewing ? <Preview content={draft.content} /> : <TextBox ref={area} draft={draft} />}
        <UploadList uploads={uploads.running} onCancel={uploads.cancel} />
        <div className={classes.tools}>
          <input ref={picker} type="file" multiple hidden onChange={(event) => take(event.currentTarget.files)} />
          <IconButton icon="clip" label={t('compose.attach')} onClick={() => picker.current?.click()} />
          <IconButton
            icon="eye"
            label={t('compose.preview')}
            aria-pressed={isPreviewing}
            onClick={() => useCompose.setState({ isPreviewing: !isPreviewing })}
          />
          <DraftsButton />
          <span className={classes.hint}>{t('compose.markdown')}</span>
          <IconButton icon="close" label={t('compose.close')} onClick={closeCompose} />
          <button
            type="button"
            className={classes.send}
            disabled={!canSend(draft, isMandatory) || uploads.running.length > 0}
            onClick={sendDraft}
          >
            <Icon name="send" size={16} />
            {t('compose.send')}
          </button>
        </div>
      </div>
      <p id="compose-keys" className={classes.keys}>
        {t(isSentByEnter ? 'compose.enterSends' : 'compose.controlSends')}
      </p>
    </>
  );
}

function DraftsButton() {
  useDrafts((state) => state.version);
  const count = allDrafts().length;
  if (count === 0) return null;
  return <IconButton icon="file" label={t('drafts.open', { count })} onClick={() => showDialog({ kind: 'drafts' })} />;
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
