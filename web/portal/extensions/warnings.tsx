/** Settings of an extension that its PBX does not take. */
import { refusalText } from '../../shared/texts/refusals';
import { t } from '../../shared/texts/texts';
import { Dialog } from '../../shared/ui/dialog';
import type { Extension } from '../wire';

export function Warnings({ warnings }: Pick<Extension, 'warnings'>) {
  if (warnings.length === 0) return null;
  return (
    <div role="note">
      <p>{t('portal.warnings')}</p>
      <ul>
        {warnings.map((words) => (
          <li key={words}>{refusalText(words)}</li>
        ))}
      </ul>
    </div>
  );
}

/** Shown after a change that the PBX took in part. */
export function WarningsDialog({ extension, onClose }: { extension: Extension; onClose: () => void }) {
  return (
    <Dialog opened onClose={onClose} title={t('portal.editExtension', { number: extension.data.id })}>
      <Warnings warnings={extension.warnings} />
    </Dialog>
  );
}
