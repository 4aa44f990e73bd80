import { t } from '../../shared/texts/texts';
import { IconButton } from '../../shared/ui/icon-button';
import type { RunningUpload } from './use-uploads';
import classes from './compose.module.css';

export function UploadList({
  uploads,
  onCancel,
}: {
  uploads: readonly RunningUpload[];
  onCancel: (id: string) => void;
}) {
  if (uploads.length === 0) return null;
  return (
    <ul className={classes.uploads}>
      {uploads.map(({ id, name, part }) => (
        <li key={id}>
          <span>{name}</span>
          <progress value={part} max={1} aria-label={t('upload.progress', { name })} />
          <IconButton icon="close" size={14} label={t('upload.cancel', { name })} onClick={() => onCancel(id)} />
        </li>
      ))}
    </ul>
  );
}
