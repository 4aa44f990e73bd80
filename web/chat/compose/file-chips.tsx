/** The files of a draft as chips: those that are being uploaded with their progress. */
import { t } from '../../shared/texts/texts';
import { Icon } from '../../shared/ui/icon';
import type { Draft, DraftFile } from '../drafts/drafts';
import { changeDraft } from './state';
import { useUploads } from './uploads';
import classes from './file-chips.module.css';

export function FileChips({ draft }: { draft: Draft }) {
  const running = useUploads((state) => state.running);
  const here = running.filter(({ draftKey }) => draftKey === draft.key);
  const { files = [] } = draft;
  if (here.length + files.length === 0) return null;
  const remove = (file: DraftFile): void => changeDraft({ files: files.filter((each) => each !== file) });
  return (
    <ul className={classes.chips} aria-label={t('upload.files')}>
      {files.map((file) => (
        <li key={file.uri}>
          <Icon name="file" size={15} />
          <span title={file.name}>{file.name}</span>
          <CloseButton label={t('upload.remove', { name: file.name })} onClick={() => remove(file)} />
        </li>
      ))}
      {here.map(({ id, name, part, cancel }) => (
        <li key={id}>
          <Icon name="clip" size={15} />
          <span title={name}>{name}</span>
          <progress value={part} max={1} aria-label={t('upload.progress', { name })} />
          <CloseButton label={t('upload.cancel', { name })} onClick={cancel} />
        </li>
      ))}
    </ul>
  );
}

function CloseButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button type="button" title={label} aria-label={label} onClick={onClick}>
      <Icon name="close" size={14} />
    </button>
  );
}
