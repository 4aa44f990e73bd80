/** Files that are dropped on the page are uploaded into the compose box; the browser would open them in its place. */
import { useEffect, useState } from 'react';
import { t } from '../../shared/texts/texts';
import { toast } from '../../shared/ui/toasts';
import { whyNoFiles } from './drop-place';
import { attachFiles } from './uploads';
import classes from './drop-area.module.css';

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true;

export function DropArea() {
  /** What is said while files are dragged over the page. */
  const [over, setOver] = useState<string>();
  useEffect(() => {
    const move = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(whyNoFiles() ?? t('upload.drop'));
    };
    /** The pointer enters another element whenever it leaves one, except at the edge of the window. */
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(undefined);
    };
    const drop = (event: DragEvent): void => {
      setOver(undefined);
      if (event.defaultPrevented || !hasFiles(event)) return;
      event.preventDefault();
      const reason = whyNoFiles();
      if (reason === undefined) attachFiles(event.dataTransfer?.files);
      else toast(reason, true);
    };
    addEventListener('dragover', move);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', move);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', drop);
    };
  }, []);
  if (over === undefined) return null;
  return (
    <div className={classes.over} data-drop data-refused={over !== t('upload.drop') || undefined}>
      {over}
    </div>
  );
}
