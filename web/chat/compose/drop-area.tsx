/** Files that are dropped anywhere on a view are uploaded into the compose box, rather than opened by the browser. */
import { useEffect, useState } from 'react';
import { t } from '../../shared/texts/texts';
import { attachFiles } from './uploads';
import classes from './drop-area.module.css';

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true;

export function DropArea() {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const over = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    /** The pointer enters another element whenever it leaves one, except at the edge of the window. */
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent): void => {
      setOver(false);
      if (event.defaultPrevented || !hasFiles(event)) return;
      event.preventDefault();
      attachFiles(event.dataTransfer?.files);
    };
    addEventListener('dragover', over);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', drop);
    };
  }, []);
  return isOver && <div className={classes.over}>{t('upload.drop')}</div>;
}
